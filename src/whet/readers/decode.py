"""One JSON value out of a log that may be damaged."""

import json
import re
from types import EllipsisType

from pydantic import JsonValue
from pydantic_core import from_json

from whet.documents.session_import import Repairs
from whet.readers.charset import not_utf8

DEEPEST = 200
"""Levels of nesting, as the quick decoder has it."""

_DEEP = "recursion limit exceeded"
_PLACE = re.compile(r" at line \d+ column (\d+)$")
_BLANK = b" \t\r\n\0"


def decoded(data: bytes, repairs: Repairs) -> JsonValue | EllipsisType:
    """The value; or ``...`` where there is none, or none that can be read, which is noted."""
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        return _rescued(data, str(error), repairs)


def _rescued(data: bytes, problem: str, repairs: Repairs) -> JsonValue | EllipsisType:
    bare = data.strip(_BLANK)
    if b"\0" in data:
        column = data.find(b"\0") + 1
        repairs.note("encoding", "nul_bytes", "NUL bytes are left out", column=column)
        bare = bare.replace(b"\0", b"")
    if not bare:
        return ...
    try:
        if _DEEP in problem:
            raise RecursionError
        value = _loaded(_text(bare, repairs), repairs)
        if _is_deep(value):
            raise RecursionError
    except RecursionError:
        _refuse(data, problem, "it is nested too deeply", repairs)
    except ValueError:
        _refuse(data, problem, problem, repairs)
    else:
        return value
    return ...


def _refuse(data: bytes, problem: str, why: str, repairs: Repairs) -> None:
    found = _PLACE.search(problem)
    column = int(found[1]) if found else None
    if not data.endswith(b"\n") and problem.startswith("EOF "):
        repairs.note("skipped", "cut_off", "the last line is cut off", column=column)
    else:
        why = _PLACE.sub("", why)
        repairs.note("skipped", "broken_json", f"broken JSON: {why}", column=column)


def _text(data: bytes, repairs: Repairs) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise  # cut off within a character
        text, encoding = not_utf8(data)
        said = f"it is not UTF-8; read as {encoding}"
        repairs.note("encoding", "not_utf8", said, column=error.start + 1)
        return text


def _loaded(text: str, repairs: Repairs) -> JsonValue:
    """What the quick decoder refuses: control characters, half an emoji, NaN."""
    constants: list[str] = []
    value: JsonValue = json.loads(text, strict=False, parse_constant=constants.append)
    if constants:
        repairs.note("guessed", "not_a_number", f"{constants[0]} is not JSON; read as null")
    try:
        json.loads(text)
    except ValueError:
        repairs.note("encoding", "control_characters", "control characters stand within a text")
    return value


def _is_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True

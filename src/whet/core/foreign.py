"""JSON that somebody else wrote, which may be anything."""

import json
from collections.abc import Iterator
from math import isfinite
from typing import NoReturn, cast

from pydantic import JsonValue
from pydantic_core import from_json

_MOST_TOKENS = 10**12
_LONGEST_LINE = 500


def decoded(words: str) -> JsonValue:
    """What a program has written; raises ``ValueError``."""
    try:
        return from_json(words, allow_inf_nan=False)
    except ValueError:
        return strictly(words)  # the quick one refuses half an emoji, as programs cut texts


def strictly(words: str) -> JsonValue:
    """What a model has written: its numbers may be none; raises ``ValueError``."""
    try:
        value = json.loads(words, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return cast("JsonValue", value)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refuse(digits[:40])


def text(value: JsonValue) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""


def obj(value: JsonValue) -> dict[str, JsonValue]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """The objects in a list."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def count(value: JsonValue) -> int:
    """A number of tokens; 0 if it cannot be one."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def line(words: str) -> str:
    """The first line of what a program or service says, cut off where nobody reads on."""
    lines = words.strip().splitlines()
    return lines[0][:_LONGEST_LINE] if lines else ""

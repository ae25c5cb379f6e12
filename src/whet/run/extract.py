"""Finding the JSON value that an answer is meant to be.

Candidates, in this order: the whole text; blocks between fences; objects and arrays within the
text. Of several of a kind the last comes first, since models correct themselves and conclude at
the end. The first that fits the schema is the value. A JSON text inside a JSON string counts
where the string itself does not fit.

Nothing is mended: what is no JSON (comments, trailing commas, NaN, a name twice) is no value,
and no part of it is taken for the whole.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn, Protocol, cast

from pydantic import JsonValue

MOST_CHARACTERS = 1_000_000
"""Of a longer answer the end is searched."""

DEEPEST = 100
"""Levels of nesting that a value may have."""

MOST_CANDIDATES = 1_000
_EFFORT = 8 * MOST_CHARACTERS
"""Characters that are looked at in all, some of them several times."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_OPENING = re.compile(r"[{\[]")
# A string that is never closed goes on to the end: to look for others in it would take for ever.
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
# How an object or array goes on, also a careless one; other brackets belong to the prose.
_MEANT = re.compile(
    r"""\{\s*(?:["'}]|//|/\*|[A-Za-z_$][\w$]*\s*:)|\[\s*(?:["'{\[\]]|//|/\*|-?\d|true|false|null)"""
)


class Fits(Protocol):
    """What a value is held against, a ``Schema`` or the like."""

    def problems(self, value: JsonValue, /) -> tuple[str, ...]:
        """What keeps *value* from fitting; empty if it fits."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """What an answer holds: a value that fits, or the reasons why there is none."""

    value: JsonValue = None
    problems: tuple[str, ...] = ()
    is_json: bool = True
    """Whether there was any JSON at all."""


class _NotJson(ValueError):
    """JSON that leaves open what it means."""


def extract(text: str, schema: Fits) -> Found:
    """The value in *text* that fits."""
    text = text[-MOST_CHARACTERS:].strip().removeprefix("\ufeff")
    first: tuple[str, ...] | None = None
    for value in islice(_candidates(text), MOST_CANDIDATES):
        problems = schema.problems(value)
        if not problems:
            return Found(value)
        inner = _parsed(value) if isinstance(value, str) else None
        if inner is not None and not schema.problems(inner[0]):
            return Found(inner[0])
        first = first or problems
    if first is None:
        return Found(problems=(_why_not(text),), is_json=False)
    return Found(problems=first)


def _candidates(text: str) -> Iterator[JsonValue]:
    if (whole := _parsed(text)) is not None:
        yield whole[0]
        return
    for block in reversed(list(_fenced(text))):
        if (parsed := _parsed(block)) is not None:
            yield parsed[0]
    yield from reversed(list(_embedded(text)))


def _fenced(text: str) -> Iterator[str]:
    """The contents of fenced blocks; one that is never closed goes on to the end."""
    fence, lines = "", list[str]()
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if not fence:
            if mark:
                fence, lines = mark[1], []
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            yield "\n".join(lines)
            fence = ""
        else:
            lines.append(line)
    if fence:
        yield "\n".join(lines)


def _embedded(text: str) -> Iterator[JsonValue]:
    """Objects and arrays with prose around them, never a part of one that is broken."""
    at, effort = 0, _EFFORT
    while effort > 0 and (opening := _OPENING.search(text, at)):
        start = opening.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
            if _MEANT.match(text, start):
                at = _end_of_brackets(text, start, effort)
                effort -= min(at, len(text)) - start
        else:
            if _is_shallow(value):
                yield value
        effort -= max(at - start, DEEPEST)


def _end_of_brackets(text: str, start: int, effort: int) -> int:
    """Where what is opened at *start* is closed; the end of the text if it was cut off."""
    depth = 0
    for mark in _STRUCTURE.finditer(text, start, min(len(text), start + effort)):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        if depth == 0 and mark[0] in "}]":
            return mark.end()
    return len(text)


def _parsed(text: str) -> tuple[JsonValue] | None:
    """The value that *text* is, in a tuple as it may be null; None if it is no JSON."""
    try:
        value = cast("JsonValue", _DECODER.decode(text))
    except (ValueError, RecursionError):
        return None
    return (value,) if _is_shallow(value) else None


def _is_shallow(value: JsonValue) -> bool:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return True
    return False


def _inside(value: JsonValue) -> list[JsonValue]:
    match value:
        case list():
            return value
        case dict():
            return list(value.values())
        case _:
            return []


def _why_not(text: str) -> str:
    if not text:
        return "the answer is empty"
    meant = _MEANT.search(text)
    if meant is None:
        return "there is no JSON value in the answer"
    try:
        _DECODER.raw_decode(text, meant.start())
    except json.JSONDecodeError as error:
        return f"it is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
    except _NotJson as error:
        return f"it is not JSON: {error}"
    except (ValueError, RecursionError):
        return "it is not JSON: a number is too long, or it is nested too deeply"
    return f"it is nested more than {DEEPEST} levels deep"


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members: dict[str, JsonValue] = {}
    for name, value in pairs:
        if name in members:
            raise _NotJson(f"the name {name[:80]!r} is there twice")
        members[name] = value
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _NotJson(f"{digits[:40]} is too large a number")
    return number


def _refused(name: str) -> NoReturn:
    raise _NotJson(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_float=_finite, parse_constant=_refused)

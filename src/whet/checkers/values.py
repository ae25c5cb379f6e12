"""JSON values: reading them from hostile text, and whether one is part of another."""

import json

from pydantic import JsonValue

MOST_CHARACTERS = 4 * 1024 * 1024
MOST_NESTED = 100
"""Deeper values could exhaust whoever walks through them."""

_FENCE = "```"
_NESTED = "nested too deeply"


class NotJson(Exception):
    """A text that is no JSON, or too much of it."""


def read(text: str) -> JsonValue:
    """The value that *text* is; raises ``NotJson``."""
    if len(text) > MOST_CHARACTERS:
        raise NotJson(f"longer than {MOST_CHARACTERS} characters")
    try:
        value = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise NotJson(_NESTED) from None
    except ValueError as error:
        raise NotJson(str(error)) from None
    if _depth(value) > MOST_NESTED:
        raise NotJson(_NESTED)
    return value


def read_answer(text: str) -> JsonValue:
    """The value that an answer is, or that its only block of code is; raises ``NotJson``."""
    parts = text.split(_FENCE)
    if len(parts) == 3 and not _is_json(text):
        _, _, text = parts[1].partition("\n")
    return read(text)


def contains(whole: JsonValue, part: JsonValue) -> bool:
    """Whether *whole* has all that *part* has.

    Objects may have more keys and lists more items at their end; all else must be equal, where
    1 is 1.0 and true is not 1.
    """
    match part, whole:
        case dict(), dict():
            return all(key in whole and contains(whole[key], part[key]) for key in part)
        case list(), list():
            pairs = zip(whole, part, strict=False)
            return len(whole) >= len(part) and all(contains(one, other) for one, other in pairs)
        case bool(), _:
            return part is whole
        case _, bool():
            return False
        case _:
            return part == whole


def _depth(value: JsonValue) -> int:
    """How many objects and lists are inside each other; counts little beyond the limit."""
    level, depth = [value], 0
    while depth <= MOST_NESTED:
        lists = [one for one in level if isinstance(one, list)]
        objects = [one for one in level if isinstance(one, dict)]
        if not lists and not objects:
            break
        depth += 1
        level = [item for one in lists for item in one]
        level += [item for one in objects for item in one.values()]
    return depth


def _is_json(text: str) -> bool:
    try:
        read(text)
    except NotJson:
        return False
    return True


def _refuse(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")

"""Rules for the fields of checks, to name every mistake before anything runs."""

import math
import re
from collections.abc import Callable, Mapping
from typing import cast

from pydantic import JsonValue

from whet.checkers import patterns
from whet.core.check import CheckSpec
from whet.core.files import inside
from whet.core.untrusted_regex import compile_untrusted

Rule = Callable[[JsonValue], str | None]
"""What is wrong with a value, in a few words; None if nothing is."""

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda found, count: found == count,
    ">=": lambda found, count: found >= count,
    "<=": lambda found, count: found <= count,
    ">": lambda found, count: found > count,
    "<": lambda found, count: found < count,
}


def problems(
    spec: CheckSpec, required: Mapping[str, Rule], optional: Mapping[str, Rule]
) -> list[str]:
    """Every field of *spec* that is missing, unknown or wrong."""
    rules = {**required, **optional}
    found = [f"{name} is missing" for name in required if name not in spec.fields]
    for name, value in spec.fields.items():
        if name not in rules:
            allowed = ", ".join(rules) or "none"
            found.append(f"{name} is not a field of {spec.type}; it has: {allowed}")
        elif wrong := rules[name](value):
            found.append(f"{name} {wrong}")
    return found


def text(value: JsonValue) -> str | None:
    """A string that is not empty."""
    if not isinstance(value, str):
        return "must be a string"
    return None if value else "must not be empty"


def texts(value: JsonValue) -> str | None:
    """A list of such strings, at least one."""
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        return "must be a list of strings that are not empty"
    return None if value else "must not be empty"


def text_or_texts(value: JsonValue) -> str | None:
    """One or several."""
    return texts(value) if isinstance(value, list) else text(value)


def pattern(value: JsonValue) -> str | None:
    """A pattern of file names."""
    return text(value) or patterns.mistake(cast("str", value))


def path(value: JsonValue) -> str | None:
    """The path of one file."""
    if wrong := text(value):
        return wrong
    try:
        inside(cast("str", value))
    except ValueError:
        return f"must be a relative path inside the outputs, found {value!r}"
    return None


def regex(value: JsonValue) -> str | None:
    """A regular expression of Python."""
    if wrong := text(value):
        return wrong
    try:
        compile_untrusted(cast("str", value))
    except re.error as error:
        return f"is not a regular expression: {error}"
    return None


def count(value: JsonValue) -> str | None:
    """A number of things."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return None
    return "must be a whole number that is not negative"


def operator(value: JsonValue) -> str | None:
    """How a number is compared."""
    known = isinstance(value, str) and value in OPERATORS
    return None if known else f"must be one of {' '.join(OPERATORS)}"


def amount(value: JsonValue) -> str | None:
    """Of money or time."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None if math.isfinite(value) and value >= 0 else "must not be negative"
    return "must be a number"


def duration(value: JsonValue) -> str | None:
    """Some time."""
    return amount(value) or (None if value else "must be more than 0")


def members(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """An object with such fields."""

    def rule(value: JsonValue) -> str | None:
        names = f"an object with {', '.join(required)}"
        if not isinstance(value, dict):
            return f"must be {names}"
        spec = CheckSpec(id="", type="the object", fields=value)
        return "; ".join(problems(spec, required, optional or {})) or None

    return rule


def anything(_value: JsonValue) -> str | None:
    """Whatever JSON can say."""
    return None

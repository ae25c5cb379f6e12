"""Why a JSON value is not the document it should be, in one plain line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

Path = tuple[str | int, ...]

OLDER_NAMES = {"expectations": "assertions", "quality_rubric": "rubric", "scoring": "anchors"}
"""Keys of suites that are read under either name, by the present one."""

_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "model_type": "an object",
    "string_type": "a string",
    "tuple_type": "a list",
}


def complaint(error: ValidationError, data: JsonValue) -> tuple[str, str]:
    """Name the first field of *data* that is wrong, and say what is wrong with it."""
    path, reason, others = next(_complaints(error, data))
    return _dotted(path), reason + (f" (and {others} more)" if others else "")


def complaints(error: ValidationError, data: JsonValue) -> list[tuple[Path, str]]:
    """The way to every field of *data* that is wrong, and the field and what is wrong in words."""
    found = [(path, _dotted(path), reason) for path, reason, _ in _complaints(error, data)]
    return [(path, f"{field}: {reason}" if field else reason) for path, field, reason in found]


def _complaints(error: ValidationError, data: JsonValue) -> Iterator[tuple[Path, str, int]]:
    """Path, reason, and how many others are wrong besides."""
    problems: dict[Path, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        problems.setdefault(_path(detail, data), []).append(detail)
    while problems:
        first = next(iter(problems))
        # Where several shapes are allowed, the one that fits best is the one that fails deepest.
        related = [path for path in problems if path[: len(first)] == first]
        deepest = max(related, key=len)
        reason = _reason(problems[deepest])
        for path in related:
            del problems[path]
        yield deepest, reason, len(problems)


def _path(detail: ErrorDetails, data: JsonValue) -> Path:
    """Follow an error's location through *data*, which leaves out pydantic's union tags."""
    steps: list[str | int] = []
    value: JsonValue = data
    for step in detail["loc"]:
        if isinstance(step, str) and isinstance(value, dict):
            name = step if step in value else OLDER_NAMES.get(step, step)
            if name in value:
                value = value[name]
                steps.append(name)
        if isinstance(step, int) and isinstance(value, list):
            value = value[step]
            steps.append(step)
    if detail["type"] == "missing":
        steps.append(detail["loc"][-1])
    return tuple(steps)


def _dotted(path: Path) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def _reason(details: Sequence[ErrorDetails]) -> str:
    detail = details[0]
    context = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return "is required but missing"
        case "string_too_short":
            return "must not be empty"
        case "too_short":
            return f"must have at least {context['min_length']}, has {context['actual_length']}"
        case "value_error":
            return str(context["error"])
        case _:
            return f"must be {_expected(details)}, found {_found(detail['input'])}"


def _expected(details: Sequence[ErrorDetails]) -> str:
    kinds = list(dict.fromkeys(_kind(detail) for detail in details))
    if any(kind.endswith(" number") and kind != "a whole number" for kind in kinds):
        kinds = [kind for kind in kinds if kind != "a whole number"]
    return " or ".join(kinds)


def _kind(detail: ErrorDetails) -> str:
    if detail["type"] == "literal_error":
        return str(detail.get("ctx", {})["expected"]).replace("'", "")
    return _EXPECTED.get(detail["type"], detail["msg"].removeprefix("Input should be "))


def _found(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else f"{text[:57]}…"


def take_out(
    data: JsonValue, paths: Iterable[Sequence[str | int]], stand_ins: Mapping[str, JsonValue]
) -> bool:
    """Delete what lies at *paths*, or what should have it where it is missing; a field of the
    outermost object that has a stand-in gets that. False where nothing changed."""
    places = {_innermost(data, path, stand_ins) for path in paths} - {()}
    # From the end, so that the places of a list that are still needed do not move.
    for place in sorted(places, key=lambda place: [str(step).zfill(9) for step in place])[::-1]:
        *way, last = place
        match _reached(data, way):
            case dict() as parent if not way and last in stand_ins:
                parent[str(last)] = stand_ins[str(last)]
            case dict() as parent:
                del parent[str(last)]
            case list() as items if isinstance(last, int):
                del items[last]
            case _:
                pass
    return bool(places)


def _innermost(
    data: JsonValue, path: Sequence[str | int], stand_ins: Mapping[str, JsonValue]
) -> tuple[str | int, ...]:
    """The path itself if something lies there or can stand in, else that of what is around it."""
    *way, last = path or ("",)
    match _reached(data, way):
        case dict() as parent if last in parent or (not way and last in stand_ins):
            return tuple(path)
        case list() as items if isinstance(last, int) and last < len(items):
            return tuple(path)
        case _:
            return _innermost(data, path[:-1], stand_ins) if path else ()


def _reached(data: JsonValue, way: Sequence[str | int]) -> JsonValue:
    for step in way:
        match data:
            case dict():
                data = data.get(str(step))
            case list() if isinstance(step, int) and step < len(data):
                data = data[step]
            case _:
                return None
    return data

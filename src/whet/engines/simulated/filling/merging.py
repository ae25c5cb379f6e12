"""Two schemas that hold together, as one."""

from collections.abc import Callable

from pydantic import JsonValue

from whet.engines.simulated.filling.rules import Schema, items_of, members_of, same


def merged(one: Schema, other: Schema) -> Schema:
    """What fits this is likely to fit both; whoever uses it looks again.

    Where both say something that cannot be said as one thing, the first is heard.
    """
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one if one is False or isinstance(one, dict) else other
    found = dict(one)
    for name, wanted in other.items():
        if name not in found:
            found[name] = wanted
        elif name in _WAYS:
            found[name] = _WAYS[name](found[name], wanted)
    return found


def _types(one: JsonValue, other: JsonValue) -> JsonValue:
    first, second = _listed(one), _listed(other)
    both = [name for name in first if name in second]
    if "integer" not in both and "integer" in [*first, *second] and "number" in [*first, *second]:
        both.append("integer")
    return [*both]


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _properties(one: JsonValue, other: JsonValue) -> JsonValue:
    found = dict(members_of(one))
    for name, node in members_of(other).items():
        found[name] = merged(found[name], node) if name in found else node
    return found


def _union(one: JsonValue, other: JsonValue) -> JsonValue:
    return [*items_of(one), *(name for name in items_of(other) if name not in items_of(one))]


def _shared(one: JsonValue, other: JsonValue) -> JsonValue:
    return [each for each in items_of(one) if any(same(each, it) for it in items_of(other))]


def _larger(one: JsonValue, other: JsonValue) -> JsonValue:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return max(one, other)
    return one


def _smaller(one: JsonValue, other: JsonValue) -> JsonValue:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return min(one, other)
    return one


_WAYS: dict[str, Callable[[JsonValue, JsonValue], JsonValue]] = {
    "type": _types,
    "properties": _properties,
    "required": _union,
    "enum": _shared,
    "items": merged,
    "additionalProperties": merged,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems"), _larger),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems"), _smaller),
    "minProperties": _larger,
    "maxProperties": _smaller,
}

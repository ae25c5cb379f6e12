"""Whether a value fits a JSON Schema, by the keywords that schemas of packages have.

What is not known here is taken to fit; whoever must be sure asks ``documents.schema``.
"""

from collections.abc import Callable, Mapping

from pydantic import JsonValue

from whet.engines.simulated.filling.pattern import matches

Schema = JsonValue
"""An object or a boolean."""

_MOST_CHECKS = 20_000
_DEEPEST = 48
_Rule = Callable[["Rules", JsonValue, JsonValue, Mapping[str, JsonValue]], bool]


class TooMuch(Exception):
    """The schema goes on for ever, or nearly so."""


class Rules:
    """One schema with all its parts, and a limit to the work that is put into it."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._left = _MOST_CHECKS
        self._depth = 0

    def fits(self, node: Schema, value: JsonValue) -> bool:
        """Whether *value* fits this part of the schema; raises ``TooMuch``."""
        if isinstance(node, bool):
            return node
        if not isinstance(node, dict):
            return True
        self.spend()
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                raise TooMuch
            known = ((_RULES[name], wanted) for name, wanted in node.items() if name in _RULES)
            return all(rule(self, wanted, value, node) for rule, wanted in known)
        finally:
            self._depth -= 1

    def spend(self) -> None:
        """Count a bit of work; raises ``TooMuch``."""
        self._left -= 1
        if self._left < 0:
            raise TooMuch

    def referred(self, reference: JsonValue) -> Schema:
        """The part that a ``$ref`` names; nothing outside of the schema is."""
        found = self._root
        if not isinstance(reference, str) or not reference.startswith("#"):
            return True
        for step in reference.removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            match found:
                case dict():
                    found = found.get(name, True)
                case list() if name.isdecimal() and int(name) < len(found):
                    found = found[int(name)]
                case _:
                    return True
        return found


def is_type(name: JsonValue, value: JsonValue) -> bool:
    """Whether a value is of the type of that name."""
    match value:
        case None:
            return name == "null"
        case bool():
            return name == "boolean"
        case int():
            return name in ("integer", "number")
        case float():
            return name == "number" or (name == "integer" and value.is_integer())
        case str():
            return name == "string"
        case list():
            return name == "array"
        case dict():
            return name == "object"


def same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are equal in JSON, where true is not 1 but 1.0 is."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return one == other


def items_of(value: JsonValue) -> list[JsonValue]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []


def members_of(value: JsonValue) -> dict[str, JsonValue]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def _compared(compare: Callable[[float, float], bool]) -> _Rule:
    def rule(_: Rules, wanted: JsonValue, value: JsonValue, __: Mapping[str, JsonValue]) -> bool:
        if not is_type("number", value) or not is_type("number", wanted):
            return True
        return compare(_number(value), _number(wanted))

    return rule


def _number(value: JsonValue) -> float:
    return value if isinstance(value, int | float) else 0


def _is_multiple(value: float, unit: float) -> bool:
    if unit <= 0:
        return True
    if not isinstance(unit, float):
        return value % unit == 0
    try:
        return (value / unit).is_integer()
    except OverflowError:
        return False


def _sized(kind: str, compare: Callable[[float, float], bool]) -> _Rule:
    def rule(_: Rules, wanted: JsonValue, value: JsonValue, __: Mapping[str, JsonValue]) -> bool:
        if not isinstance(value, str | list | dict) or not is_type(kind, value):
            return True
        return not is_type("number", wanted) or compare(len(value), _number(wanted))

    return rule


def _type(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    return any(is_type(name, value) for name in names)


def _enum(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    return any(same(one, value) for one in items_of(wanted))


def _const(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    return same(wanted, value)


def _pattern(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    if not isinstance(wanted, str) or not isinstance(value, str):
        return True
    return matches(wanted, value)


def _unique(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    items = items_of(value) if wanted is True else []
    return not any(same(one, other) for at, one in enumerate(items) for other in items[:at])


def _items(
    rules: Rules, wanted: JsonValue, value: JsonValue, node: Mapping[str, JsonValue]
) -> bool:
    first = len(items_of(node.get("prefixItems")))
    return all(rules.fits(wanted, item) for item in items_of(value)[first:])


def _prefix(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return all(map(rules.fits, items_of(wanted), items_of(value)))


def _contains(
    rules: Rules, wanted: JsonValue, value: JsonValue, node: Mapping[str, JsonValue]
) -> bool:
    if not isinstance(value, list):
        return True
    count = sum(rules.fits(wanted, item) for item in value)
    most = node.get("maxContains")
    too_many = is_type("number", most) and count > _number(most)
    return count >= _number(node.get("minContains", 1)) and not too_many


def _required(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    return not isinstance(value, dict) or all(name in value for name in items_of(wanted))


def _properties(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    found = members_of(value)
    known = members_of(wanted)
    return all(rules.fits(known[name], found[name]) for name in known if name in found)


def _additional(
    rules: Rules, wanted: JsonValue, value: JsonValue, node: Mapping[str, JsonValue]
) -> bool:
    known, patterns = members_of(node.get("properties")), members_of(node.get("patternProperties"))
    more = (
        item
        for name, item in members_of(value).items()
        if name not in known and not any(matches(pattern, name) for pattern in patterns)
    )
    return all(rules.fits(wanted, item) for item in more)


def _by_pattern(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return all(
        rules.fits(node, item)
        for pattern, node in members_of(wanted).items()
        for name, item in members_of(value).items()
        if matches(pattern, name)
    )


def _names(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return all(rules.fits(wanted, name) for name in members_of(value))


def _dependent(_: Rules, wanted: JsonValue, value: JsonValue, __: object) -> bool:
    found = members_of(value)
    needed = (names for name, names in members_of(wanted).items() if name in found)
    return all(name in found for names in needed for name in items_of(names))


def _any(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return any(rules.fits(node, value) for node in items_of(wanted))


def _one(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return sum(rules.fits(node, value) for node in items_of(wanted)) == 1


def _all(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return all(rules.fits(node, value) for node in items_of(wanted))


def _not(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return not rules.fits(wanted, value)


def _if(rules: Rules, wanted: JsonValue, value: JsonValue, node: Mapping[str, JsonValue]) -> bool:
    branch = "then" if rules.fits(wanted, value) else "else"
    return rules.fits(node.get(branch, True), value)


def _reference(rules: Rules, wanted: JsonValue, value: JsonValue, _: object) -> bool:
    return rules.fits(rules.referred(wanted), value)


_RULES: dict[str, _Rule] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _compared(lambda value, wanted: value >= wanted),
    "maximum": _compared(lambda value, wanted: value <= wanted),
    "exclusiveMinimum": _compared(lambda value, wanted: value > wanted),
    "exclusiveMaximum": _compared(lambda value, wanted: value < wanted),
    "multipleOf": _compared(_is_multiple),
    "minLength": _sized("string", lambda size, wanted: size >= wanted),
    "maxLength": _sized("string", lambda size, wanted: size <= wanted),
    "pattern": _pattern,
    "minItems": _sized("array", lambda size, wanted: size >= wanted),
    "maxItems": _sized("array", lambda size, wanted: size <= wanted),
    "uniqueItems": _unique,
    "items": _items,
    "prefixItems": _prefix,
    "contains": _contains,
    "minProperties": _sized("object", lambda size, wanted: size >= wanted),
    "maxProperties": _sized("object", lambda size, wanted: size <= wanted),
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "patternProperties": _by_pattern,
    "propertyNames": _names,
    "dependentRequired": _dependent,
    "anyOf": _any,
    "oneOf": _one,
    "allOf": _all,
    "not": _not,
    "if": _if,
    "$ref": _reference,
}

"""A value for a JSON Schema: proposals for every place, and of these the first that fits.

A proposal is what somebody knows of the place by its name, what the schema itself names, or
something made by type. The rules decide, so a proposal may be wrong.
"""

from collections.abc import Callable, Iterator, Mapping

from pydantic import JsonValue

from whet.engines.simulated.filling.expanding import expanded
from whet.engines.simulated.filling.rules import Rules, Schema, TooMuch, items_of, members_of
from whet.engines.simulated.filling.scalars import numbers, texts

Place = tuple[str, ...]
"""The names of the properties on the way to a value."""

Knows = Callable[[Place, Mapping[str, JsonValue]], Iterator[JsonValue]]
"""What may stand at a place, the best first."""

_TYPES = ("object", "string", "integer", "number", "boolean", "array", "null")
_BY_KEYWORD = {
    "object": ("properties", "required", "additionalProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains"),
    "string": ("pattern", "minLength", "maxLength", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_SHALLOW = 4
"""So deep what is not required is filled, too."""

_DEEPEST = 24
_MOST_ITEMS = 200
_TRIES = 8


class Unfillable(Exception):
    """No value was found that fits."""


def fill(schema: Schema, knows: Knows) -> JsonValue:
    """A value that fits, as far as the agent understands the schema; raises ``Unfillable``."""
    try:
        return _Filler(Rules(schema), knows).value(schema, ())
    except (TooMuch, RecursionError):
        raise Unfillable from None


class _Filler:
    def __init__(self, rules: Rules, knows: Knows) -> None:
        self._rules = rules
        self._knows = knows

    def value(self, node: Schema, place: Place, turn: int = 0) -> JsonValue:
        """The first proposal that fits; another one for each *turn*."""
        self._rules.spend()
        if len(place) > _DEEPEST:
            raise Unfillable
        for proposal in self._proposals(node, place, turn):
            if self._rules.fits(node, proposal):
                return proposal
        raise Unfillable

    def _proposals(self, node: Schema, place: Place, turn: int) -> Iterator[JsonValue]:
        known = members_of(node)
        if turn == 0:
            yield from self._known(known, place)
        for flat in expanded(node, self._rules):
            named = [flat["const"]] if "const" in flat else items_of(flat.get("enum"))
            yield from named[turn:]
            if turn == 0 and "default" in flat:
                yield flat["default"]
            for name in _types(flat):
                yield from self._by_type(name, flat, place, turn)

    def _known(self, node: Mapping[str, JsonValue], place: Place) -> Iterator[JsonValue]:
        most = node.get("maxLength"), node.get("maxItems")
        for value in self._knows(place, node):
            yield value
            if isinstance(value, str) and isinstance(most[0], int):
                yield value[: most[0]]
            if isinstance(value, list) and isinstance(most[1], int):
                yield value[: most[1]]

    def _by_type(
        self, name: JsonValue, node: Mapping[str, JsonValue], place: Place, turn: int
    ) -> Iterator[JsonValue]:
        match name:
            case "object":
                yield from self._objects(node, place, turn)
            case "array":
                yield from self._arrays(node, place)
            case "string":
                yield from texts(node, place[-1] if place else "", turn)
            case "integer" | "number":
                yield from numbers(node, turn)
            case "boolean":
                yield from ((False, True), (True, False))[turn % 2]
            case _:
                yield None

    def _objects(
        self, node: Mapping[str, JsonValue], place: Place, turn: int
    ) -> Iterator[JsonValue]:
        known = members_of(node.get("properties"))
        required = [str(name) for name in items_of(node.get("required"))]
        found: dict[str, JsonValue] = {}
        for name, part in known.items():
            try:
                if name in required or len(place) < _SHALLOW:
                    found[name] = self.value(part, (*place, name), turn)
            except Unfillable:
                if name in required:
                    return
        others = node.get("additionalProperties", True)
        for name in required:
            if name not in found:
                found[name] = self.value(others, (*place, name), turn)
        yield found
        needed = {name: found[name] for name in found if name in required}
        yield needed
        least = node.get("minProperties")
        for number in range(min(least, _MOST_ITEMS) if isinstance(least, int) else 0):
            found[f"field_{number + 1}"] = self.value(others, (*place, "field"), number)
        yield found

    def _arrays(self, node: Mapping[str, JsonValue], place: Place) -> Iterator[JsonValue]:
        first = items_of(node.get("prefixItems"))
        inner = (*place, "[]")
        found = [self.value(part, inner) for part in first]
        if "contains" in node:
            least = node.get("minContains", 1)
            count = min(least, _MOST_ITEMS) if isinstance(least, int) else 1
            found += self._more(node["contains"], inner, count, found)
        wanted = node.get("minItems")
        least = min(wanted, _MOST_ITEMS) if isinstance(wanted, int) else 0
        if len(found) < least:
            found += self._more(node.get("items", True), inner, least - len(found), found)
        most = node.get("maxItems")
        yield found[:most] if isinstance(most, int) and not isinstance(most, bool) else found
        yield found

    def _more(
        self, part: Schema, place: Place, count: int, there: list[JsonValue]
    ) -> list[JsonValue]:
        """So many items, no two alike if that can be."""
        found: list[JsonValue] = []
        for turn in range(count + _TRIES):
            try:
                item = self.value(part, place, turn)
            except Unfillable:
                break
            if item not in found and item not in there:
                found.append(item)
            if len(found) == count:
                return found
        again = found or [self.value(part, place)]
        return [again[at % len(again)] for at in range(count)]


def _types(node: Mapping[str, JsonValue]) -> list[JsonValue]:
    """The types that it may be, by what it says or else by what it speaks of."""
    said = node.get("type")
    if said is not None:
        return said if isinstance(said, list) else [said]
    likely = [name for name, words in _BY_KEYWORD.items() if any(word in node for word in words)]
    return [*likely, *(name for name in _TYPES if name not in likely)]

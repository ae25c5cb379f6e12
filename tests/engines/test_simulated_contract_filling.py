"""Values for schemas: they fit by the library that decides, and no schema is too much."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.documents.schema import Schema
from whet.engines.simulated.filling.fill import Knows, Place, Unfillable, fill
from whet.engines.simulated.filling.pattern import Unknown, example, is_plain
from whet.engines.simulated.filling.rules import Rules

Node = dict[str, JsonValue]
NAMES = st.sampled_from(["a", "b", "words", "summary", "items", "größe", "a b", "$x"])
PATTERNS = (
    *("^[a-z]{3,5}$", r"^\d{4}-\d{2}-\d{2}$", "^(yes|no)$", r"^v\d+(\.\d+){0,2}$", "^artifacts/"),
    *("^[^a-z]+$", r"^\w+@\w+\.org$", "x", "^[A-Z]{2}-?[0-9]*$", r"^[\]a-]+$", "^(?:ab?)+$"),
    *(r"^\u4e2d+$", "^$", r"^\S.*\S$", r"^#[0-9a-fA-F]{6}$", "^(?P<n>a)b{2}$"),
)


def nothing(_place: Place, _node: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    return iter(())


def some(_place: Place, _node: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    """Proposals that mostly do not fit."""
    proposals: list[JsonValue] = ["a longer text that was worked out", 7, -1.5, ["x", "y"], True]
    yield from proposals


@st.composite
def ranges(draw: st.DrawFn, low: int, high: int) -> tuple[int, int]:
    first, second = draw(st.integers(low, high)), draw(st.integers(low, high))
    return min(first, second), max(first, second)


@st.composite
def texts(draw: st.DrawFn) -> Node:
    if draw(st.booleans()):
        return {"type": "string", "pattern": draw(st.sampled_from(PATTERNS))}
    least, most = draw(ranges(0, 40))
    return {"type": "string", "minLength": least, "maxLength": most}


@st.composite
def numbers(draw: st.DrawFn) -> Node:
    least, most = draw(ranges(-50, 50))
    node: Node = {"type": draw(st.sampled_from(["integer", "number"])), "minimum": least}
    match draw(st.integers(0, 3)):
        case 0:
            node["maximum"] = most
        case 1:
            node |= {"exclusiveMinimum": least, "exclusiveMaximum": most + 2}
        case 2:
            node["multipleOf"] = draw(st.sampled_from([1, 2, 7, 0.5]))
        case _:
            node |= {"multipleOf": 3, "maximum": least + 3}
    return node


ODD: list[Node] = [
    *({"type": "boolean"}, {"type": "null"}, {}, {"type": ["integer", "null"]}, {"const": 3.5}),
]
VALUES: list[JsonValue] = ["a", 1, None, True, 2.5]


@st.composite
def plain(draw: st.DrawFn) -> Node:
    match draw(st.integers(0, 3)):
        case 0:
            return draw(texts())
        case 1:
            return draw(numbers())
        case 2:
            return draw(st.sampled_from(ODD))
        case _:
            return {"enum": draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=3))}


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Node]) -> Node:
    properties = draw(st.dictionaries(NAMES, inner, max_size=3))
    required = [name for name in properties if draw(st.booleans())]
    node: Node = {"type": "object", "properties": {**properties}, "required": [*required]}
    match draw(st.integers(0, 3)):
        case 0:
            node["additionalProperties"] = False
        case 1:
            node["additionalProperties"] = draw(inner)
            node["required"] = [*required, "more"]
        case 2:
            node["minProperties"] = draw(st.integers(0, 4))
        case _:
            pass
    return node


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Node]) -> Node:
    least, most = draw(ranges(0, 4))
    node: Node = {"type": "array", "items": draw(inner), "minItems": least, "maxItems": most}
    if draw(st.booleans()):
        node["prefixItems"] = [draw(inner)]
    if draw(st.booleans()):
        node["items"] = {"type": draw(st.sampled_from(["string", "integer"]))}
        node["uniqueItems"] = True
        node.pop("prefixItems", None)
    return node


@st.composite
def choices(draw: st.DrawFn, inner: st.SearchStrategy[Node]) -> Node:
    branches = [draw(inner) for _ in range(draw(st.integers(1, 3)))]
    tagged: list[JsonValue] = [
        {"type": "object", "properties": {"kind": {"const": n}, "v": one}, "required": ["kind"]}
        for n, one in enumerate(branches)
    ]
    match draw(st.integers(0, 2)):
        case 0:
            return {"anyOf": [*branches]}
        case 1:
            return {"oneOf": tagged}
        case _:
            return {"allOf": [tagged[0], {"properties": {"w": branches[-1]}, "required": ["w"]}]}


NODES: st.SearchStrategy[Node] = st.recursive(
    plain(), lambda inner: st.one_of(objects(inner), arrays(inner), choices(inner)), max_leaves=8
)


@given(st.dictionaries(NAMES, NODES, max_size=4), st.sampled_from([nothing, some]), st.data())
def test_a_value_fits_by_the_library_that_decides(
    properties: dict[str, Node], knows: Knows, data: st.DataObject
) -> None:
    schema: Node = {"type": "object", "properties": {**properties}, "required": [*properties]}
    if data.draw(st.booleans(), "by reference"):
        refers: Node = {name: {"$ref": f"#/$defs/d{n}"} for n, name in enumerate(properties)}
        schema["$defs"] = {f"d{n}": node for n, node in enumerate(properties.values())}
        schema["properties"] = refers
    value = fill(schema, knows)
    assert Schema(schema).problems(value) == ()


@given(NODES, st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-60, 60), st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=6,
))  # fmt: skip
def test_its_rules_say_the_same_as_the_library(node: Node, value: JsonValue) -> None:
    # Some patterns are not tried, since some take for ever.
    assume(all(is_plain(pattern) for pattern in PATTERNS if pattern in str(node)))
    assert Rules(node).fits(node, value) == (Schema(node).problems(value) == ())


@pytest.mark.parametrize("pattern", PATTERNS)
def test_an_example_of_a_pattern(pattern: str) -> None:
    for more in range(3):
        assert re.search(pattern, example(pattern, more))


@given(st.text(alphabet=r"ab(|)[]^$*+?{}1,2\d.-:<>P=!", max_size=12))
def test_any_pattern_has_an_example_or_is_unknown(pattern: str) -> None:
    try:
        made = example(pattern)
    except Unknown:
        assert not is_plain(pattern)
        return
    # An anchor in the middle, or a lazy end, can make it impossible; else it matches.
    if is_plain(pattern) and not re.search(r"[$^\\]", pattern):
        assert re.search(pattern, made)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(.*)(.*)(.*)(.*)x",
        "(?=a)b",
        r"(a)\1",
        "a{1,99}{1,99}",
        "[",
        "a" * 9999,
    ],
)
def test_a_pattern_that_could_take_for_ever_is_never_tried(pattern: str) -> None:
    assert not is_plain(pattern)
    schema: Node = {"type": "string", "pattern": pattern}
    hostile = "a" * 5_000 + "!"
    begun = time.process_time()
    with suppress(Unfillable):
        fill(schema, lambda _place, _node: iter([hostile]))
    assert not Rules(schema).fits(schema, hostile)
    assert time.process_time() - begun < 0.5


def _laughs(depth: int) -> Node:
    """Each part twice what the one before it is."""
    parts: Node = {
        f"d{n}": {"type": "array", "minItems": 2, "items": {"$ref": f"#/$defs/d{n + 1}"}}
        for n in range(depth)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**parts, f"d{depth}": {"type": "integer"}}}


def _nested(depth: int) -> Node:
    node: Node = {"type": "integer"}
    for _ in range(depth):
        node = {"type": "object", "properties": {"x": node}, "required": ["x"]}
    return node


ENDLESS: dict[str, Node] = {
    "itself": {"$ref": "#"},
    "in a circle": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
    "needs itself": {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#"}}},
    "all of itself": {"allOf": [{"$ref": "#"}]},
    "any of itself": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
    "laughs": _laughs(40),
    "deep": _nested(400),
    "long": {"type": "array", "minItems": 10**12, "items": {"type": "integer"}},
    "wide": {"type": "string", "minLength": 10**12},
    "many": {"type": "object", "minProperties": 10**12},
    "impossible": {"type": "integer", "minimum": 3, "maximum": 2},
    "nothing": {"not": {}},
    "huge": {"type": "number", "minimum": 1e308, "multipleOf": 1e-300},
    "odd": {"type": 5, "required": "x", "properties": [], "enum": {}, "minItems": "x", "$ref": 7},
}


@pytest.mark.parametrize("name", ENDLESS)
def test_no_schema_is_too_much(name: str) -> None:
    begun = time.process_time()
    try:
        value = fill(ENDLESS[name], some)
    except Unfillable:
        value = None
    assert time.process_time() - begun < 1.5
    assert len(str(value)) < 1_000_000


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"tree": {"$ref": "#/$defs/t"}}, "$defs": {
            "t": {"type": "object", "properties": {"left": {"$ref": "#/$defs/t"}}}}},
        {"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}},
        {"if": {"properties": {"k": {"const": 1}}, "required": ["k"]},
         "then": {"required": ["x"]}, "type": "object", "properties": {"k": {"const": 1}}},
        {"type": "object", "properties": {"a": True}, "required": ["a", "b"]},
        {"type": "object", "dependentRequired": {"a": ["b"]},
         "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
        {"not": {"type": "object"}},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"type": "object", "propertyNames": {"maxLength": 3}, "required": ["abc"]},
        {"type": "string", "format": "date-time"},
        {"type": "string", "pattern": "^[a-z]+$", "minLength": 12},
        {"type": "array", "uniqueItems": True, "minItems": 2, "items": {"type": "boolean"}},
        {"type": "array", "uniqueItems": True, "minItems": 30, "items": {
            "type": "string", "maxLength": 3}},
        {"type": "object", "properties": {"a": False}},
        {"allOf": [{"type": "integer", "minimum": 3}, {"type": "number", "maximum": 4}]},
    ],
)  # fmt: skip
def test_rarer_schemas(schema: Node) -> None:
    for knows in (nothing, some):
        assert Schema(schema).problems(fill(schema, knows)) == ()


def test_the_library_refuses_what_refers_to_nothing() -> None:
    """So nobody comes here with it."""
    with pytest.raises(UsageError):
        Schema({"$ref": "#/$defs/none"})

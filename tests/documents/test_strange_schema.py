"""Schemas of strangers: they say what others say, and take no longer than they may."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core import effort
from whet.core.errors import UsageError
from whet.documents.schema import Schema
from whet.documents.strange_schema import StrangeSchema

NAMES = st.sampled_from(["a", "b", "x-1", "x-2", "other"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "ab", "12", "b1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
PARTS: list[dict[str, Any]] = [
    {"type": "string", "pattern": "^[a-z]+$"},
    {"type": ["integer", "null"], "minimum": 0},
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    {"enum": ["a", 1, None]},
    {"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]},
]
SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(NAMES, st.sampled_from(PARTS), max_size=2),
        "patternProperties": st.fixed_dictionaries({"^x-[0-9]$": st.sampled_from(PARTS)}),
        "additionalProperties": st.booleans() | st.sampled_from(PARTS),
        "required": st.lists(NAMES, unique=True, max_size=2),
        "propertyNames": st.just({"pattern": "^[a-z0-9-]+$"}),
    },
)


@given(SCHEMAS, VALUES)
def test_what_fits_is_the_same(source: dict[str, JsonValue], value: JsonValue) -> None:
    assert bool(StrangeSchema(source).problems(value)) == bool(Schema(source).problems(value))


def chain(links: int = 60) -> dict[str, Any]:
    """Each part refers to the next one twice, so there are 2 to the power of *links* ways."""
    defs: dict[str, Any] = {
        f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
        for n in range(links)
    }
    defs[f"d{links}"] = {"type": ["string", "null"]}
    return defs


def test_a_schema_that_takes_for_ever_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "MOST_SECONDS", 0.1)
    begun = time.thread_time()
    with pytest.raises(UsageError, match="takes too long"):
        StrangeSchema({"$ref": "#/$defs/d0", "$defs": chain()})
    assert time.thread_time() - begun < 2


def test_a_value_that_takes_for_ever_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "MOST_SECONDS", 0.1)
    inside: dict[str, JsonValue] = {"x": {"$ref": "#/$defs/d0"}}
    schema = StrangeSchema({"type": "object", "properties": inside, "$defs": chain()})
    begun = time.thread_time()
    assert "takes too long" in schema.problems({"x": "a"})[0]
    assert time.thread_time() - begun < 2
    assert schema.problems({"y": "a"}) == ()


@pytest.mark.parametrize(
    "source",
    [
        {"type": "object", "properties": {"x": {"pattern": "^(a+)+$"}}},
        {"type": "object", "patternProperties": {"^(a|a)*$": {}}, "additionalProperties": False},
    ],
)
def test_no_expression_takes_for_ever(source: dict[str, JsonValue]) -> None:
    long = "a" * 2_000 + "!"
    begun = time.thread_time()
    assert StrangeSchema(source).problems({"x": long, long: 1})
    assert time.thread_time() - begun < 2


@pytest.mark.parametrize(
    "source",
    [
        {"properties": {"x": {"pattern": "(?=a)b"}}},
        {"patternProperties": {r"(a)\1": {}}},
        {"patternProperties": {"a": {}}, "unevaluatedProperties": False},
        {"$ref": "https://example.org/schema.json"},
    ],
)
def test_what_cannot_be_bounded_is_refused(source: dict[str, JsonValue]) -> None:
    with pytest.raises(UsageError):
        StrangeSchema(source)

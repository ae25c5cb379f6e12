"""The JSON value that an answer is meant to be, out of whatever a model wraps around it."""

import json
import socket
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.documents.schema import MOST_PROBLEMS, Schema
from whet.run.extract import DEEPEST, MOST_CHARACTERS, extract

POINT = Schema(
    {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "note": {"type": "string"}},
        "required": ["x"],
        "additionalProperties": False,
    }
)
ANYTHING = Schema({})


@pytest.mark.parametrize(
    "text",
    [
        '{"x": 3}',
        '\ufeff  {"x": 3}\n',
        'Sure! Here it is: {"x": 3}. Anything else?',
        '```json\n{"x": 3}\n```',
        'Here:\n~~~~\n{\n "x":\n 3}\n~~~~\nDone.',
        '```json\n{"x": 3}```',
        '```\n{"x": 3}',
        '"{\\"x\\": 3}"',
        '```\n"{\\"x\\": 3}"\n```',
        'As [1] says in {braces}, with f(x) = [a, b): {"x": 3}',
        '[Note: {"x": 3} is the answer]',
        'Not {"y": 1} but {"x": 3}',
        '{"x": "three"} was wrong, {"x": 3} is right',
        'First {"x": 1}, then {"x": 2}, at last {"x": 3}',
        '```\n{"x": 1}\n```\nNo, better:\n```\n{"x": 3}\n```',
        'In prose {"x": 1}\n```\n{"x": 3}\n```\nand again {"x": 2}',
        'It opens with { and {"x": 3} closes',
    ],
)
def test_the_value_is_found(text: str) -> None:
    assert extract(text, POINT).value == {"x": 3}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the answer is empty"),
        ("I would rather not.", "there is no JSON value in the answer"),
        ('{"x": 3,}', "it is not JSON: "),
        ('{"x": 3 // three\n}', "it is not JSON: "),
        ("{x: 3}", "it is not JSON: "),
        ("{'x': 3}", "it is not JSON: "),
        ('{"x": 3', "it is not JSON: "),
        ('{"x": NaN}', "NaN is no JSON number"),
        ('{"x": -Infinity}', "-Infinity is no JSON number"),
        ('{"x": 1e999}', "1e999 is too large a number"),
        ('{"x": ' + "9" * 5000 + "}", "a number is too long"),
        ('{"x": 1, "x": 3}', "the name 'x' is there twice"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), f"more than {DEEPEST} levels"),
    ],
)
def test_what_is_no_json_is_no_value(text: str, why: str) -> None:
    found = extract(text, POINT)
    assert not found.is_json
    assert why in found.problems[0]


@pytest.mark.parametrize(
    "text",
    [
        '{"points": [{"x": 1}, {"x": 2},]}',
        '{"points": [{"x": 1},, {"x": 2}]}',
        '{"points": [{"x": 1}, {"x": 2}',
        '{points: [{"x": 1}]}',
        '[{"x": 1}, {"x": 2}',
        'Look: {"a": {"x": 1}, "a": {"x": 2}} there',
    ],
)
def test_a_part_of_something_broken_is_not_taken_for_the_whole(text: str) -> None:
    assert extract(text, POINT).problems


def test_nor_a_part_of_something_whole_that_does_not_fit() -> None:
    found = extract('{"answer": {"x": 3}}', POINT)
    assert found.is_json
    assert any("'x' is a required property" in problem for problem in found.problems)


def test_what_is_wrong_is_told_place_by_place() -> None:
    schema = Schema(
        {
            "properties": {
                "items": {"items": {"properties": {"n": {"type": "integer", "minimum": 0}}}},
                "kind": {"anyOf": [{"type": "null"}, {"properties": {"a": {"const": 1}}}]},
            }
        }
    )
    text = '{"items": [{"n": 1}, {"n": -1}, {"n": "x"}], "kind": {"a": 2}}'
    assert set(extract(text, schema).problems) == {
        "$.items[1].n: -1 is less than the minimum of 0",
        "$.items[2].n: 'x' is not of type 'integer'",
        "$.kind.a: 1 was expected",
    }


@pytest.mark.slow
def test_many_items_that_must_differ_take_no_time() -> None:
    schema = Schema({"items": {"type": "object"}, "uniqueItems": True})
    items: list[JsonValue] = [{"a": [number, True]} for number in range(20_000)]
    started = time.process_time()
    assert extract(json.dumps(items), schema).problems == ()
    twice = json.dumps([*items, {"a": [7.0, True]}])
    assert extract(twice, schema).problems == ("$: an item is there twice",)
    assert extract('[{"a": 1}, {"a": true}]', schema).problems == ()
    assert time.process_time() - started < 20


def test_many_and_long_problems_are_cut() -> None:
    schema = Schema({"items": {"type": "integer"}})
    problems = extract(json.dumps(["y" * 10_000] * 50), schema).problems
    assert len(problems) == MOST_PROBLEMS
    assert all(len(problem) < 400 for problem in problems)


@pytest.mark.parametrize("value", [None, False, 0, "", "text", [], {}])
def test_any_kind_of_value_will_do(value: JsonValue) -> None:
    found = extract(json.dumps(value), ANYTHING)
    assert (found.value, found.problems) == (value, ())


HOSTILE = {
    "brackets": "[" * 3_000_000,
    "objects": '{"a":' * 500_000,
    "pairs after brackets": "[" * 99 + "[]" * 400_000,
    "quotes": '{"' * 500_000,
    "half arrays": '{"a":[1,' * 200_000,
    "empty objects": "{}" * 500_000,
    "careless objects": "{a:" * 300_000,
    "backslashes": '{"' + "\\" * 900_000,
    "escaped quotes": '{"' + '\\"' * 450_000,
    "names twice": '{"a":1,"a":2}' * 70_000,
    "fences": "".join("`" * n + "\n" for n in range(3, 1300)),
    "one long string": '"' + "x" * 5_000_000 + '"',
    "many names": "{" + ",".join(f'"{n}":1' for n in range(90_000)) + ',"1":2}',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_costs_little(name: str) -> None:
    started = time.process_time()
    assert extract(HOSTILE[name], POINT).problems
    assert time.process_time() - started < 20


def test_of_a_very_long_answer_the_end_counts() -> None:
    assert extract("x" * 3 * MOST_CHARACTERS + '{"x": 3}', POINT).value == {"x": 3}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "nonsense"}, r"schema: \$\.type: "),
        ({"title": "A point", "required": "x"}, r"schema 'A point': \$\.required: "),
        ({"pattern": "["}, r"\$\.pattern: "),
        ({"$ref": "https://127.0.0.1/schema.json"}, "is not in it"),
        ({"properties": {"a": {"$ref": "other.json#/a"}}}, "is not in it"),
        ({"$ref": "#/$defs/gone"}, "'#/\\$defs/gone' is not in it"),
        ({"$ref": "#"}, "without end"),
    ],
)
def test_a_bad_schema_is_the_callers_mistake(schema: dict[str, JsonValue], said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        Schema(schema)
    assert len(str(caught.value).splitlines()) == 1


def test_a_schema_nested_too_deeply_is_one_too() -> None:
    schema: dict[str, JsonValue] = {}
    for _ in range(3000):
        schema = {"items": schema}
    with pytest.raises(UsageError, match="nested too deeply"):
        Schema(schema)


def test_references_inside_a_schema_work() -> None:
    tree = Schema(
        {
            "$id": "https://127.0.0.1/tree",
            "$ref": "#/$defs/node",
            "$defs": {
                "node": {
                    "type": "object",
                    "properties": {"below": {"items": {"$ref": "tree#/$defs/node"}}},
                    "required": ["below"],
                }
            },
            "examples": [{"$ref": "https://example.com/only-data"}],
        }
    )
    assert extract('{"below": [{"below": []}]}', tree).value == {"below": [{"below": []}]}
    assert extract('{"below": [{}]}', tree).problems


def test_nothing_is_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        with pytest.raises(UsageError, match="is not in it"):
            Schema({"$ref": f"http://127.0.0.1:{listener.getsockname()[1]}/schema.json"})
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_value_deeper_than_the_validator_goes_is_a_problem_and_no_crash() -> None:
    tree = Schema({"$ref": "#/$defs/n", "$defs": {"n": {"items": {"$ref": "#/$defs/n"}}}})
    text = "[" * DEEPEST + "]" * DEEPEST
    found = extract(text, tree)
    assert found.value is not None or "nested too deeply" in found.problems[0]


# ------------------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=6), VALUES, max_size=4)
PROSE = st.text(st.characters(codec="utf-8", exclude_characters="{}[]`~\r\v\f"), max_size=40)
INDENTS = st.sampled_from([None, 0, 2])


def schema_of(value: JsonValue) -> dict[str, JsonValue]:
    """A schema that the value fits, and few others do."""
    match value:
        case dict():
            return {
                "type": "object",
                "properties": {name: schema_of(item) for name, item in value.items()},
                "required": list(value),
                "additionalProperties": False,
            }
        case list():
            return (
                {
                    "type": "array",
                    "prefixItems": [schema_of(item) for item in value],
                    "minItems": len(value),
                    "maxItems": len(value),
                }
                if value
                else {"type": "array", "maxItems": 0}
            )
        case _:
            return {"const": value}


def same(one: JsonValue, other: JsonValue) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(CONTAINERS, PROSE, PROSE, INDENTS)
def test_any_object_or_array_is_found_in_any_prose(
    value: JsonValue, before: str, after: str, indent: int | None
) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    found = extract(f"{before} {written} {after}", Schema(schema_of(value)))
    assert found.problems == ()
    assert same(found.value, value)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(VALUES, PROSE, PROSE, INDENTS, st.sampled_from(["```", "````", "~~~"]))
def test_any_value_is_found_between_fences(
    value: JsonValue, before: str, after: str, indent: int | None, fence: str
) -> None:
    written = json.dumps(value, indent=indent)
    text = f"{before}\n{fence}json\n{written}\n{fence}\n{after}"
    found = extract(text, Schema(schema_of(value)))
    assert found.problems == ()
    assert same(found.value, value)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_any_value_is_found_alone_and_inside_a_string(value: JsonValue) -> None:
    schema = Schema(schema_of(value))
    for text in written(value):
        found = extract(text, schema)
        assert found.problems == ()
        assert same(found.value, value)


def written(value: JsonValue) -> Iterator[str]:
    yield json.dumps(value)
    yield f"\n {json.dumps(value, indent=1)}\n"
    yield json.dumps(json.dumps(value))


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('{}[]":,\\`~\n 1etrufalsn/*'), max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    found = extract(text, ANYTHING)
    assert found.problems or json.dumps(found.value, allow_nan=False)

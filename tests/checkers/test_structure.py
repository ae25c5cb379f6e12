"""Checks of JSON."""

import subprocess
import sys

import pytest
from pydantic import JsonValue

from tests.checkers.subjects import check, left, mistakes, said

SHAPE: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"count": {"type": "integer", "minimum": 1}},
    "required": ["count"],
}


@pytest.mark.parametrize(
    ("answer", "good"),
    [
        ('{"count": 3}', True),
        ('<think>{}</think>{"count": 3}', True),
        ('Here:\n```json\n{"count": 3}\n```\n', True),
        ('{"count": "```a```"}', False),
        ('{"count": 0}', False),
        ("{}", False),
        ("count: 3", False),
        ('{"count": NaN}', False),
        ("[" * 100_000, False),
        ('{"count": ' + "[" * 500 + "]" * 500 + "}", False),
    ],
)
def test_the_answer_fits(answer: str, good: bool) -> None:  # noqa: FBT001
    assert check(said(answer), "json_schema", expected={"schema": SHAPE}).passed is good


def test_what_does_not_fit_is_told() -> None:
    result = check(said('{"count": 0}'), "json_schema", expected={"schema": SHAPE})
    assert result.evidence == "$.count: 0 is less than the minimum of 1"


@pytest.mark.parametrize("data", [b'{"count": 3}', b'\xef\xbb\xbf{"count": 3}'])
def test_a_file_fits(data: bytes) -> None:
    wanted: JsonValue = {"path": "out/a.json", "schema": SHAPE}
    assert check(left({"out/a.json": data}), "json_schema", expected=wanted).passed
    lost = check(left({"a.json": data}), "json_schema", expected=wanted)
    assert (lost.outcome, lost.evidence) == ("failed", "No file is at out/a.json")


@pytest.mark.slow
def test_a_schema_that_may_take_long_has_the_same_verdicts() -> None:
    tree: JsonValue = {
        "$defs": {"node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}}}},
        "$ref": "#/$defs/node",
    }
    assert check(said('{"child": {"child": {}}}'), "json_schema", expected={"schema": tree}).passed
    bad = check(said('{"child": {"child": 3}}'), "json_schema", expected={"schema": tree})
    assert (bad.outcome, bad.evidence) == ("failed", "$.child.child: 3 is not of type 'object'")


def test_json_contains() -> None:
    wanted: JsonValue = {"path": "r.json", "required": {"status": "ok", "count": 3}}
    assert check(
        left({"r.json": '{"status":"ok","count":3.0,"x":1}'}), "json_contains", expected=wanted
    ).passed
    assert not check(left({"r.json": '{"status":"ok"}'}), "json_contains", expected=wanted).passed
    assert not check(left({"r.json": "{"}), "json_contains", expected=wanted).passed
    assert not check(said('{"a": NaN}'), "json_contains", expected={"required": {}}).passed
    assert check(said('{"a": [1, 2]}'), "json_contains", expected={"required": {"a": [1]}}).passed


@pytest.mark.parametrize(
    ("expected", "part"),
    [
        ({}, "schema is missing"),
        ({"schema": {"type": "strange"}}, "no JSON Schema"),
        ({"schema": {"$ref": "https://example.invalid/x"}}, "not in it"),
        ({"schema": {"$ref": "#/$defs/gone"}}, "not in it"),
        ({"schema": {"pattern": "("}}, "no JSON Schema"),
        ({"schema": [1]}, "must be an object"),
        ({"schema": {}, "path": "/etc/passwd"}, "relative path"),
        ("x", "must be an object"),
    ],
)
def test_mistakes(expected: JsonValue, part: str) -> None:
    found = mistakes("json_schema", expected=expected)
    assert len(found) == 1
    assert part in found[0]


def test_the_schema_library_is_loaded_only_where_there_is_a_schema() -> None:
    code = "import sys, whet.checkers.structure; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

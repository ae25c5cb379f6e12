"""The schemas of a package: where they lie, and what they may say."""

import json
from typing import Any

import pytest

from tests.curate.runner.making import changed, contract, encoded, files, mistakes
from whet.curate.runner.schemas import MOST_BYTES, MOST_PARTS

USUAL = "assets/{}.schema.json"


def inputs(**properties: Any) -> dict[str, bytes]:
    return changed(input={"properties": properties})


def outputs(**properties: Any) -> dict[str, bytes]:
    return changed(output={"properties": properties})


@pytest.mark.parametrize("declared", [None, {}, {"input": None, "parameter": None, "output": None}])
def test_what_is_not_declared_lies_at_its_usual_place(declared: dict[str, None] | None) -> None:
    found = contract(changed({"schemas": declared}))
    assert found == contract(files())
    assert found.input is not None
    assert found.parameter is not None
    assert found == contract(changed(without=("schemas",)))


def test_input_and_parameter_need_not_be_there() -> None:
    found = contract(changed(without=("schemas",), input=None, parameter=None))
    assert (found.input, found.parameter) == (None, None)
    assert (found.file_inputs, found.required_files, found.inline_inputs) == ((), (), ())
    assert (found.inline_schema, found.schema("input"), found.schema("inline")) == (None,) * 3


def test_the_output_has_to_be_there() -> None:
    assert mistakes(changed(without=("schemas",), output=None)) == (
        "schemas.output: there is none; write it, and save it as assets/output.schema.json",
    )


def test_a_schema_may_lie_anywhere_in_the_package() -> None:
    content = changed({"schemas": {"output": "deep/down/out.json"}}, output=None)
    content["deep/down/out.json"] = encoded({"type": "object", "title": "Mine"})
    found = contract(content).output
    assert found is not None
    assert found["title"] == "Mine"


@pytest.mark.parametrize("key", ["input", "parameter", "output"])
@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../out.json", "assets/../../x", "./assets/x.json", "assets\\x.json", "."],
)
def test_a_path_that_is_no_clean_one_is_refused(key: str, path: str) -> None:
    """The file at the usual place is there, and does not stand in for it."""
    [problem] = mistakes(changed({"schemas": {key: path}}))
    assert problem.startswith(f"schemas.{key}: ")
    assert f"give one from its top, {USUAL.format(key)} say" in problem


@pytest.mark.parametrize("key", ["input", "parameter", "output"])
def test_a_declared_schema_that_is_missing_is_not_replaced(key: str) -> None:
    assert mistakes(changed({"schemas": {key: "gone.json"}})) == (
        f"schemas.{key}: the package has no file 'gone.json'; add it, or take this line out",
    )


@pytest.mark.parametrize("key", ["input", "parameter", "output"])
@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (b'{"type": "object",\n "x": }', "line 2, column 7: broken JSON: expected value"),
        (b"\xff\xfe", "broken JSON"),
        (b"[]", "must be an object"),
        (b"{}", "type: is required but missing"),
        (b'{"type": "array"}', 'type: must be object, found "array"'),
        (b'{"type": ["object"]}', "type: must be object, found a list"),
        (b'{"type": "object", "minProperties": "x"}', "schema: $.minProperties: 'x' is not"),
        (b'{"type": "object", "$ref": "#/$defs/gone"}', "put what it refers to into $defs"),
        (b'{"type": "object", "$ref": "https://example.invalid/x"}', "is not in it"),
        (b'{"type": "object", "$ref": "other.json"}', "is not in it"),
        (b" " * (MOST_BYTES + 1), "is larger than 256 KB"),
        (
            json.dumps({"type": "object", "allOf": [{}] * MOST_PARTS}).encode(),
            "has more than 5,000 objects in it",
        ),
    ],
)
def test_a_schema_that_is_none_is_refused(key: str, schema: bytes, says: str) -> None:
    path = USUAL.format(key)
    problems = mistakes({**files(), path: schema})
    assert len(problems) == 1, problems
    assert problems[0].startswith(f"{path}: ")
    assert says in problems[0]


def test_older_drafts_are_read_too() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"word": {"type": "string"}},
        "properties": {"answer": {"$ref": "#/definitions/word"}},
    }
    output = contract(changed(output=schema)).schema("output")
    assert output is not None
    assert output.problems({"answer": 3})
    assert not output.problems({"answer": "yes"})


def test_an_input_is_a_file_unless_it_says_otherwise() -> None:
    found = contract(
        changed(
            input={
                "properties": {
                    "a": {},
                    "b": {"x-input-source": "inline"},
                    "c": {"x-input-source": "file", "extensions": [".pdf"]},
                },
                "required": ["c", "b"],
            }
        )
    )
    assert (found.file_inputs, found.required_files) == (("a", "c"), ("c",))
    assert found.inline_inputs == ("b",)


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ({"title": "T"}, True),
        ({"title": ""}, False),
        ({}, False),
        ({"title": "T", "more": 1}, False),
        ({"title": "T", "document": "/etc/passwd"}, False),
        ({"document": "x"}, False),
    ],
)
def test_what_a_request_may_give(given: dict[str, Any], *, fits: bool) -> None:
    inline = contract(files()).schema("inline")
    assert inline is not None
    assert (not inline.problems(given)) == fits


def test_a_value_may_be_like_a_file_input() -> None:
    content = inputs(
        one={"type": "string", "maxLength": 2},
        two={"$ref": "#/properties/one", "x-input-source": "inline"},
        three={"$ref": "#/$defs/n", "x-input-source": "inline"},
    )
    schema = json.loads(content["assets/input.schema.json"])
    schema["$defs"] = {"n": {"type": "integer"}}
    inline = contract({**content, "assets/input.schema.json": encoded(schema)}).schema("inline")
    assert inline is not None
    assert not inline.problems({"two": "ab", "three": 3})
    assert len(inline.problems({"two": "abc", "three": "x"})) == 2


def test_a_schema_is_made_ready_once() -> None:
    found = contract(files())
    for key in ("input", "inline", "parameter", "output"):
        assert found.schema(key) is not None
        assert found.schema(key) is found.schema(key)


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"a": {"x-input-source": "web"}}, "properties.a.x-input-source: must be file or inline"),
        ({"a": {"extensions": ".pdf"}}, "properties.a.extensions: must be a list"),
        ({"a": {"extensions": [3]}}, "properties.a.extensions[0]: must be a string"),
        ({"a": True}, "properties.a: must be an object"),
        ({"a/b": {}}, "properties.a/b: an uploaded file cannot have a / in its name; rename it"),
        ({"..": {}}, "properties...: path leaves its folder"),
        ({"": {}}, "properties.: path is empty; rename it"),
        ({"a\x00b": {}}, "cannot be printed; rename it"),
        ({"x" * 300: {}}, "is no file name on some systems; rename it"),
        ({"con": {}}, "is no file name on some systems; rename it"),
        ({"a\\b": {}}, "not a relative path"),
        ({"Doc": {}, "doc": {}}, "properties: 'doc': 2 files have this name"),
    ],
)
def test_inputs_that_cannot_be(properties: dict[str, Any], says: str) -> None:
    problems = mistakes(inputs(**properties))
    assert len(problems) == 1, problems
    assert problems[0].startswith("assets/input.schema.json: ")
    assert says in problems[0]


def test_a_value_may_have_any_name() -> None:
    found = contract(inputs(**{"a/b": {"x-input-source": "inline"}}))
    assert found.inline_inputs == ("a/b",)


def test_what_is_required_must_be_declared() -> None:
    assert mistakes(changed(input={"properties": {"a": {}}, "required": ["a", "b"]})) == (
        "assets/input.schema.json: required: 'b' is no property; declare it, or take it out",
    )


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"x-type": "folder"}, "x-type: must be artifact, artifact-manifest or file"),
        ({"x-type": "file", "x-role": ""}, "x-role: must not be empty"),
        ({"x-type": "file", "x-role": 3}, "x-role: must be a string"),
        ({"x-type": "file", "x-filename": ""}, "x-filename: must not be empty"),
        ({"x-type": "file", "x-filename": "/etc/x"}, "x-filename: '/etc/x' is no clean path"),
        ({"x-type": "file", "x-filename": "../x"}, "x-filename: '../x' is no clean path"),
        ({"x-type": "file", "x-filename": "a//b"}, "x-filename: 'a//b' is no clean path"),
    ],
)
def test_outputs_that_cannot_be(source: dict[str, Any], says: str) -> None:
    problems = mistakes(outputs(report=source))
    assert len(problems) == 1, problems
    assert problems[0].startswith("assets/output.schema.json: properties.report.")
    assert says in problems[0]

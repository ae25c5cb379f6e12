"""The contract of a package as a whole."""

import json
from typing import Any

import pytest

from tests.curate.runner.making import (
    ENGINES,
    RUNNER,
    changed,
    contract,
    encoded,
    files,
    mistakes,
)
from whet.core.errors import InvalidSkill
from whet.curate.manifest import ArtifactRule, job_package


def test_the_example_keeps_its_contract() -> None:
    found = contract(files(), "text-report")
    assert (found.id, found.name, found.version) == ("text-report", "Text report", "1.0.0")
    assert found.modes == ("auto", "interactive")
    assert found.engines == ENGINES
    assert (found.file_inputs, found.required_files) == (("document",), ("document",))
    assert found.inline_inputs == ("title",)
    assert found.artifacts == (ArtifactRule("report.md", "output", required=True, field="report"),)
    assert not found.is_plain
    parameter, output = found.schema("parameter"), found.schema("output")
    assert parameter is not None
    assert output is not None
    assert [bool(parameter.problems({"max_words": n})) for n in (1, 0, "x")] == [False, True, True]
    assert not output.problems({"report": "artifacts/report.md", "words": 3})
    assert output.problems({"report": "artifacts/report.md"})


@pytest.mark.parametrize(
    "content",
    [
        {"content.txt": b"---\ndescription: Adds.\n---\nAdd."},
        {"SKILL.md": b"---\nname: other\ndescription: Adds.\n---\nAdd."},
        {
            "SKILL.md": b"---\ndescription: Adds.\n---\n",
            "assets/input.schema.json": b"not meant for us",
            "deep/runner.json": b"{}",
        },
    ],
)
def test_a_skill_without_runner_json_is_plain(content: dict[str, bytes]) -> None:
    found = job_package(content, "adder", {"codex", "claude"})
    assert found.is_plain
    assert (found.id, found.name, found.description, found.version) == (
        "adder",
        None,
        "Adds.",
        None,
    )
    assert (found.modes, found.engines) == (("auto", "interactive"), ("claude", "codex"))
    assert (found.input, found.parameter, found.output) == (None, None, None)
    assert (found.prompts, found.artifacts, found.default_options) == ({}, (), {})


def test_runner_json_may_lie_at_the_top() -> None:
    content = files()
    content["runner.json"] = content.pop(RUNNER)
    assert contract(content) == contract(files())
    with pytest.raises(InvalidSkill, match=r"has both assets/runner.json and runner.json; keep"):
        contract({**content, **files()})


def test_everything_that_runner_json_may_say() -> None:
    found = contract(
        changed(
            {
                "execution_modes": ["interactive"],
                "max_attempt": 3,
                "entrypoint": {"prompts": {"common": "Do {{ input }}", "codex": "Go"}, "x": 1},
                "runtime": {"default_options": {"no_cache": True}, "dependencies": ["lxml"]},
                "mcp": {"required_servers": ["files"]},
                "engine_configs": {"codex": "assets/codex.toml"},
                "of_tomorrow": [{}],
            },
            without=("description", "name"),
        )
    )
    assert (found.modes, found.max_attempt) == (("interactive",), 3)
    assert found.prompts == {"common": "Do {{ input }}", "codex": "Go"}
    assert found.default_options == {"no_cache": True}
    assert found.name is None
    assert (found.description or "").startswith("Turn a text document into a short report")


@pytest.mark.parametrize(
    ("runner", "says"),
    [
        ({"id": ""}, "id: must not be empty"),
        ({"id": 3}, "id: must be a string, found 3"),
        ({"execution_modes": []}, "execution_modes: must have at least 1, has 0"),
        ({"execution_modes": ["auto", "auto"]}, "execution_modes: 'auto' is there 2 times; name"),
        ({"execution_modes": ["batch"]}, "execution_modes[0]: must be auto or interactive, found"),
        ({"execution_modes": "auto"}, 'execution_modes: must be a list, found "auto"'),
        ({"version": "first"}, "version: 'first' is no version; write one such as 1.0.0"),
        ({"version": 1}, "version: must be a string, found 1"),
        ({"schemas": []}, "schemas: must be an object, found a list"),
        ({"schemas": {"input": 3}}, "schemas.input: must be a string, found 3"),
        ({"entrypoint": {"prompts": {"common": 3}}}, "entrypoint.prompts.common: must be a string"),
        ({"entrypoint": {"prompts": ["x"]}}, "entrypoint.prompts: must be an object"),
        ({"runtime": {"default_options": 3}}, "runtime.default_options: must be an object"),
        ({"max_attempt": 0}, "max_attempt: must be 1 or more, found 0"),
        ({"id": "text report/1"}, "id: 'text report/1' has a path separator in it; it becomes"),
        ({"id": "other"}, "id: 'other' is called 'text-report' in SKILL.md; make them the same"),
    ],
)
def test_what_cannot_be(runner: dict[str, Any], says: str) -> None:
    assert any(one.startswith(says) for one in mistakes(changed(runner))), mistakes(changed(runner))


@pytest.mark.parametrize("field", ["id", "execution_modes"])
def test_what_must_be_there(field: str) -> None:
    assert mistakes(changed(without=(field,))) == (f"{field}: is required but missing",)


def test_the_place_of_broken_json_is_named() -> None:
    with pytest.raises(InvalidSkill) as caught:
        contract({**files(), RUNNER: b'{\n  "id": "x",,\n}'})
    assert str(caught.value).startswith(
        "text-report has a mistake: assets/runner.json: line 2, column 13: broken JSON: "
    )
    for data in (b"", b"[]", b'"x"', b"\x00", b"[" * 100_000):
        with pytest.raises(InvalidSkill, match=RUNNER):
            contract({**files(), RUNNER: data})


def test_a_package_has_one_name() -> None:
    assert mistakes(files(), "elsewhere") == (
        "id: 'text-report' lies in a folder 'elsewhere'; make them the same",
    )
    for text in (b"Do it.", b"---\ndescription: x\n---\n", b""):
        assert mistakes({**files(), "SKILL.md": text}) == (
            "id: the front matter of SKILL.md has no name; add name: text-report",
        )
    windows = files()["SKILL.md"].replace(b"\n", b"\r\n")
    assert mistakes({**files(), "SKILL.md": windows}) == ()


def test_what_is_to_be_installed_declares_its_schemas() -> None:
    for content, says in (
        (changed(without=("schemas",)), "runner.json: schemas: is missing; declare them"),
        (changed({"schemas": None}), "runner.json: schemas: is missing; declare them"),
        (changed({"schemas": {}}), "runner.json: schemas.output: is missing; declare it"),
        ({"SKILL.md": b"Do."}, "has no assets/runner.json; import it as a plain skill"),
    ):
        with pytest.raises(InvalidSkill, match=says):
            job_package(content, "text-report", ENGINES, to_install=True)
        job_package(content, "text-report", ENGINES)
    output = {"schemas": {"output": "assets/output.schema.json"}}
    assert job_package(changed(output), "text-report", ENGINES, to_install=True).output


def test_all_mistakes_are_told_at_once() -> None:
    content = changed(
        {
            "id": "other",
            "engines": ["nobody"],
            "execution_modes": ["auto", "auto"],
            "schemas": {"parameter": "/etc/passwd"},
            "version": "x",
        },
        input={"properties": {"a/b": {}}, "required": ["c"]},
        output={"properties": {"r": {"x-type": "file", "x-filename": "../r"}}},
    )
    content["assets/output.schema.json"] = encoded(
        json.loads(content["assets/output.schema.json"]) | {"minProperties": -1}
    )
    found = mistakes(content, "third")
    starts = [
        "execution_modes: 'auto'",
        "engines: 'nobody'",
        "schemas.parameter: '/etc/passwd'",
        "id: 'other' is called",
        "id: 'other' lies in",
        "version: 'x'",
        "assets/input.schema.json: properties.a/b",
        "assets/input.schema.json: required: 'c'",
        "assets/output.schema.json: schema: $.minProperties",
        "assets/output.schema.json: properties.r.x-filename: '../r'",
    ]
    missing = [start for start in starts if not any(one.startswith(start) for one in found)]
    assert missing == []
    assert len(found) == len(starts)

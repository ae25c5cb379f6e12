"""A document that does not fit is refused in one line that names file, field and reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound
from whet.documents.assets import SkillMeta, Tags
from whet.documents.base import Document
from whet.documents.capability import CapabilityCaseSet
from whet.documents.cases import BaselineCases
from whet.documents.job import RunnerManifest
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult
from whet.documents.session import Session

FIXTURES = Path(__file__).parent / "fixtures"


def changed(name: str, *steps: str | int, to: object = ...) -> Any:
    """An example with one value replaced, or removed."""
    data: Any = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    inner = data
    for step in steps[:-1]:
        inner = inner[step]
    if to is ...:
        del inner[steps[-1]]
    else:
        inner[steps[-1]] = to
    return data


def refusal(cls: type[Document], data: JsonValue) -> str:
    with pytest.raises(InvalidDocument) as caught:
        cls.parse(data, "some.json")
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("cls", "data", "expected"),
    [
        (
            BaselineCases,
            changed("workspace/cases", "cases", 2, "category", to="easy"),
            'cases[2].category: must be standard, boundary or exception, found "easy"',
        ),
        (
            BaselineCases,
            changed("workspace/cases", "cases", 1, "input"),
            "cases[1].input: is required but missing",
        ),
        (
            SkillMeta,
            changed("workspace/skill_meta", "name", to=""),
            "name: must not be empty",
        ),
        (
            SkillMeta,
            changed("workspace/skill_meta", "version_count", to="1"),
            'version_count: must be a whole number, found "1"',
        ),
        (
            Tags,
            changed("workspace/tags", "manual", to=None),
            "manual: must be a list, found null",
        ),
        (
            ProjectConfig,
            changed("workspace/project_config", "skills", to=[]),
            "skills: must have at least 1, has 0",
        ),
        (
            ProjectConfig,
            changed("workspace/project_config", "cli_config", "timeout_seconds", to=True),
            "cli_config.timeout_seconds: must be a number, found true",
        ),
        (
            ProjectConfig,
            changed("workspace/project_config", "progress", to=[1]),
            "progress: must be an object, found a list",
        ),
        (
            CaseResult,
            changed("workspace/case_result", "scores", "robustness", to="16"),
            'scores.robustness: must be a number, found "16"',
        ),
        (
            CaseResult,
            changed("workspace/case_result", "scores", "elegance", to="high"),
            'scores.elegance: must be a number, found "high"',
        ),
        (
            CapabilityCaseSet,
            changed("capability/case_set", "cases", 1, "checker", "type"),
            "cases[1].checker.type: is required but missing",
        ),
        (
            RunnerManifest,
            changed("job/runner", "unsupport_engine", to=["codex"]),
            "unsupport_engine is now called unsupported_engines",
        ),
        (SkillMeta, [], "must be an object, found a list"),
        (
            Session,
            changed("session/simple", "agent", to="x" * 100),
            f'agent: must be an object, found "{"x" * 56}…',
        ),
    ],
)
def test_names_field_and_reason(cls: type[Document], data: JsonValue, expected: str) -> None:
    assert refusal(cls, data) == f"some.json: {expected}"


def test_says_how_many_more_problems_there_are() -> None:
    data = changed("workspace/skill_meta", "name")
    data["status"] = "lost"

    assert refusal(SkillMeta, data) == "some.json: name: is required but missing (and 1 more)"


def test_the_parts_of_a_refusal_can_be_read_one_by_one() -> None:
    with pytest.raises(InvalidDocument) as caught:
        SkillMeta.parse(changed("workspace/skill_meta", "status", to="lost"), "meta.json")

    assert caught.value.source == "meta.json"
    assert caught.value.field == "status"
    assert caught.value.reason == 'must be active or archived, found "lost"'


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.write_text('{"id": 5}', "utf-8")

    with pytest.raises(InvalidDocument) as caught:
        SkillMeta.load(path)

    assert str(caught.value).startswith(f"{path}: id: must be a string, found 5")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"

    with pytest.raises(NotFound, match="no such file") as caught:
        SkillMeta.load(path)

    assert str(path) in str(caught.value)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot read") as caught:
        SkillMeta.load(tmp_path)

    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b'{\n  "id": "a",\n  "name" "b"\n}', "line 3, column 10"),
        (b'{"id": NaN}', "line 1, column 8"),
        (b'{"id": -Infinity}', "line 1, column 9"),
        (b'{"id": "\xff"}', "line 1, column 9"),
        (b"", "line 1, column 0"),
        (b"{} {}", "line 1, column 4"),
        (b"[" * 100_000, "line 1, column 202"),
    ],
)
def test_broken_json_is_refused_with_line_and_column(
    tmp_path: Path, text: bytes, place: str
) -> None:
    path = tmp_path / "meta.json"
    path.write_bytes(text)

    with pytest.raises(InvalidDocument) as caught:
        SkillMeta.load(path)

    assert str(caught.value).startswith(f"{path}: {place}: broken JSON: ")


@pytest.mark.parametrize("key", ["version_count", "unknown"])
def test_a_number_beyond_all_bounds_is_refused(tmp_path: Path, key: str) -> None:
    path = tmp_path / "meta.json"
    text = json.dumps(changed("workspace/skill_meta", key, to="here"))
    path.write_text(text.replace('"here"', "1e999"), "utf-8")

    with pytest.raises(InvalidDocument, match=f"{key}: must be a"):
        SkillMeta.load(path)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.write_bytes(b"\xef\xbb\xbf" + (FIXTURES / "workspace/skill_meta.json").read_bytes())

    assert SkillMeta.load(path) == SkillMeta.load(FIXTURES / "workspace/skill_meta.json")

"""The sets that there are."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.app.capability.sets import (
    FOLDER,
    FoundSet,
    case_sets,
    digest_of,
    named,
    parts,
    together,
)
from whet.core.errors import InvalidSuite, NotFound
from whet.documents.capability import CapabilityCaseSet
from whet.evaluate.capability.lint import lint

CASE: JsonValue = {
    "id": "mine_1",
    "dimension": "logic",
    "prompt": "What?",
    "checker": "exact",
    "expected": "42",
}


def write(workspace: Path, name: str, data: JsonValue) -> None:
    folder = workspace / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(data if isinstance(data, str) else json.dumps(data))


def own(workspace: Path) -> list[FoundSet]:
    return [found for found in case_sets(workspace) if found.source.startswith(FOLDER)]


def test_a_fresh_workspace_has_the_bundled_sets(tmp_path: Path) -> None:
    found = case_sets(tmp_path)
    assert {("default", "en-US"), ("default", "zh-CN")} <= {
        (one.name, one.language) for one in found
    }
    assert all(one.case_set and one.digest == digest_of(one.case_set) for one in found)
    assert list(tmp_path.iterdir()) == []


def test_a_file_goes_before_the_bundled_one_of_its_name_and_language(tmp_path: Path) -> None:
    write(tmp_path, "z.json", {"case_set": "default", "language": "en_us", "cases": [CASE]})
    write(tmp_path, "extra.en-US.json", {"cases": [CASE]})
    found = case_sets(tmp_path)
    english = [one for one in found if one.name == "default" and one.language != "zh-CN"]
    assert [one.source for one in english] == [f"{FOLDER}/z.json"]
    assert [one.name for one in own(tmp_path)] == ["extra", "default"]
    assert [one.language for one in named(found)] == ["zh-CN", "en_us"]


def test_names_come_from_files_where_a_set_has_none(tmp_path: Path) -> None:
    write(tmp_path, "office.zh-CN.json", [CASE])
    write(tmp_path, "v1.2.json", [CASE])
    assert [one.name for one in own(tmp_path)] == ["office", "v1.2"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "broken JSON"),
        ("[" * 100_000, ""),
        ('{"cases": [{}]}', "cases"),
        (
            '{"cases": [{"id": "a", "dimension": "luck", "prompt": "", "checker": "exact"}]}',
            "dimension",
        ),
        ("\x00", ""),
    ],
)
def test_a_broken_file_is_listed_and_hurts_nothing_else(
    tmp_path: Path, text: str, reason: str
) -> None:
    write(tmp_path, "bad.json", text)
    write(tmp_path, "good.json", [CASE])
    (tmp_path / FOLDER / "folder.json").mkdir()
    bad, folder, good = own(tmp_path)
    assert (bad.name, bad.case_set) == ("bad", None)
    assert reason in (bad.problem or "")
    assert bad.summary().case_count == 0
    assert folder.problem == "is not a file"
    assert good.problem is None
    assert named(case_sets(tmp_path), "good")
    with pytest.raises(InvalidSuite, match=r"evaluation/cases/bad\.json"):
        named(case_sets(tmp_path), "bad")


@pytest.mark.parametrize(
    "text",
    [
        '{"case_set": "split", "cases": [{"id": "b"}]}',
        '{"case_set": "split", "cases": [',
        '{"version": 1,\n "case_set" : "split", "cases": [1,,2]}',
    ],
)
def test_a_set_is_not_run_without_the_part_that_is_broken(tmp_path: Path, text: str) -> None:
    write(tmp_path, "one.json", {"case_set": "split", "cases": [CASE]})
    write(tmp_path, "two.json", text)
    with pytest.raises(InvalidSuite, match=r"evaluation/cases/two\.json"):
        named(case_sets(tmp_path), "split")
    looked_at = lint(parts(tmp_path, "split"), {})
    broken = [one for one in looked_at.findings if one.source == f"{FOLDER}/two.json"]
    assert broken
    assert [one.rule for one in broken] == ["K001"] * len(broken)


def test_lint_says_where_the_json_of_a_file_is_broken(tmp_path: Path) -> None:
    write(tmp_path, "torn.json", '{"cases": [')
    [found] = lint(parts(tmp_path, "torn"), {}).findings
    assert "line 1, column " in found.message
    assert "broken JSON" in found.message


def test_an_unknown_set_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no case set 'x'; there are: default"):
        named(case_sets(tmp_path), "x")


def test_the_parts_of_a_set_become_one() -> None:
    halves = [
        CapabilityCaseSet.parse(
            {"case_set": "s", "language": lang, "tags": ["t"], "cases": [CASE]}, ""
        )
        for lang in ("en-US", "zh-CN")
    ]
    whole = together(halves)
    assert [case.language for case in whole.cases] == ["en-US", "zh-CN"]
    assert (whole.case_set, whole.language, whole.tags) == ("s", None, ("t",))
    assert digest_of(whole) == digest_of(together(halves))

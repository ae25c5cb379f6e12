"""Single cases of a baseline."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import done, read, refused
from tests.curate.shelves import add_baseline

NASTY = "\x1b]0;owned\x07\u202e[red]"
ADD = ("baseline", "case", "add", "Tests")


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a baseline of two cases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    add_baseline(tmp_path / "workspace", "Tests")
    return tmp_path / "workspace"


def cases() -> dict[str, dict[str, Any]]:
    found = read("baseline", "case", "list", "Tests")
    return {case["id"]: case for case in found["cases"]}


def test_cases_are_listed() -> None:
    printed = done("baseline", "case", "list", "Tests")
    assert "Case case_001" in printed
    assert "Write a Python function for" in printed
    assert read("baseline", "case", "list", "Tests")["version"] == "v1"
    done("baseline", "import", "--empty", "--name", "Empty")
    assert done("baseline", "case", "list", "Empty") == "no cases yet\n"


def test_a_case_by_options(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"Ask {NASTY}\n")
    told = read(
        *(*ADD, "--input-file", "in.txt", "--expected", "2", "--name", "3"),
        *("--category", "boundary", "--weight", "2", "--timeout", "1.5", "--expect", "v1"),
    )
    assert (told["version"], told["case_ids"], told["changed"]) == ("v2", ["case_003"], True)
    made = cases()["case_003"]
    assert (made["input"], made["expected_output"]) == (f"Ask {NASTY}\n", "2")
    assert (made["name"], made["category"], made["timeout_seconds"]) == ("3", "boundary", 1.5)
    assert json.dumps(made["weight"]) == "2"
    printed = done("baseline", "case", "list", "Tests")
    assert "\x1b" not in printed
    assert "\\x1b]0;owned" in printed
    quiet = done(*ADD, "--input", "Say hello.")
    assert quiet.splitlines()[0] == "added: case_004"
    assert "nothing is expected of case_004" in quiet


def test_cases_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("input,expected_output,colour\n1,2,red\n3,4,blue\n")
    told = read(*ADD, "--from", "c.csv")
    assert told["case_ids"] == ["case_003", "case_004"]
    assert told["notes"] == ["columns not taken: 'colour'"]
    (tmp_path / "c.json").write_text(json.dumps([{"id": "case_001", "input": "x"}]))
    assert "'case_001' is there already" in refused(*ADD, "--from", "c.json")
    (tmp_path / "c.json").write_text("[]")
    assert "no case was given" in refused(*ADD, "--from", "c.json")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "--input"),
        (("--expected", "x"), "--input"),
        (("--input", "a", "--input-file", "b"), "give one of them"),
        (("--input-file", "-", "--expected-file", "-"), "once only"),
        (("--input", "a", "--from", "c.csv"), "leave the other options out"),
        (("--input", " "), "input: must not be empty"),
        (("--input", "a", "--weight", "nan"), "weight"),
        (("--input", "a", "--weight", "-1"), "weight: must not be negative, found -1"),
        (("--input", "a", "--timeout", "-0.5"), "timeout_seconds: must not be negative"),
        (("--input", "a", "--expect", "v2"), "expected v2, found v1"),
        (("--from", "gone.json"), "gone.json"),
        (("--from", "c.txt"), "no file c.txt"),
    ],
)
def test_what_is_no_case(options: tuple[str, ...], says: str) -> None:
    assert says in refused(*ADD, *options, given="")
    assert len(cases()) == 2


@pytest.mark.slow
def test_fields_are_json_or_text() -> None:
    edit = ("baseline", "case", "edit", "Tests", "case_001")
    told = read(
        *(*edit, "--set", "input=3", "--set", "expected_output=null", "--set", "weight=3"),
        *("--set", "category=exception", "--set", 'checks=[{"type": "no_errors"}]'),
        *("--expect", "v1"),
    )
    assert (told["version"], told["case_ids"]) == ("v2", ["case_001"])
    made = cases()["case_001"]
    assert (made["input"], made["expected_output"], made["weight"]) == ("3", "null", 3)
    assert (made["category"], made["checks"]) == ("exception", [{"type": "no_errors"}])
    read(*edit, "--set", "weight=null", "--input-file", "-", given="From stdin.\n")
    made = cases()["case_001"]
    assert (made["input"], made.get("weight")) == ("From stdin.\n", None)
    assert done(*edit, "--set", "category=exception").startswith("nothing changed")
    for more, says in (
        ((), "--set"),
        (("--set", "weight"), "NAME="),
        (("--set", "expected=1"), "expected_output"),
        (("--set", "id=x"), "'id'"),
        (("--set", "input=x", "--input-file", "-"), "give one of them"),
        (("--set", "input=x", "--expect", "v1"), "expected v1, found v3"),
    ):
        assert says in refused(*edit, *more, given="y")


def test_a_case_is_taken_out() -> None:
    assert "'case_9'" in refused("baseline", "case", "remove", "Tests", "case_9")
    assert done("baseline", "case", "remove", "Tests", "case_002").startswith("removed: case_002\n")
    assert list(cases()) == ["case_001"]
    assert read(*ADD, "--input", "New.")["case_ids"] == ["case_003"]


def test_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert "标准" in done("baseline", "case", "list", "Tests")

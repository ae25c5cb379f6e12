"""Case sets by command: what there is, what is wrong with it, and what it touches."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.capability import MINI, ran, write_set
from whet.evaluate.capability.rules import RULES


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    write_set(made)
    return made


def test_sets_are_listed_with_what_is_wrong(workspace: Path) -> None:
    (workspace / "evaluation/cases/broken.json").write_text('{"cases": 1}')
    found = read("capability", "sets", "--workspace", workspace)["case_sets"]
    assert [one["case_set"] for one in found] == ["default", "default", "broken", "mini"]
    mini = found[-1]
    assert (mini["case_count"], mini["dimensions"]) == (3, {"logic": 2, "tool": 1})
    told = done("capability", "sets", "--workspace", workspace)
    assert "evaluation/cases/mini.json" in told.replace("\n", "").replace(" ", "")
    assert "problem: evaluation/cases/broken.json: cases: " in told


@pytest.mark.slow
def test_a_good_set_has_no_findings() -> None:
    assert done("capability", "lint", "default").endswith("errors: 0, warnings: 0\n")


def test_mistakes_are_told_and_end_with_1(workspace: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps([*MINI, {**MINI[0], "prompt": "Anew?"}, {"id": "empty"}]))
    for given in (str(path), "bad"):
        if given == "bad":
            write_set(workspace, [*MINI, MINI[0], {"id": "empty"}], "bad")
        told = run("capability", "lint", given, "--workspace", workspace)
        assert told.exit_code == 1
        assert "error K003 " in told.stdout
        assert "cases[4] [empty]: error K001 prompt: " in told.stdout
        assert "\n  fix: give one of them another id\n" in told.stdout
    for options in (("--json",), ("--format", "json")):
        told = run("capability", "lint", str(path), *options, "--workspace", workspace)
        assert told.exit_code == 1
        found = json.loads(told.stdout)
        assert found["errors"] == len([one for one in found["findings"] if one["level"] == "error"])


def test_findings_as_sarif(workspace: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad one.json"
    path.write_text(json.dumps([MINI[0], MINI[0]]))
    told = run("capability", "lint", str(path), "--format", "sarif", "--workspace", workspace)
    assert told.exit_code == 1
    [log] = json.loads(told.stdout)["runs"]
    rules = log["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == [rule.id for rule in RULES]
    first = log["results"][0]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "K003"
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("bad%20one.json")
    marks = [one["partialFingerprints"]["whet/v1"] for one in log["results"]]
    assert len(marks) == len(set(marks))


@pytest.mark.slow
def test_coverage_of_a_set_a_file_and_a_run(workspace: Path) -> None:
    path = workspace / "evaluation/cases/mini.json"
    by_name = read("capability", "coverage", "mini", "--workspace", workspace)
    by_file = read("capability", "coverage", str(path), "--workspace", workspace)
    assert by_name == by_file
    assert (by_name["cases"], by_name["weight"]) == (3, 5)
    assert [one["tool"] for one in by_name["tools"]] == ["notes@lookup"]
    ran(workspace, "--dimension", "logic")
    of_run = read("capability", "coverage", "latest", "--workspace", workspace)
    assert (of_run["cases"], of_run["tools"]) == (2, [])
    told = done("capability", "coverage", "mini", "--workspace", workspace)
    assert "mini: 3 cases, weight 5" in told
    assert "Not covered: read, write," in told


def test_coverage_in_one_language(workspace: Path) -> None:
    both = read("capability", "coverage", "default", "--workspace", workspace)
    one = read("capability", "coverage", "default", "--language", "zh", "--workspace", workspace)
    assert both["cases"] == 2 * one["cases"]
    assert list(one["languages"]) == ["zh-CN"]
    ran(workspace)
    given = ("coverage", "latest", "--language", "en-US", "--workspace", workspace)
    assert "a run has one already" in refused("capability", *given)

"""Commands in which a model helps: who is meant, what is said, and what is asked first."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import done, read, refused, run
from tests.curate.shelves import add_baseline, add_skill, identity
from whet.app.library.assist_tags import MOST
from whet.cli.library_assist import AssistWords
from whet.run.assist.suggest import Suggestion, by_rule

SUMS = ("baseline", "generate", "--name", "Sums", "--purpose", "code", "--description", "Add.")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small library, which every command here takes."""
    for name, value in {
        "WHET_WORKSPACE": str(tmp_path / "workspace"),
        "WHET_SCRATCH": str(tmp_path / "scratch"),
        "WHET_LANGUAGE": "en",
    }.items():
        monkeypatch.setenv(name, value)
    add_skill(tmp_path / "workspace", "Writer", text="Write a docstring.")
    add_skill(tmp_path / "workspace", "Author", text="Be brief.")
    add_baseline(tmp_path / "workspace", "Tests")
    return tmp_path / "workspace"


@pytest.mark.parametrize(
    ("new", "existing"), [("a", []), ("a", ["a"]), ("a b", ["b-a"]), ("coding", ["codings"])]
)
def test_what_the_rule_says_is_said_in_chinese_too(new: str, existing: list[str]) -> None:
    found = by_rule(new, existing)
    assert isinstance(found, Suggestion)
    assert found.reason in AssistWords("zh").reasons


@pytest.mark.slow
def test_tags_are_shown_with_the_command_that_reviews_them(workspace: Path) -> None:
    said = done("skill", "tag", "auto", "Writer")
    short = identity("Writer")[:8]
    assert said.startswith(f"Writer ({short}): writer, docstring\n")
    assert f"review them: whet skill tag review {short}\n" in said
    assert "Simulated" in said
    assert "nothing that is not there already" in done("skill", "tag", "auto", "Writer")
    chosen = done("baseline", "tag", "auto", "--all", "--workspace", str(workspace))
    assert f"whet baseline tag review {identity('Tests')[:8]} --workspace {workspace}" in chosen


@pytest.mark.slow
def test_those_without_a_tag_are_found(workspace: Path) -> None:
    done("skill", "tag", "add", "Writer", "mine")
    found = read("skill", "tag", "auto", "--untagged")
    assert [asset["name"] for asset in found["assets"]] == ["Author"]
    assert (found["status"], found["simulated"], found["left"]) == ("completed", True, 0)
    assert "Nothing to do" in done("skill", "tag", "auto", "--untagged")
    assert read("skill", "tag", "auto", "--untagged")["assets"] == []
    everyone = read("skill", "tag", "auto", "--all")
    assert {asset["name"] for asset in everyone["assets"]} == {"Writer", "Author"}
    assert workspace.is_dir()


@pytest.mark.slow
def test_a_large_library_is_tagged_part_by_part(workspace: Path) -> None:
    for number in range(MOST):
        add_skill(workspace, f"s{number}")
    assert f"{MOST + 2} assets are too many at once; --untagged" in refused(
        "skill", "tag", "auto", "--all"
    )
    for total, left in ((MOST, 2), (2, 0)):
        told = run("skill", "tag", "auto", "--untagged", "--json")
        found = json.loads(told.stdout)
        assert (told.exit_code, found["total"], found["left"]) == (0, total, left)


def test_one_that_fails_is_named_and_ends_with_1(workspace: Path) -> None:
    folder = add_skill(workspace, "Gone")
    done("skill", "list")
    (folder / "content.txt").unlink()
    result = run("skill", "tag", "auto", "Gone", "Writer")
    assert result.exit_code == 1
    assert "Gone" in result.stdout.splitlines()[0]
    assert "failed: " in result.stdout.splitlines()[0]
    assert "Writer" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name assets by ID"),
        (("Writer", "--all"), "name assets by ID"),
        (("--untagged", "--all"), "name assets by ID"),
        (("nobody",), "nobody"),
        (("Writer", "--engine", "nothing"), "unknown engine"),
        (("Writer", "--model", "big"), "simulated agent has no model big"),
        (("--all", "--engine", "api", "--model", "openai:x"), "2 answers of api:openai:x, of"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: tuple[str, ...], says: str, workspace: Path
) -> None:
    line = refused("skill", "tag", "auto", *arguments)
    assert says in line
    assert "--max" not in line
    assert not [*workspace.glob("skills/*/*/*/auto_tag_log/*")]


def test_a_draft_waits_in_a_file_where_nobody_can_look(workspace: Path) -> None:
    result = run(*SUMS, "--number", "3")
    assert result.exit_code == 0
    assert result.stderr == "simulated writes 3 cases …\n"
    [path] = workspace.glob("cli/drafts/*.json")
    assert f"whet baseline import {path}\n" in result.stdout
    assert read("baseline", "list", "--keyword", "Sums")["total"] == 0
    taken = read("baseline", "import", path)
    assert (taken["name"], taken["notes"]) == ("Sums", [])
    shown = read("baseline", "show", "Sums")
    assert shown["asset"]["source"] == "generated by the simulated engine"
    assert len(shown["cases"]) == 3


def machine(*arguments: str) -> dict[str, Any]:
    result = run(*SUMS, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
def test_a_machine_gets_the_draft_and_where_it_is(workspace: Path, tmp_path: Path) -> None:
    left = machine()
    assert left.keys() == {
        *("draft", "cases", "missing", "left_out", "simulated", "tokens", "cost_usd")
    }
    assert (len(left["cases"]), left["simulated"], left["missing"]) == (10, True, {})
    assert Path(left["draft"]).parent == workspace / "cli/drafts"
    saved = machine("--yes")
    assert (saved["version"], saved["outcome"]) == ("v1", "created")
    assert Path(saved["path"]).is_dir()
    other = tmp_path / "mine.json"
    assert machine("--output", str(other), "--number", "2")["output"] == str(other)
    assert read("baseline", "import", other, "--name", "Two")["outcome"] == "created"
    assert read("baseline", "list", "--keyword", "Sums")["total"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--description-file", "x"), "--description or --description-file"),
        (("--number", "51"), "1 to 50"),
        (("--purpose", "../x"), "purpose"),
        (("--engine", "nothing"), "unknown engine"),
    ],
)
def test_what_no_model_can_be_asked_for(
    arguments: tuple[str, ...], says: str, workspace: Path
) -> None:
    assert says in refused(*SUMS, *arguments)
    assert not (workspace / "cli").exists()


def test_a_file_that_is_there_is_not_overwritten(workspace: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("mine")
    assert f"{mine} is there already; choose another" in refused(*SUMS, "--output", mine)
    assert "no folder" in refused(*SUMS, "--output", tmp_path / "nowhere" / "mine.json")
    assert mine.read_text() == "mine"
    assert not (workspace / "cli").exists()


def test_the_description_may_be_a_file_or_come_through_a_pipe(workspace: Path) -> None:
    result = run(
        *("baseline", "generate", "--name", "数", "--purpose", "code", "--yes"),
        *("--description-file", "-", "--json"),
        given="把数字相加".encode(),
    )
    assert result.exit_code == 0, result.output
    assert "把数字相加" in json.loads(result.stdout)["cases"][0]["input"]
    assert workspace.is_dir()


def test_a_purpose_is_looked_up(workspace: Path) -> None:
    assert "probably code_test" in done("skill", "suggest-purpose", "Test-Code")
    assert "with --engine a model" in done("baseline", "suggest-purpose", "painting")
    found = read("skill", "suggest-purpose", "painting")
    assert found == {
        "purpose": None,
        "reason": "no name is alike; meanings take a model",
        "by": "rule",
        "simulated": True,
    }
    assert workspace.is_dir()

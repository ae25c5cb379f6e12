"""Projects are made, renamed, put away and copied by command."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.projects import SKILLS, TESTS, filled, made, worked
from tests.curate.shelves import add_skill


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return filled(tmp_path)


def config(workspace: Path) -> dict[str, object]:
    (path,) = workspace.glob("projects/*/config.json")
    return json.loads(path.read_text())


def test_every_option_ends_in_the_configuration(workspace: Path) -> None:
    add_skill(workspace, "Writer", version="v2", text="Be brief.")
    asked = (
        *("--skill", "Writer@v1", "--skill", "Writer", *TESTS, "--description", "What it is about"),
        *("--engine", "simulated", "--repeats", "3", "--timeout", "7.5", "--retries", "5"),
        *("--flag=--loud", "--flag", "--fast", "--option", 'simulate={"latency_ms": 1}'),
        *("--judge", "simulated", "--readings", "2", "--token-threshold", "1234"),
        *("--no-compress", "--no-export", "--iteration", "mode=explore"),
        *("--iteration", "beam_width=3", "--workspace", workspace),
    )
    item = read("project", "create", "All of it", *asked)
    assert (item["status"], item["total_trials"], item["repeats"]) == ("pending", 12, 3)
    written = config(workspace)
    assert (written["id"], written["name"]) == (item["id"], "All of it")
    assert written["description"] == "What it is about"
    assert [one["version"] for one in item["skills"]] == ["v1", "v2"]
    assert written["cli_config"] == {
        "model": "simulated",
        "timeout_seconds": 7.5,
        "retry_count": 5,
        "extra_flags": ["--loud", "--fast"],
        "engine": "simulated",
        "engine_version": "1",
        "options": {"simulate": {"latency_ms": 1}},
        "sandbox": "none",
    }
    assert written["grading_config"] == {"judges": ["simulated"], "readings": 2}
    assert written["context_config"] == {
        "token_threshold": 1234,
        "auto_compress": False,
        "auto_export": False,
    }
    assert written["iteration_config"] == {
        "mode": "explore",
        "beam_width": 3,
        "plateau_threshold": 1.0,
        "plateau_rounds_before_escape": 2,
    }


def test_the_text_says_what_to_type_next(workspace: Path) -> None:
    told = done("project", "create", "Two", *SKILLS, *TESTS, "--workspace", workspace)
    identity = str(config(workspace)["id"])
    assert told.splitlines()[0] == f"Two  {identity[:8]}"
    assert "trials: 4" in told
    assert f"run it: whet project run {identity[:8]} --workspace {workspace}" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("P", "--skill", "Nobody", *TESTS), "'Nobody'"),
        (("P", *SKILLS, "--baseline", "None"), "'None'"),
        (("P", *SKILLS, *TESTS, "--engine", "nope"), "unknown engine 'nope'"),
        (("P", *SKILLS, *TESTS, "--timeout", "0"), "--timeout: "),
        (("P", *SKILLS), "--baseline: "),
        (("P", *SKILLS, *TESTS, "--option", "x"), "NAME=VALUE"),
        (("", *SKILLS, *TESTS), "NAME: "),
    ],
)
def test_what_cannot_be_is_one_line_and_leaves_nothing(
    workspace: Path, arguments: tuple[str, ...], says: str
) -> None:
    assert says in refused("project", "create", *arguments, "--workspace", workspace)
    assert not [*workspace.glob("projects/project_*")]


@pytest.mark.parametrize("bad", [("--retries", "21"), ("--timeout", "-1")])
def test_bounds_are_those_of_the_request(workspace: Path, bad: tuple[str, str]) -> None:
    result = run("project", "create", "P", *SKILLS, *TESTS, *bad, "--workspace", workspace)
    assert (result.exit_code, bad[0] in result.stderr) == (2, True)
    assert not [*workspace.glob("projects/project_*")]


@pytest.mark.slow
def test_a_project_gets_another_name_and_is_put_away_and_back(workspace: Path) -> None:
    read("project", "create", "Old", *SKILLS, *TESTS, "--workspace", workspace)
    assert read("project", "rename", "Old", "新名字", "--workspace", workspace)["name"] == "新名字"
    assert config(workspace)["name"] == "新名字"
    assert "(archived)" in done("project", "archive", "新名字", "--workspace", workspace)
    assert read("project", "list", "--workspace", workspace)["total"] == 0
    (away,) = read("project", "list", "--archived", "--workspace", workspace)["items"]
    assert away["archived"] is True
    assert read("project", "restore", "新名字", "--workspace", workspace)["archived"] is False
    assert read("project", "list", "--workspace", workspace)["total"] == 1
    assert "no project 'Old'" in refused("project", "show", "Old", "--workspace", workspace)


@pytest.mark.slow
def test_a_copy_has_the_versions_of_the_old_one_unless_the_newest_are_wanted(
    workspace: Path,
) -> None:
    made(workspace)
    add_skill(workspace, "Writer", version="v2", text="Be brief.")
    same = read("project", "clone", "Small", "--workspace", workspace)
    newest = read(
        "project", "clone", "Small", "--newest", "--name", "Next", "--workspace", workspace
    )
    assert (same["name"], newest["name"]) == ("Small (copy)", "Next")
    assert [one["version"] for one in same["skills"]] == ["v1", "v1"]
    assert [one["version"] for one in newest["skills"]] == ["v2", "v1"]
    assert same["status"] == newest["status"] == "pending"


def test_a_copy_that_is_run_reuses_what_is_on_record(workspace: Path) -> None:
    made(workspace)
    report = worked(workspace, "clone", "Small", "--run")
    assert report["trials"] == {"total": 4, "executed": 0, "regraded": 0, "reused": 4}


def test_hostile_names_do_not_steer_the_terminal(workspace: Path) -> None:
    name = "a\x1b[31mred\x07\u202e[bold]b[/bold]"
    told = done("project", "create", name, *SKILLS, *TESTS, "--workspace", workspace)
    listed = done("project", "list", "--workspace", workspace)
    shown = done("project", "show", name, "--workspace", workspace)
    for text in (told, listed, shown):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert "[bold]b[/bold]" in text.replace("\n", "").replace(" ", "")

"""Capability runs by command: what they print, for people and for machines, and how they end."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.capability import MINI, ran, write_set
from tests.server.calling import calling


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    write_set(made)
    return made


def test_a_run_is_told_and_kept(workspace: Path) -> None:
    said = done("capability", "run", "mini", "--workspace", workspace)
    for text in (
        "simulated on mini: 25.0 of 100, on 2 of 3 cases only",
        "Simulated:",
        "2 of 3 cases measured: 1 passed, 1 failed.",
        "Not in the score: skipped 1.",
        "failed   wrong   answer: 43; expected: forty",
        "skipped  lookup  the agent lacks notes@lookup",
        "more    whet capability show ",
    ):
        assert text in said, text
    detail = read("capability", "show", "latest", "--workspace", workspace)
    assert detail["run"]["total_score"] == 25
    assert detail["run"]["dimension_scores"]["tool"] is None
    assert [one["status"] for one in detail["items"]] == ["passed", "failed", "skipped"]
    shown = done("capability", "show", detail["run"]["run_id"][:8], "--workspace", workspace)
    assert shown.splitlines()[0] == said.splitlines()[0]


def test_a_run_for_machines_is_what_show_tells(workspace: Path) -> None:
    detail = ran(workspace, "--user", "ci", "--concurrency", "1")
    run_id = detail["run"]["run_id"]
    assert detail == read("capability", "show", run_id, "--workspace", workspace)
    assert (detail["run"]["user_id"], detail["run"]["status"]) == ("ci", "finished")


@pytest.mark.slow
def test_a_gate_closes_below_a_total(workspace: Path) -> None:
    given = ("capability", "run", "mini", "--workspace", workspace)
    assert run(*given, "--fail-under", "25").exit_code == 0
    below = run(*given, "--fail-under", "25.1")
    assert below.exit_code == 1
    assert "whet: the total of 25.0 is below 25.1\n" in below.stderr
    assert "25.0 of 100" in below.stdout
    nothing = run(*given, "--dimension", "tool", "--fail-under", "0")
    assert nothing.exit_code == 1
    assert "nothing was measured" in nothing.stderr


def test_weights_change_the_total_and_nothing_else(workspace: Path) -> None:
    more = {**MINI[0], "id": "more", "dimension": "common"}
    write_set(workspace, [*MINI, more])
    usual = ran(workspace)["run"]
    assert usual["total_score"] == pytest.approx((25 * 25 + 20 * 100) / 45)
    other = ran(workspace, "--weight", "logic=0")["run"]
    assert other["total_score"] == 100
    assert other["weights"] == {"tool": 35, "logic": 0, "common": 20, "complex": 20}
    assert other["dimension_scores"] == usual["dimension_scores"]


def test_weights_mean_the_same_by_command_and_over_http(workspace: Path) -> None:
    write_set(workspace, [*MINI, {**MINI[0], "id": "more", "dimension": "common"}])
    told = ran(workspace, "--weight", "logic=40")["run"]

    async def flow() -> Any:
        async with calling(workspace) as (client, _):
            for body in (
                {"weights": {"logic": 40}},
                {"config_overrides": {"weights": {"logic": 40}}},
            ):
                answer = await client.post(
                    "/v1/evaluation/runs", json={"case_set": "mini", "stream": True, **body}
                )
                assert answer.status_code == 200, answer.text
        page = await asyncio.to_thread(read, "capability", "list", "--workspace", workspace)
        return page["runs"]

    found = [(run["weights"], run["total_score"]) for run in asyncio.run(flow())]
    assert found == [(told["weights"], told["total_score"])] * 3


def test_a_total_of_some_of_the_cases_says_of_how_many(workspace: Path) -> None:
    run_id = ran(workspace)["run"]["run_id"]
    other = ran(workspace)["run"]["run_id"]
    detail = read("capability", "show", run_id, "--workspace", workspace)
    assert (detail["run"]["measured_cases"], detail["run"]["counts"]["total"]) == (2, 3)
    said = done("capability", "show", run_id, "--workspace", workspace)
    assert said.startswith("simulated on mini: 25.0 of 100, on 2 of 3 cases only\n")
    assert "25.0 (2 of 3)" in done("capability", "list", "--workspace", workspace)
    compared = ("capability", "compare", run_id, other, "--workspace", workspace)
    assert done(*compared).count("25.0 (2 of 3)") == 2
    assert [run["measured_cases"] for run in read(*compared)["runs"]] == [2, 2]


def test_cases_without_an_answer_close_the_gate_too(workspace: Path) -> None:
    options = ("--retries", "0", "--option", 'simulate={"crash": 1}', "--workspace", workspace)
    told = run("capability", "run", "mini", *options)
    assert told.exit_code == 1
    assert "whet: cases that ended in an error: 2\n" in told.stderr
    assert "Ended in an error: 2." in told.stdout


def test_a_set_in_any_file_can_be_run(workspace: Path, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.json"
    path.write_text(json.dumps(MINI[:1]))
    detail = read("capability", "run", str(path), "--workspace", workspace)
    assert (detail["run"]["case_set"], detail["run"]["total_score"]) == ("elsewhere", 100)


def test_checks_count_by_their_weight_and_in_part(workspace: Path, tmp_path: Path) -> None:
    """42 is right and 43 is not; the right tool with wrong arguments is worth a half."""
    several = [
        {"type": "exact", "expected": "42", "weight": 1},
        {"type": "exact", "expected": "43", "weight": 3},
    ]
    known = {**MINI[0], "id": "weights", "checker": several, "expected": None}
    calls = {
        "id": "calls",
        "dimension": "tool",
        "prompt": "Read the file a.txt and reply with the password that stands in it.",
        "files": {"a.txt": "Password: marigold"},
        "checker": "tool_args",
        "expected": {"tool": "read", "args": {"file_path": "b.txt"}},
    }
    path = tmp_path / "weighty.json"
    path.write_text(json.dumps([known, calls]))
    items = read("capability", "run", str(path), "--workspace", workspace)["items"]
    assert [(one["status"], one["score"]) for one in items] == [("failed", 0.25), ("failed", 0.5)]
    assert [one["checker_detail"]["score"] for one in items] == [0.25, 0.5]


@pytest.mark.slow
def test_a_dry_run_runs_nothing(workspace: Path) -> None:
    plan = ran(workspace, "--dry-run", "--repeat", "2")
    assert plan["selected_cases"] == ["sum", "wrong", "lookup"]
    assert plan["skipped_cases"] == {"lookup": ["notes@lookup"]}
    assert plan["repeats"] == 2
    told = done("capability", "run", "mini", "--dry-run", "--workspace", workspace)
    assert told == (
        "3 cases of mini in en-US on simulated\n"
        "1 of them will be skipped, for want of: notes@lookup\n"
    )
    assert read("capability", "list", "--workspace", workspace)["total"] == 0


def test_a_paid_run_needs_consent(workspace: Path) -> None:
    options = ("--engine", "command", "--option", 'argv=["true"]', "--workspace", workspace)
    said = refused("capability", "run", "mini", "--repeat", "3", *options)
    # Nobody knows what tools a program has, so only what needs a server is skipped.
    assert "6 agent runs and 0 judge calls, of unknown cost: confirm with --yes" in said
    assert read("capability", "list", "--workspace", workspace)["total"] == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("run", "nope"), "no case set and no file 'nope'; sets: default, mini"),
        (("run", "mini", "--engine", "nope"), "unknown engine 'nope'; known: "),
        (("run", "mini", "--model", "nope"), "is no engine"),
        (("run", "mini", "--weight", "tool"), "--weight tool: write DIMENSION=NUMBER"),
        (("run", "mini", "--weight", "toll=1"), "--weight toll: no such dimension; known: tool,"),
        (("run", "mini", "--weight", "tool=much"), "--weight tool: must be a number"),
        (("run", "mini", "--weight", "tool=-1"), "must be a number, and not below 0"),
        (("run", "mini", "--language", "fr-FR"), "has no cases in fr-FR; its languages: en-US"),
        (("run", "mini", "--skill", "nope"), "nope"),
        (("run", "mini", "--mcp-server", "notes=1"), "mcp_servers.notes"),
        (("run", "mini", "--user", "\udcff"), "user_id: has characters that are no text in UTF-8"),
        (
            ("run", "mini", "--tool", "\udcff"),
            "tool_names: has characters that are no text in UTF-8",
        ),
        (("show", "\udcff\udcff\udcff"), "no capability run '"),
        (("show", "ffff"), "no capability run 'ffff'; see whet capability list"),
        (("show", "fff"), "the beginning of an id has 4 characters or more"),
        (("show", "latest"), "there is no capability run yet"),
        (("cancel", "ffff"), "no capability run 'ffff'"),
        (("resume", "ffff"), "no capability run 'ffff'"),
        (("delete", "ffff"), "no capability run 'ffff'"),
        (("compare", "ffff"), "no capability run 'ffff'"),
        (("stability", "ffff"), "no capability run 'ffff'"),
        (("export", "ffff"), "no capability run 'ffff'"),
        (("coverage", "nope"), "no case set, file or run 'nope'; case sets: default, mini"),
        (("lint", "nope"), "no case set and no file 'nope'; sets: default, mini"),
        (("list", "--since", "yesterday"), "yesterday"),
    ],
)
def test_what_cannot_be_is_one_line(workspace: Path, given: tuple[str, ...], said: str) -> None:
    assert said in refused("capability", *given, "--workspace", workspace)


@pytest.mark.slow
def test_one_case_in_full(workspace: Path) -> None:
    ran(workspace)
    told = done("capability", "show", "latest", "--case", "wrong", "--workspace", workspace)
    for text in ("What is 17 + 26?", "43", "exact", "forty", "Logical reasoning", "0 / 1"):
        assert text in told, text
    item = read("capability", "show", "latest", "--case", "lookup", "--workspace", workspace)
    assert (item["status"], item["skip_reason"]) == ("skipped", "missing_tools")
    said = refused("capability", "show", "latest", "--case", "nope", "--workspace", workspace)
    assert "has no case 'nope'" in said


@pytest.mark.slow
def test_runs_are_listed_and_found(workspace: Path) -> None:
    assert "No runs yet" in done("capability", "list", "--workspace", workspace)
    first, second = (ran(workspace, "--user", user)["run"]["run_id"] for user in ("ada", "bob"))
    page = read("capability", "list", "--workspace", workspace)
    assert [one["run_id"] for one in page["runs"]] == [second, first]
    assert (page["total"], page["page"], page["page_size"]) == (2, 1, 20)
    last = read("capability", "list", "--page", "2", "--page-size", "1", "--workspace", workspace)
    assert [one["run_id"] for one in last["runs"]] == [first]
    for given in (("--user", "ada"), ("--set", "mini", "--user", "ada", "--status", "finished")):
        found = read("capability", "list", *given, "--workspace", workspace)
        assert [one["run_id"] for one in found["runs"]] == [first]
    told = done("capability", "list", "--page-size", "1", "--workspace", workspace)
    assert "1 to 1 of 2  (next: --page 2)" in told
    assert second[:8] in told
    assert "No run fits." in done("capability", "list", "--user", "eve", "--workspace", workspace)
    nothing = done("capability", "list", "--page", "9", "--workspace", workspace)
    assert "There is no page 9: there are 2 runs." in nothing


@pytest.mark.slow
def test_runs_are_deleted_all_or_none(workspace: Path) -> None:
    first, second = (ran(workspace)["run"]["run_id"] for _ in range(2))
    assert (workspace / "eval" / first).is_dir()
    refused("capability", "delete", first, "ffff", "--workspace", workspace)
    assert read("capability", "list", "--workspace", workspace)["total"] == 2
    gone = read("capability", "delete", first, second, "--workspace", workspace)
    assert gone == {"deleted": [first, second]}
    assert not (workspace / "eval").exists()
    assert read("capability", "list", "--workspace", workspace)["total"] == 0


def test_what_is_over_is_neither_cancelled_nor_resumed(workspace: Path) -> None:
    ran(workspace)
    assert "is finished already" in refused(
        "capability", "cancel", "latest", "--workspace", workspace
    )
    assert "start a new one" in refused("capability", "resume", "latest", "--workspace", workspace)


def test_chinese_is_spoken(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    given = ("--language", "en-US", "--workspace", workspace)
    told = done("capability", "run", "mini", *given)
    assert "25.0 分（满分 100）" in told
    assert "智能体缺少 notes@lookup" in told
    assert "翻转" in done("capability", "run", "mini", "--repeat", "2", *given)

"""Faults of skill-creator, skill-evaluator and their kind, which measure whether a skill helps.

Deltas had the wrong sign, tokens were characters, failures were left out of means, a gate was never
open, checks read the prompt instead of the output, and an agent that could not start "did not
trigger". A failed run ended with exit code 0.
"""

import json
import math
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.cli.calls import run
from tests.evaluate.suites import RUBRIC, SKILL, Fields, skill_at, suite_of
from tests.evaluate.triggering import shuns, wants, write_queries, write_skill
from tests.security.test_faults_of_libraries import files

HAS_SKILL = "'WHET_SKILL' in os.environ"


@pytest.fixture(autouse=True)
def settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents are our own here: without a sandbox, each starts half a second sooner."""
    monkeypatch.setenv("WHET_SANDBOX", "off")
    monkeypatch.setenv("WHET_SCRATCH", str(tmp_path / "scratch"))


def one(identity: int | str, *checks: JsonValue, **more: JsonValue) -> Fields:
    """An eval with these checks and nothing that a judge decides."""
    return {
        "id": identity,
        "name": f"Eval {identity}",
        "prompt": f"Write the file for knife {identity}. Mention SHARP, never say RUST.",
        "structural_expectations": list(checks),
        **more,
    }


def check(kind: str, **more: JsonValue) -> Fields:
    return {"id": "S1", "type": kind, "description": "It is so", "pattern": "*.txt", **more}


THERE = check("file_exists", critical=True)


def measured(
    folder: Path, body: str, *evals: Fields, runs: int = 1, more: tuple[str | Path, ...] = ()
) -> tuple[int, dict[str, Any]]:
    """Exit code and outcome of ``whet eval run`` with an agent that does *body*."""
    skill = skill_at(folder / "knives", suite_of(*evals, eval_config={"runs_per_eval": runs}))
    script = folder / "agent.py"
    script.write_text(f"import os, pathlib, sys\nprompt = sys.stdin.read()\n{body}\n")
    argv = json.dumps([sys.executable, "-I", str(script)])
    options = ("--engine", "command", "--option", f"argv={argv}", "--judge", "simulated", "--yes")
    place = ("--workspace", folder / "workspace", "--json")
    result = run("eval", "run", skill, *options, *more, *place)
    assert result.stdout, result.output
    return result.exit_code, json.loads(result.stdout)["legs"][0]


def outcomes(leg: dict[str, Any], configuration: str = "with_skill") -> list[dict[str, Any]]:
    runs = leg["benchmark"]["runs"]
    return [one["result"] for one in runs if one["configuration"] == configuration]


def test_every_run_is_in_the_benchmark_with_its_real_names(tmp_path: Path) -> None:
    """There the layout of its own description gave an empty benchmark with three made-up runs."""
    write = f"open('a.txt', 'w') if {HAS_SKILL} else None"
    _, leg = measured(tmp_path, write, one(1, THERE), one("two", THERE), runs=2)
    found = leg["benchmark"]
    places = Counter((each["eval_name"], each["configuration"]) for each in found["runs"])
    assert set(places.values()) == {2}
    assert len(places) == 4
    assert found["metadata"]["runs_per_configuration"] == 2
    assert found["metadata"]["evals_run"] == [1, "two"]
    assert "<" not in found["metadata"]["executor_model"]
    gradings = [*Path(leg["folder"]).glob("eval-*/*_skill/run-*/grading.json")]
    assert len(gradings) == 8


def test_a_better_skill_than_the_old_one_has_a_delta_above_zero(tmp_path: Path) -> None:
    """There `old_skill` came first in the alphabet, and +0.40 was shown as -0.40."""
    old = skill_at(tmp_path / "old/knives", suite_of(one(1, THERE)), text=SKILL + "OLD WAY\n")
    write = (
        "skill = pathlib.Path(os.environ['WHET_SKILL'], 'SKILL.md').read_text()\n"
        "open('a.txt', 'w') if 'OLD WAY' not in skill else None"
    )
    _, leg = measured(tmp_path, write, one(1, THERE), one(2, THERE), more=("--against", old))
    summary = leg["benchmark"]["run_summary"]
    assert summary["with_skill"]["pass_rate"]["mean"] == 1
    assert summary["old_skill"]["pass_rate"]["mean"] == 0
    assert float(summary["delta"]["pass_rate"]) == 1
    assert leg["verdict"]["delta"] > 0


def test_tokens_that_nobody_counted_are_unknown_and_no_characters(tmp_path: Path) -> None:
    """There 84852 tokens became the 12450 characters of the output."""
    body = "open('a.txt', 'w').write('x' * 5000); print('y' * 5000)"
    _, leg = measured(tmp_path, body, one(1, THERE))
    assert {result["tokens"] for result in outcomes(leg)} == {None}
    assert leg["benchmark"]["run_summary"]["with_skill"].get("tokens") in (None, {})


def test_a_closed_gate_counts_and_a_crash_is_named(tmp_path: Path) -> None:
    """There both were left out of the mean, the first silently."""
    body = f"""
if not {HAS_SKILL}: sys.exit(0)
if 'knife 1' in prompt: sys.exit(3)
if 'knife 2' in prompt: sys.exit(0)
open('a.txt', 'w')
"""
    _, leg = measured(tmp_path, body, *(one(n, THERE) for n in (1, 2, 3, 4)))
    found = leg["benchmark"]
    assert found["metadata"]["status"] == "partial"
    assert [(each["eval_id"], each["configuration"]) for each in found["missing"]] == [
        (1, "with_skill")
    ]
    assert [result["passed"] for result in outcomes(leg)] == [0, 1, 1]
    assert found["run_summary"]["with_skill"]["pass_rate"]["mean"] == pytest.approx(2 / 3, abs=1e-3)


def test_an_open_gate_asks_the_judge_and_a_closed_one_does_not(tmp_path: Path) -> None:
    """There one program wrote another field than the other read: the gate was always closed."""
    body = f"open('a.txt', 'w').write('sharp') if {HAS_SKILL} else None"
    _, leg = measured(tmp_path, body, one(1, THERE, quality_rubric=RUBRIC))
    [opened], [closed] = outcomes(leg), outcomes(leg, "without_skill")
    assert opened["gate_passed"] is True
    assert opened["rubric_normalized"] is not None
    assert closed["gate_passed"] is False
    assert closed.get("rubric_normalized") is None
    assert closed["overall_efficiency"] == 0


def test_words_of_the_prompt_are_not_words_of_the_output(tmp_path: Path) -> None:
    """There checks looked through the folder with the prompt: both came out wrong."""
    wanted = check("file_contains", match="SHARP", pattern="*")
    banned = {**check("file_not_contains", match="RUST", pattern="*"), "id": "S2"}
    _, leg = measured(tmp_path, "open('a.txt', 'w').write('blunt')", one(1, wanted, banned))
    [found] = [r for r in leg["benchmark"]["runs"] if r["configuration"] == "with_skill"]
    assert [each["passed"] for each in found["expectations"]] == [False, True]


def test_an_error_in_what_the_agent_said_is_seen(tmp_path: Path) -> None:
    """There the transcript was never written, so that this check always passed."""
    rule: Fields = {"id": "S1", "type": "no_errors", "description": "No errors"}
    quiet = one(1, rule)
    said = "print('Traceback (most recent call last):') if 'knife 2' in prompt else print('fine')"
    _, leg = measured(tmp_path, said, quiet, {**quiet, "id": 2, "prompt": "About knife 2."})
    runs = [r for r in leg["benchmark"]["runs"] if r["configuration"] == "with_skill"]
    assert [each["expectations"][0]["passed"] for each in runs] == [True, False]


def test_a_script_of_a_suite_does_not_run_unasked(tmp_path: Path) -> None:
    """There it was a shell with all variables of whoever called."""
    mark = tmp_path / "ran"
    script: Fields = {
        "id": "S1",
        "type": "custom_script",
        "description": "x",
        "script": f"touch {mark}",
    }
    _, leg = measured(tmp_path, "open('a.txt', 'w')", one(1, script, {**THERE, "id": "S2"}))
    assert not mark.exists()
    [result] = outcomes(leg)
    assert (result["passed"], result["total"]) == (1, 1), "and it counts for nothing"


def test_a_module_that_the_agent_leaves_does_not_speak_for_the_grader(tmp_path: Path) -> None:
    """In WunderBench the grader started where the agent had worked: its json.py came first."""
    body = """
open('json.py', 'w').write('import sys; print("mine"); sys.exit(0)')
open('calc.py', 'w').write('three = 3')
"""
    use = "python3 -c 'import json, calc; json.loads(\"1\"); raise SystemExit(calc.three)'"
    fair = "python3 -c 'import json, calc; assert json.dumps(calc.three) == str(3)'"
    checks: list[Fields] = [
        {"id": f"S{n}", "type": "custom_script", "description": "x", "script": script}
        for n, script in enumerate((use, fair), start=1)
    ]
    _, leg = measured(tmp_path, body, one(1, *checks), more=("--trust-scripts",))
    [found] = [r for r in leg["benchmark"]["runs"] if r["configuration"] == "with_skill"]
    said = [(each["passed"], each["evidence"]) for each in found["expectations"]]
    assert said == [(False, "exit 3"), (True, "exit 0")]


def test_a_run_of_which_nothing_came_does_not_exit_with_0(tmp_path: Path) -> None:
    """inspect_ai exits with 0 where no sample came to an end."""
    code, leg = measured(tmp_path, "sys.exit(3)", one(1, THERE))
    assert code == 1
    assert "with_skill" not in leg["benchmark"]["run_summary"], "nothing is not a mean of 0"


def test_a_gate_is_closed_where_there_is_nothing_to_measure(tmp_path: Path) -> None:
    limits = ("--fail-under", "0.5", "--max-trials", "0")
    code, _ = measured(tmp_path, "open('a.txt', 'w')", one(1, THERE), more=limits)
    assert code != 0


def test_three_evals_are_no_proof_however_clear_they_look(tmp_path: Path) -> None:
    """Others draw five runs again and again, and call that an interval of 95 %: it covers 41 %."""
    write = f"open('a.txt', 'w') if {HAS_SKILL} else None"
    _, leg = measured(tmp_path, write, *(one(n, THERE) for n in (1, 2, 3)))
    assert leg["verdict"]["label"] == "inconclusive"
    assert leg["verdict"]["interval"]["low"] <= 0


def test_a_skill_that_changes_nothing_is_not_significant(tmp_path: Path) -> None:
    """waza asks whether the score is other than 0, which any task is that does not fail."""
    evals = [one(n, THERE) for n in range(8)]
    _, leg = measured(tmp_path, "open('a.txt', 'w')", *evals)
    summary = leg["benchmark"]["run_summary"]
    assert summary["with_skill"]["pass_rate"]["mean"] == 1
    assert leg["verdict"]["label"] not in ("better", "worse")
    assert leg["verdict"]["delta"] == 0


def test_the_same_id_as_number_and_as_text_is_refused(tmp_path: Path) -> None:
    """There whole numbers crashed where paths are made of ids, and equal ids took one folder."""
    skill = skill_at(tmp_path / "knives", suite_of(one(1, THERE), one("1", THERE)))
    result = run("eval", "run", skill, "--workspace", tmp_path / "workspace")
    assert result.exit_code == 2
    assert "1" in result.stderr
    assert not (tmp_path / "workspace/evals").exists()


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf, "2", 10**400])
def test_weights_that_are_none_are_refused_with_their_place(
    tmp_path: Path, weight: JsonValue
) -> None:
    rubric: Fields = {"dimensions": [{"id": "Q1", "name": "depth", "weight": weight}]}
    skill = skill_at(tmp_path / "knives", suite_of(one(1, quality_rubric=rubric)))
    result = run("eval", "run", skill, "--workspace", tmp_path / "workspace")
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output


def test_an_output_that_ends_a_script_stays_a_text_in_the_page(tmp_path: Path) -> None:
    """There the page held the outputs as they were: `</script>` broke out of it."""
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    page = tmp_path / "report.html"
    body = f"open('a.txt', 'w').write({evil!r}); print({evil!r})"
    text = check("file_contains", match=evil)
    measured(tmp_path, body, {**one(1, text), "name": evil}, more=("--html", page))
    shown = page.read_text()
    assert "<script>alert(1)" not in shown
    assert "<img src=x" not in shown
    assert "alert(1)" in shown, "it is shown, as a text"


def triggered(skill: Path, *more: str) -> tuple[int, dict[str, Any]]:
    result = run("trigger", "run", skill, "--runs", "1", *more, "--json")
    return result.exit_code, json.loads(result.stdout)["results"][0] if result.stdout else {}


def test_a_trigger_run_changes_nothing_in_the_home_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There commands were written into the user's own `.claude`."""
    home = tmp_path / "home"
    (home / ".claude/commands").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("WHET_WORKSPACE", str(tmp_path / "workspace"))
    skill = write_skill(tmp_path / "own")
    write_queries(skill, [*wants("Do it."), *shuns("Sing.")])
    before = files(tmp_path)
    code, found = triggered(skill)
    assert (code, found["trials"]["executed"]) == (0, 2)
    new = files(tmp_path) - before
    assert not [name for name in new if name.startswith(("home/", "own/"))]


def test_queries_that_are_there_twice_are_refused(tmp_path: Path) -> None:
    """There a query could be in training and in the test."""
    skill = write_skill(tmp_path / "own")
    write_queries(skill, [*wants("Do it.", "Do it."), *shuns("Sing.")])
    result = run("trigger", "run", skill, "--workspace", tmp_path / "workspace")
    assert result.exit_code == 2
    assert "query 2 repeats query 1" in result.stderr


FAILING = """#!/bin/sh
case "$*" in *--version*) echo "2.1.325 (Claude Code)"; exit 0;; esac
echo '{"type": "result", "subtype": "success", "is_error": true, "api_error_status": 401}'
exit 1
"""


def test_a_run_that_could_not_be_is_not_one_that_did_not_trigger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There every query that should not trigger passed while the login of the agent failed."""
    program = tmp_path / "bin/claude"
    program.parent.mkdir()
    program.write_text(FAILING)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up")
    monkeypatch.setenv("WHET_WORKSPACE", str(tmp_path / "workspace"))
    skill = write_skill(tmp_path / "own")
    write_queries(skill, [*wants("Do it."), *shuns("Sing.")])
    code, found = triggered(skill, "--engine", "claude", "--yes")
    assert code == 1
    assert found["result"]["summary"] == {"total": 0, "passed": 0, "failed": 0}
    assert found["result"]["unknown"] == 2
    assert "accuracy" not in found["result"]

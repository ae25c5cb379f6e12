"""``whet eval`` as a stranger uses it."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import psutil
import pytest

from tests.evaluate.suites import eval_, skill_at, suite_of
from tests.flows.command import (
    assert_every_trial_answered_once,
    executions,
    started,
    whet,
)
from tests.flows.test_survival import killed, wait_for_executions
from whet.documents.benchmark import Benchmark
from whet.documents.grading import Grading

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples/careful-python"
TRIALS = 48
"""Of the example: eight evals, with and without the skill, three times."""

MANY = 160


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A skill with so many trials that a kill falls in between."""
    evals = [eval_(number) for number in range(1, 21)]
    return skill_at(tmp_path / "knives", suite_of(*evals, eval_config={"runs_per_eval": 4}))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the example in it."""
    workspace = tmp_path_factory.mktemp("finished") / "workspace"
    done = whet("eval", EXAMPLE, "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert "careful-python" in done.stdout
    assert "Simulated" in done.stdout
    folder = workspace / "evals/careful-python/simulated__simulated/iteration-1"
    assert done.stdout.endswith(
        f"{TRIALS} run now, 0 only graded anew, 0 reused\nfiles  {folder}\n"
    )
    return workspace


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "workspace"))


def report(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_documents_are_whole(workspace: Path, trials: int) -> None:
    """Every run has its folder, and nothing is left of what was being written."""
    [place] = workspace.glob("evals/*/*/iteration-*")
    found = Benchmark.load(place / "benchmark.json")
    assert (found.metadata.status, len(found.runs)) == ("completed", trials)
    gradings = [Grading.load(path) for path in place.glob("eval-*/*/run-*/grading.json")]
    scores = sorted(
        one.overall_efficiency for one in gradings if one.overall_efficiency is not None
    )
    ours = sorted(
        run.result.overall_efficiency
        for run in found.runs
        if run.result.overall_efficiency is not None
    )
    assert len(scores) == trials
    assert scores == ours


def test_the_example_as_json(copy: Path) -> None:
    """The second time nothing is run, and the numbers are the same."""
    first = report(whet("eval", EXAMPLE, "--workspace", copy, "--json"))
    assert first["status"] == "completed"
    [leg] = first["legs"]
    assert leg["trials"] == {"total": TRIALS, "executed": 0, "regraded": 0, "reused": TRIALS}
    assert first["spent"]["trials"] == 0
    assert leg["verdict"]["label"] in ("better", "no_difference", "inconclusive", "worse")
    assert Benchmark.parse(leg["benchmark"], "stdout").metadata.simulated is True
    assert Path(leg["folder"], "benchmark.md").is_file()
    assert_documents_are_whole(copy, TRIALS)
    assert_every_trial_answered_once(copy, TRIALS)


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    told = report(whet("eval", EXAMPLE, "--workspace", workspace, "--dry-run", "--json"))
    assert (told["evals"], told["legs"][0]["run"]) == (8, TRIALS)
    assert told["estimate"]["paid"] is False
    words = whet("eval", EXAMPLE, "--workspace", workspace, "--dry-run")
    assert words.returncode == 0
    assert "careful-python" in words.stdout
    assert not executions(workspace)
    assert not (workspace / "evals").exists()


def test_reports_that_were_asked_for(copy: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("junit", "html", "markdown", "summary")}
    files["summary"].write_text("# Before\n")
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    done = whet("eval", EXAMPLE, "--workspace", copy, *options)
    assert done.returncode == 0, done.stderr
    root = ET.parse(files["junit"]).getroot()
    assert root.tag == "testsuites"
    assert files["html"].read_text().lower().startswith("<!doctype html>")
    text = files["markdown"].read_text()
    assert files["summary"].read_text() == "# Before\n" + text


@pytest.mark.parametrize("option", ["--junit", "--html", "--markdown", "--summary"])
@pytest.mark.parametrize("path", ["missing/folder/file", "."])
def test_a_file_that_cannot_be_written(tmp_path: Path, option: str, path: str) -> None:
    """One line, before anything is run and paid for."""
    target, workspace = tmp_path / path, tmp_path / "workspace"
    done = whet("eval", EXAMPLE, "--workspace", workspace, option, target)
    assert done.returncode == 3
    assert done.stderr.startswith(f"whet: cannot write {target}: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not executions(workspace)


def test_runs_without_an_answer_are_said_as_a_project_says_them(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    asked = ("eval", EXAMPLE, "--workspace", workspace, "--option", 'simulate={"crash":0.4}')
    done = whet(*asked, WHET_DEFAULT_RETRY_COUNT="0")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("whet: runs without an answer: ")
    machine = whet(*asked, "--json", "--max-trials", "1", WHET_DEFAULT_RETRY_COUNT="0")
    said = json.loads(machine.stdout)
    assert (said["unanswered"], machine.returncode) in ((0, 0), (1, 1)), "a limit is no error"
    assert said["status"] == "partial"


def test_gates(copy: Path) -> None:
    def gate(*options: str) -> subprocess.CompletedProcess[str]:
        return whet("eval", EXAMPLE, "--workspace", copy, *options)

    closed = gate("--fail-under", "1")
    assert closed.returncode == 1
    assert closed.stderr.endswith("whet: the gate is closed\n")
    assert "is under 1" in closed.stderr
    assert gate("--fail-under", "0").returncode == 0
    partial = gate("--runs", "4", "--max-trials", "1", "--fail-under", "0")
    assert partial.returncode == 1
    assert "partial" in partial.stderr


def test_every_mistake_on_a_line_of_its_own(tmp_path: Path) -> None:
    """And none of them reaches the terminal as it is."""
    bad = suite_of(
        eval_(1, prompt=""), eval_("\x1b[2J\nx", files=["none"]), eval_config={"runs_per_eval": 0}
    )
    folder = skill_at(tmp_path / "knives", bad)
    done = whet("eval", folder, "--workspace", tmp_path / "workspace")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "whet: eval_config.runs_per_eval: must be 1 to 100"
    assert lines[1] == "whet: eval 1: prompt: must not be empty"
    assert lines[2].endswith("files: 'none': is not there")
    assert lines[3].endswith("has 3 mistakes; nothing was run")
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--runs", "101"], 2, "'--runs': "),
        (["--timeout", "inf"], 2, "'--timeout': "),
        (["--max-cost", "inf"], 2, "max_cost_usd: "),
        (["--engine", "nope"], 2, "unknown engine 'nope'"),
        (["--model", "claude:opus"], 2, "add: --engine claude"),
        (["--against", "nowhere"], 2, "no folder nowhere"),
        (["--engine", "api", "--model", "x", "--judge", "simulated"], 2, "write anthropic:"),
    ],
)
def test_what_is_refused_in_one_line(
    tmp_path: Path, options: list[str], code: int, says: str
) -> None:
    workspace = tmp_path / "workspace"
    done = whet("eval", EXAMPLE, "--workspace", workspace, *options)
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert not workspace.exists() or not executions(workspace)


def test_no_skill_and_no_suite(tmp_path: Path) -> None:
    for folder, says in ((tmp_path / "none", "no folder"), (tmp_path, "no SKILL.md")):
        done = whet("eval", folder, "--workspace", tmp_path / "workspace")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert says in done.stderr


@pytest.mark.parametrize("moment", [0.4, 0.8, 1.2, 1.8])
def test_kill_9_at_any_moment(moment: float, tmp_path: Path, many: Path) -> None:
    workspace = tmp_path / "workspace"
    process = started("eval", many, "--workspace", workspace)
    time.sleep(moment)
    killed(process)
    found = report(whet("eval", many, "--workspace", workspace, "--json"))
    assert found["status"] == "completed"
    assert_every_trial_answered_once(workspace, MANY)
    assert_documents_are_whole(workspace, MANY)


def test_kill_9_in_the_middle(tmp_path: Path, many: Path) -> None:
    """Only what was under way is started again."""
    workspace = tmp_path / "workspace"
    process = started("eval", many, "--workspace", workspace, "--parallel", "2")
    wait_for_executions(workspace, process, more=10)
    killed(process)
    before = len([1 for _, outcome in executions(workspace) if outcome == "answered"])
    found = report(whet("eval", many, "--workspace", workspace, "--json"))
    assert found["status"] == "completed"
    assert found["legs"][0]["trials"]["executed"] == MANY - before
    assert len(executions(workspace)) <= MANY + 2
    assert_every_trial_answered_once(workspace, MANY)
    assert_documents_are_whole(workspace, MANY)


def test_kill_9_gives_nobody_the_budget_again(tmp_path: Path, many: Path) -> None:
    """Who goes on has what is left; what was under way may be lost."""
    workspace, most, lanes = tmp_path / "workspace", 40, 2
    options = ("--max-trials", str(most), "--parallel", str(lanes))
    process = started("eval", many, "--workspace", workspace, *options)
    wait_for_executions(workspace, process, more=10)
    killed(process)
    found = json.loads(whet("runs", "list", "--workspace", workspace, "--json").stdout)
    [run] = found["runs"]
    assert run["status"] == "interrupted"
    assert 0 < run["spending"]["trials"] < most
    for _ in range(2):
        whet("runs", "resume", run["id"], "--workspace", workspace)
    assert most - lanes <= len(executions(workspace)) <= most + lanes < MANY
    whet("runs", "resume", run["id"], "--max-minutes", "5", "--workspace", workspace)
    assert_every_trial_answered_once(workspace, MANY)


def test_two_processes_share_the_trials(tmp_path: Path, many: Path) -> None:
    workspace = tmp_path / "workspace"
    both = [started("eval", many, "--workspace", workspace, "--json") for _ in range(2)]
    outputs = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    one, other = (json.loads(out) for out, _ in outputs)
    assert one["eval_id"] == other["eval_id"]
    assert one["legs"][0]["folder"] == other["legs"][0]["folder"]
    assert (
        one["legs"][0]["benchmark"]["run_summary"] == other["legs"][0]["benchmark"]["run_summary"]
    )
    assert len(executions(workspace)) == MANY
    assert_every_trial_answered_once(workspace, MANY)
    assert_documents_are_whole(workspace, MANY)


def test_ctrl_c_is_told_and_leaves_nothing_behind(tmp_path: Path, many: Path) -> None:
    workspace = tmp_path / "workspace"
    process = started("eval", many, "--workspace", workspace)
    wait_for_executions(workspace, process, more=5)
    if process.poll() is not None:
        pytest.skip("it was over before it could be stopped")
    family = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    if process.returncode == 0:
        pytest.skip("it was over before it could be stopped")
    assert process.returncode == 130
    assert errors.splitlines()[-1].startswith("whet: stopped; run the same command again")
    assert "Traceback" not in errors
    assert not [child for child in family if child.is_running()]
    assert not [address for address, outcome in executions(workspace) if outcome is None]
    [place] = workspace.glob("evals/*/*/iteration-*")
    assert Benchmark.load(place / "benchmark.json").metadata.status == "partial"
    assert report(whet("eval", many, "--workspace", workspace, "--json"))["status"] == "completed"
    assert_every_trial_answered_once(workspace, MANY)

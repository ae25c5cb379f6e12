"""Capability runs through the real command: several processes, signals, a terminal."""

import csv
import io
import json
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.pages import Page, assert_harmless
from tests.flows.command import assert_every_trial_answered_once, started, whet
from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

LOGIC = ("--dimension", "logic")
SLOW = (*LOGIC, "--option", 'simulate={"latency_ms": 1200}', "--concurrency", "2")
CASES = 13
"""Of that dimension."""

PATIENCE = 60.0
MEASURED = 48
"""Of the 55 cases of the bundled set; the others need what the simulated agent has not."""


class Desk:
    """A fresh workspace."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        self.scratch = str(folder / "scratch")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return whet(*self.whole(arguments), WHET_SCRATCH=self.scratch)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return started(*self.whole(arguments), WHET_SCRATCH=self.scratch)

    def read(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def whole(self, arguments: tuple[str, ...]) -> tuple[str | Path, ...]:
        return ("capability", *arguments, "--workspace", self.workspace)

    def until_under_way(self) -> str:
        """The id of a run that has settled something, and not all."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            items = self._items()
            if {"passed", "active"} <= {status for _, status in items}:
                return items[0][0]
            time.sleep(0.1)
        raise AssertionError("nothing is under way")

    def _items(self) -> list[tuple[str, str]]:
        """Run and status of each item; a command for it would take longer than a run does."""
        path = self.workspace / "whet.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            try:
                found = database.execute("SELECT run_id, status FROM evaluation_items")
                return found.fetchall()
            except sqlite3.OperationalError:  # the tables are being made
                return []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def test_the_bundled_set_on_a_fresh_workspace(desk: Desk, tmp_path: Path) -> None:
    first = desk.run("run")
    assert first.returncode == 0, first.stderr
    assert "simulated on default: " in first.stdout
    assert f"{MEASURED} of 55 cases measured" in first.stdout
    assert first.stderr == "" or first.stderr.startswith("simulated, default: ")
    assert_every_trial_answered_once(desk.workspace, MEASURED)
    detail = desk.read("show", "latest")
    assert (detail["run"]["simulated"], len(detail["items"])) == (True, 55)
    second = desk.read("run")
    assert_every_trial_answered_once(desk.workspace, 2 * MEASURED)
    ids = [one["run"]["run_id"] for one in (detail, second)]
    [difference] = desk.read("compare", *ids)["differences"]
    assert difference["changes"].keys() == {"still_passed", "still_failed", "not_measured"}
    assert desk.read("stability", *ids)["stable"]
    for form in ("html", "json", "csv", "markdown"):
        desk.read("export", ids[0], "--format", form, "--output", f"{tmp_path}/")
    [page] = tmp_path.glob("*.html")
    assert_harmless(Page(page.read_text()), page.read_text())
    [table] = tmp_path.glob("*.csv")
    text = table.read_text(encoding="utf-8-sig")
    assert len([*csv.DictReader(io.StringIO(text, newline=""))]) == 55
    [whole] = tmp_path.glob("*.json")
    assert len(json.loads(whole.read_text())["items"]) == 55
    [told] = tmp_path.glob("*.md")
    assert told.read_text().startswith("# simulated on default: ")


def test_a_run_is_cancelled_from_another_process(desk: Desk) -> None:
    process = desk.start("run", *SLOW)
    run_id = desk.until_under_way()
    cancelled = desk.read("cancel", run_id[:8])
    assert cancelled["status"] == "cancelled"
    assert cancelled["counts"]["cancelled"] > 0
    assert cancelled["counts"]["passed"] > 0
    code, out, err = ended(process)
    assert (code, out) == (1, "")
    assert f"whet: run {run_id[:8]} was cancelled; what it has is kept: whet capability show" in err
    shown = desk.run("show", run_id)
    assert "Cancelled before its end" in shown.stdout
    assert_says_what_it_rests_on(desk, run_id, shown.stdout)
    again = desk.run("resume", run_id)
    assert (again.returncode, again.stdout) == (2, "")
    assert "is cancelled; start a new one" in again.stderr


def assert_says_what_it_rests_on(desk: Desk, run_id: str, shown: str) -> None:
    """A total of a few cases never stands alone: not on a terminal, nor in JSON or a report."""
    run = desk.read("show", run_id)["run"]
    measured = run["measured_cases"]
    assert 0 < measured < CASES == run["counts"]["total"]
    assert f"of 100, on {measured} of {CASES} cases only" in shown.splitlines()[0]
    assert f"({measured} of {CASES})" in desk.run("list").stdout
    assert [one["measured_cases"] for one in desk.read("list")["runs"]] == [measured]
    for form in ("html", "markdown"):
        report = desk.run("export", run_id, "--format", form, "--output", "-").stdout
        assert f"of 100, on {measured} of {CASES} cases only" in report, form
    whole = json.loads(desk.run("export", run_id, "--format", "json", "--output", "-").stdout)
    assert whole["run"]["measured_cases"] == measured
    other = desk.read("run", *LOGIC)["run"]["run_id"]
    assert f"({measured} of {CASES})" in desk.run("compare", run_id, other).stdout
    [difference] = desk.read("compare", run_id, other)["differences"]
    assert f"is cancelled: {measured} of {CASES} cases measured" in difference["warnings"][0]


def test_ctrl_c_says_how_to_go_on(desk: Desk) -> None:
    process = desk.start("run", *SLOW)
    run_id = desk.until_under_way()
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    said = err.splitlines()[-1]
    assert said.startswith(f"whet: stopped; go on with: whet capability resume {run_id[:8]}")
    assert "Interrupted: its process is gone" in desk.run("show", run_id).stdout
    done = whet(*said.partition("go on with: whet ")[2].split(), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"]["status"] == "finished"
    assert_every_trial_answered_once(desk.workspace, CASES)


def test_what_was_killed_is_resumed_and_comes_to_the_same(desk: Desk) -> None:
    process = desk.start("run", *SLOW)
    run_id = desk.until_under_way()
    busy = desk.run("resume", run_id)
    assert (busy.returncode, "is being carried out" in busy.stderr) == (2, True)
    process.kill()
    process.communicate()
    assert "interrupted" in desk.run("list").stdout
    done = desk.run("resume", run_id, "--json")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^simulated, default: \d+ of 13 cases", done.stderr, re.MULTILINE)
    resumed = json.loads(done.stdout)
    assert resumed["run"]["status"] == "finished"
    assert_every_trial_answered_once(desk.workspace, CASES)
    whole = desk.read("run", *LOGIC)
    assert resumed["run"]["total_score"] == whole["run"]["total_score"]


def test_a_terminal_sees_a_bar_and_then_the_result(desk: Desk) -> None:
    arguments = desk.whole(("run", *LOGIC))
    code, seen = Terminal(*arguments, WHET_SCRATCH=desk.scratch).ended()
    assert code == 0
    assert f"/{CASES}" in seen
    assert "13 of 13 cases measured" in seen

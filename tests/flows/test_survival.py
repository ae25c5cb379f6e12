"""Any process may die at any line: nothing is lost, nothing runs twice."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.flows.command import assert_every_trial_answered_once, demo, executions, started

pytestmark = pytest.mark.slow

MOMENTS = [*(random.Random(moment).uniform(0.3, 4.0) for moment in range(4)), 1.5, 2.5]
"""Seconds after the start; the first ones fall into imports, the last ones behind the end."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return demo(tmp_path_factory.mktemp("undisturbed"))["ranking"]


def killed(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("moment", MOMENTS)
def test_kill_9_at_any_moment(
    moment: float, tmp_path: Path, undisturbed: list[dict[str, Any]]
) -> None:
    process = started("demo", "--workspace", tmp_path)
    time.sleep(moment)
    killed(process)
    report = demo(tmp_path)
    assert json.dumps(report["ranking"]) == json.dumps(undisturbed)
    assert_every_trial_answered_once(tmp_path, 90)


def test_kill_9_again_and_again(tmp_path: Path, undisturbed: list[dict[str, Any]]) -> None:
    """Each life gets a little further, from wherever the last one ended."""
    for _ in range(4):
        process = started("demo", "--workspace", tmp_path)
        wait_for_executions(tmp_path, process, more=5)
        killed(process)
    report = demo(tmp_path)
    assert json.dumps(report["ranking"]) == json.dumps(undisturbed)
    assert_every_trial_answered_once(tmp_path, 90)


def test_two_processes_share_the_work(tmp_path: Path, undisturbed: list[dict[str, Any]]) -> None:
    both = [started("demo", "--workspace", tmp_path, "--json") for _ in range(2)]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    for report in reports:
        assert json.dumps(report["ranking"]) == json.dumps(undisturbed)
    assert reports[0]["folder"] == reports[1]["folder"]
    assert_every_trial_answered_once(tmp_path, 90)
    assert len(executions(tmp_path)) == 90


def test_the_survivor_takes_over(tmp_path: Path, undisturbed: list[dict[str, Any]]) -> None:
    dying, living = (started("demo", "--workspace", tmp_path, "--json") for _ in range(2))
    wait_for_executions(tmp_path, dying, more=5)
    killed(dying)
    begun = time.monotonic()
    report = json.loads(living.communicate(timeout=60)[0])
    assert json.dumps(report["ranking"]) == json.dumps(undisturbed)
    assert_every_trial_answered_once(tmp_path, 90)
    assert time.monotonic() - begun < 20


def test_ctrl_c_ends_everything_within_two_seconds(
    tmp_path: Path, undisturbed: list[dict[str, Any]]
) -> None:
    process = started("demo", "--workspace", tmp_path)
    wait_for_executions(tmp_path, process, more=5)
    family = psutil.Process(process.pid).children(recursive=True)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=10)
    assert time.monotonic() - begun < 2
    assert process.returncode == 130
    assert errors.splitlines()[-1].startswith("whet: stopped")
    assert not [child for child in family if child.is_running()]
    assert not [outcome for _, outcome in executions(tmp_path) if outcome is None]
    config = json.loads(next(tmp_path.glob("projects/*/config.json")).read_text())
    assert config["status"] == "interrupted"
    report = demo(tmp_path)
    assert json.dumps(report["ranking"]) == json.dumps(undisturbed)
    assert_every_trial_answered_once(tmp_path, 90)


def wait_for_executions(workspace: Path, process: subprocess.Popen[str], more: int) -> None:
    """Until the process has closed some executions of its own, or ended."""
    before = len(closed(workspace))
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        if len(closed(workspace)) >= before + more:
            return
        time.sleep(0.01)


def closed(workspace: Path) -> list[str]:
    try:
        return [address for address, outcome in executions(workspace) if outcome == "answered"]
    except sqlite3.OperationalError:  # the database is not there yet, or has no tables
        return []

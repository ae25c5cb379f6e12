"""Following an agent from another process: a job to its session, and a process that is killed."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import started, whet

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "text-report"


def job(workspace: Path, document: Path, latency_ms: int) -> subprocess.Popen[str]:
    document.write_text("The Rhine is long. Ships use the Rhine.\n")
    simulate = json.dumps({"latency_ms": latency_ms})
    return started(
        *("run", EXAMPLE, "--workspace", workspace, "--engine", "simulated"),
        *("--input", "title=Rivers", "--file", f"document={document}"),
        *("--option", f"simulate={simulate}"),
    )


def at_work(workspace: Path) -> dict[str, Any]:
    """What runs, once something does."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        listed = json.loads(whet("session", "tail", "--workspace", workspace, "--json").stdout)
        if listed["sessions"]:
            return listed["sessions"][0]
    raise AssertionError("nothing runs")


def test_a_job_is_followed_to_its_session(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    working = job(workspace, tmp_path / "in.txt", 4_000)
    head = at_work(workspace)
    assert (head["engine"], head["simulated"]) == ("simulated", True)
    request = json.loads(whet("job", "list", "--workspace", workspace, "--json").stdout)
    reference = request["jobs"][0]["request_id"]
    followed = whet("session", "tail", reference, "--workspace", workspace, "--json")
    assert followed.returncode == 0, followed.stderr
    events = [json.loads(line) for line in followed.stdout.splitlines()]
    assert events[0]["kind"] == "started"
    assert [event["kind"] for event in events[-2:]] == ["ended", "finished"]
    working.communicate(timeout=60)
    assert working.returncode == 0
    session = json.loads((workspace / f"sessions/{events[-1]['session_id']}.json").read_text())
    calls = [event["call"] for event in events if event["kind"] == "call_closed"]
    assert calls == session["tool_calls"]
    assert calls
    text = whet("session", "tail", reference[:8], "--workspace", workspace)
    assert (text.returncode, text.stderr) == (0, "")
    assert events[-1]["session_id"] in text.stdout
    assert list((workspace / ".live").iterdir()) == []


def test_a_process_that_is_killed_ends_the_tail_with_a_failure(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    working = job(workspace, tmp_path / "in.txt", 600_000)
    head = at_work(workspace)
    following = started("session", "tail", head["execution"], "--workspace", workspace)
    assert following.stdout is not None
    first = following.stdout.readline()
    os.kill(working.pid, signal.SIGKILL)
    working.communicate()
    out, err = following.communicate(timeout=60)
    assert following.returncode == 1, err
    assert head["execution"][:8] in first
    assert "the process behind it is gone" in out
    listed = whet("session", "tail", "--workspace", workspace)
    assert (listed.returncode, listed.stdout) == (0, "nothing runs now\n")

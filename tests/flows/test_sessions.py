"""Imports survive kills and each other, and large logs stay small in memory."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.sessions.logs import desk_on, work, write_log
from whet.ports.session_query import SessionQuery

WHET = Path(sys.executable).with_name("whet")
LOGS = 30

pytestmark = pytest.mark.slow

_MEASURED = """
import re, sys
from pathlib import Path
from whet.app.app import opened
from whet.app.sessions.intake import Intake
from whet.app.sessions.sessions import sessions
from whet.app.settings import read

with opened(read(Path(sys.argv[1]))) as app, sessions(app) as desk:
    done = Intake(desk.shelf).take(Path(sys.argv[2]))
# Not what getrusage says, which begins with the peak of the process that started this one.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(done.status, done.calls, int(peak[1]) // 1024)
"""


def importing(workspace: Path, *paths: Path) -> "subprocess.Popen[bytes]":
    command = [WHET, "session", "import", *paths, "--workspace", workspace, "--json"]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "WHET_SCRATCH": str(workspace.with_name("scratch"))},
    )


def logs(folder: Path) -> Path:
    for number in range(LOGS):
        write_log(folder / f"{number}.jsonl", work(25, f"{number:08}", f"Whet number {number}."))
    return folder


def is_whole(workspace: Path) -> None:
    """Every log is there once, and every file is a session."""
    files = sorted((workspace / "sessions").glob("*.json"))
    ids = [json.loads(file.read_bytes())["as_read"]["session_id"] for file in files]
    assert sorted(ids) == [f"{number:08}" for number in range(LOGS)]
    originals = workspace / "sessions/originals"
    assert len([*originals.glob("[!.]*/report.json")]) == LOGS
    with desk_on(workspace) as desk:
        assert desk.list(SessionQuery()).total == LOGS
        assert desk.index.broken() == []


def test_an_import_that_is_killed_again_and_again_comes_to_its_end(tmp_path: Path) -> None:
    folder, workspace = logs(tmp_path / "logs"), tmp_path / "ws"
    chance = random.Random(5)
    for _ in range(5):
        process = importing(workspace, folder)
        deadline = time.monotonic() + 60
        before = len([*workspace.glob("sessions/*.json")])
        # It dies in the midst of its work, not before.
        while process.poll() is None and time.monotonic() < deadline:
            if len([*workspace.glob("sessions/*.json")]) > before + chance.randrange(4):
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = importing(workspace, folder)
    process.communicate()
    assert process.returncode == 0
    is_whole(workspace)


def test_several_processes_import_the_same_at_once(tmp_path: Path) -> None:
    folder, workspace = logs(tmp_path / "logs"), tmp_path / "ws"
    several = [importing(workspace, folder) for _ in range(3)]
    for process in several:
        _, said = process.communicate()
        assert process.returncode == 0, said
    is_whole(workspace)


@pytest.mark.parametrize("kind", ["many lines", "one line of 64 MB"])
def test_a_large_log_stays_small_in_memory(tmp_path: Path, kind: str) -> None:
    """Most of a large log is outputs, of which sessions keep the beginning."""
    log, size, calls = tmp_path / "log.jsonl", 200 * 1024 * 1024, 0
    rows = work(3)
    with log.open("w") as file:
        if kind == "many lines":
            text = json.dumps(rows[3]).replace('"ok"', json.dumps("some output " * 80_000))
            file.write("".join(json.dumps(row) + "\n" for row in rows[:2]))
            while file.tell() < size:
                calls += 1
                file.write(json.dumps(rows[2]).replace("c0", f"n{calls}") + "\n")
                file.write(text.replace("c0", f"n{calls}") + "\n")
        else:
            calls = 3
            long = json.dumps(rows[3]).replace('"ok"', json.dumps("x" * 64 * 1024 * 1024))
            file.write("".join(json.dumps(row) + "\n" for row in rows[:3]))
            file.write(long + "\n")
            file.write("".join(json.dumps(row) + "\n" for row in rows[4:]))
    command = [sys.executable, "-c", _MEASURED, tmp_path / "ws", log]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, counted, peak = done.stdout.split()
    assert (status, int(counted)) == ("imported", calls)
    assert int(peak) < 250
    [kept] = (tmp_path / "ws/sessions/originals").glob("*/log.jsonl")
    assert kept.stat().st_size == log.stat().st_size

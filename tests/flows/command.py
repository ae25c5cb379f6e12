"""Run the real command, and look into what it left."""

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, cast

from tests.flows.fork_server import ForkedCommand

WHET = Path(sys.executable).with_name("whet")


class Starting:
    """How commands are started."""

    is_forked = False
    """From a process that has imported everything already."""


def environment(**more: str) -> dict[str, str]:
    """A clean environment: nothing of the caller's settings reaches the command."""
    keep = {
        name: os.environ[name] for name in ("PATH", "HOME", "WHET_CONFIG_DIR") if name in os.environ
    }
    return {**keep, "LANG": "C.UTF-8", **more}


def whet(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run to the end."""
    process = started(*arguments, **more)
    try:
        out, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def started(*arguments: str | Path, **more: str) -> subprocess.Popen[str]:
    """Start in the background, in a session of its own."""
    if Starting.is_forked:
        forked = ForkedCommand([str(WHET), *map(str, arguments)], environment(**more))
        return cast("subprocess.Popen[str]", forked)
    return subprocess.Popen(
        [WHET, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**more),
        start_new_session=True,
    )


def demo(workspace: Path) -> dict[str, Any]:
    """Run the demo to its end and return its JSON."""
    done = whet("demo", "--workspace", workspace, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def executions(workspace: Path) -> list[tuple[str, str | None]]:
    """Address and outcome of every execution."""
    with sqlite3.connect(f"file:{workspace}/whet.db?mode=ro", uri=True) as database:
        rows = database.execute("SELECT address, outcome FROM executions").fetchall()
    database.close()
    return rows


def assert_every_trial_answered_once(workspace: Path, trials: int) -> None:
    """Nothing lost, nothing twice."""
    answered = Counter(
        address for address, outcome in executions(workspace) if outcome == "answered"
    )
    assert len(answered) == trials
    assert set(answered.values()) == {1}
    assert not [address for address, outcome in executions(workspace) if outcome is None]

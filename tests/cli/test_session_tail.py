"""What ``whet session tail`` prints of agents at work and of those that are done."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.app.sessions.following import Paced, runner, steps, two_apps
from tests.cli.calls import done, read, run
from tests.run.agents import spec
from whet.core.execution import Execution


@pytest.fixture
def over(tmp_path: Path) -> tuple[Path, Execution]:
    """A workspace with one trial that is over."""

    async def scenario() -> None:
        script = Paced(steps())
        script.let(99)
        await runner(worker, script)(spec("Go.\x1b[31m"))

    with two_apps(tmp_path / "workspace") as (worker, _):
        asyncio.run(scenario())
        [execution] = worker.store.ledger.executions(spec("Go.\x1b[31m").address)
    return tmp_path / "workspace", execution


def test_nothing_runs(tmp_path: Path) -> None:
    assert done("session", "tail", "--workspace", tmp_path) == "nothing runs now\n"
    assert read("session", "tail", "--workspace", tmp_path) == {"sessions": []}
    missing = run("session", "tail", "nobody", "--workspace", tmp_path)
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "nobody" in missing.stderr


def test_what_is_over_is_told_from_its_beginning(over: tuple[Path, Execution]) -> None:
    workspace, execution = over
    text = done("session", "tail", execution.id, "--workspace", workspace)
    assert "\x1b" not in text
    rows = [line[20:] for line in text.splitlines()]
    assert rows[0].startswith("begins: hand m, Go.")
    assert rows[2] == "calls Task"
    assert "calls $ make" in rows
    assert "Bash failed, 0 ms exit 2" in rows
    assert "has answered" in rows
    assert "calls that never came back: 1" in rows
    assert rows[-1].startswith(f"see it with: whet session show trial-{execution.address[:16]}")
    lines = done("session", "tail", execution.address, "--workspace", workspace, "--json")
    events = [json.loads(line) for line in lines.splitlines()]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["end"]["outcome"] == "answered"

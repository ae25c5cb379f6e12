"""What an agent at work is for, and following all of an experiment."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import sayings, started, write_set
from tests.app.opening import COMPARISON, fill
from tests.app.sessions.following import appeared, two_apps
from whet.app.capability.runs import Evaluations
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.sessions.live import at_work_for, is_active, is_experiment
from whet.app.sessions.tail import follow_experiment
from whet.documents.live import LiveEvent, LiveHead
from whet.documents.session import Session
from whet.documents.text import parse_json

SLOW: dict[str, Any] = {"simulate": {"latency_ms": 400}}


@pytest.mark.slow
def test_all_agents_of_a_project_are_followed_side_by_side(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)

    async def scenario() -> tuple[str, LiveHead, list[LiveEvent]]:
        project = create_project(worker, COMPARISON.model_copy(update={"options": SLOW}))
        identity = project.config.id
        running = asyncio.create_task(Experiments(worker).run(project))
        head = await appeared(watcher)
        assert is_experiment(watcher, identity)
        assert is_active(watcher, identity)
        events = [event async for batch in follow_experiment(watcher, identity) for event in batch]
        await running
        assert not is_active(watcher, identity)
        assert at_work_for(watcher, identity) == []
        return identity, head, events

    with two_apps(workspace) as (worker, watcher):
        identity, head, events = asyncio.run(asyncio.wait_for(scenario(), 60))
        assert head.place is not None
        assert head.place.subject == identity
        assert head.place.attempt in (1, 2)
        ended = [event for event in events if event.kind == "ended"]
        assert len(ended) == 8
        for one in ended:
            assert one.end is not None
            assert one.end.session is not None
            log = parse_json(watcher.store.blobs.get(one.end.session), "log")
            calls = [
                event.call
                for event in events
                if event.kind == "call_closed" and event.execution == one.execution
            ]
            assert calls == list(Session.parse(log, "log").tool_calls)


def test_a_case_of_a_capability_run_is_known_by_its_name(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    write_set(workspace, sayings(1))
    body = {
        "model_name": "simulated",
        "case_set": "mini",
        "language": "en-US",
        "config_overrides": {"options": {"simulate": {"latency_ms": 300_000}}},
    }

    async def scenario() -> tuple[str, LiveHead]:
        run_id = started(worker, body)
        running = asyncio.create_task(Evaluations(worker).run(run_id))
        head = await appeared(watcher)
        assert [one.execution for one in at_work_for(watcher, run_id)] == [head.execution]
        assert is_active(watcher, run_id)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return run_id, head

    with two_apps(workspace) as (worker, watcher):
        run_id, head = asyncio.run(asyncio.wait_for(scenario(), 60))
    assert head.place is not None
    assert head.place.subject == f"evaluation/{run_id}"
    assert head.place.case == sayings(1)[0]["id"]

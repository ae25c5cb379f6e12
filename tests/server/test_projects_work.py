"""Running, pausing, stopping and retrying projects over HTTP, whichever process does the work."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.bundling import bundle, packed, unpacked, with_config
from tests.app.opening import COMPARISON, allow, app_on, fill
from tests.curate.shelves import add_baseline
from tests.flows.command import assert_every_trial_answered_once, executions
from tests.server.calling import assert_problem, calling
from tests.server.projects import PROJECTS, carried_out, ended, made, results
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.core.errors import Halted
from whet.evaluate.project import Project
from whet.server import projects_work

LONG = {
    "baselines": ["Many"],
    "repeats": 5,
    "options": {"simulate": {"latency_ms": 150}},
}
"""A hundred trials that take their time, so that there is some for wishes."""

SLEEPER = """
import os, pathlib, time
(pathlib.Path({folder!r}) / str(os.getpid())).touch()
time.sleep(600)
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    add_baseline(tmp_path / "workspace", "Many", count=10)
    return tmp_path / "workspace"


def test_run_again_runs_nothing_again(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            first = await results(client, project)
            answer = await client.post(f"{project}/run")
            assert answer.status_code == 202
            status = await ended(client, project)
            assert (status["run"]["total"], status["run"]["reused"]) == (8, 8)
            assert await results(client, project) == first

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 8)


def test_several_runs_at_once_are_one(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            project = await made(client)
            paths = [f"{project}/run", f"{project}/resume"] * 3
            answers = await asyncio.gather(*map(client.post, paths))
            assert {answer.status_code for answer in answers} == {202}
            await ended(client, project)
            identity = project.rpartition("/")[2]
            kinds = [event.kind for event in desk.app.store.events.since(0, identity)]
            assert kinds.count("trial.settled") == 8

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 8)


@pytest.mark.slow
@pytest.mark.parametrize("act", ["pause", "stop"])
def test_a_halted_project_goes_on_to_the_same_results(
    workspace: Path, tmp_path: Path, act: str
) -> None:
    async def halted() -> tuple[list[dict[str, Any]], Any]:
        async with calling(workspace) as (client, _):
            project = await made(client, **LONG)
            await client.post(f"{project}/run")
            await under_way(client, project)
            answer = await client.post(f"{project}/{act}")
            assert answer.status_code == 200, answer.text
            status = answer.json()
            wish = "paused" if act == "pause" else "stopped"
            assert (status["status"], status["control"]) == ("interrupted", wish)
            assert 0 < status["trials"]["completed"] < 100
            await asyncio.sleep(0.5)
            later = (await client.get(f"{project}/status")).json()
            assert later["trials"] == status["trials"], "nothing more starts"
            assert_problem(await client.post(f"{project}/{act}"), 409, "wrong_status")
            assert_problem(
                await client.get(f"{project}/summary"), 404, "not_found", "no summary yet"
            )
            assert (await client.post(f"{project}/resume")).json()["status"] == "running"
            assert (await ended(client, project))["status"] == "completed"
            ranking = (await client.get(f"{project}/summary")).json()["ranking"]
            return await results(client, project), ranking

    async def at_once(workspace: Path) -> tuple[list[dict[str, Any]], Any]:
        async with calling(workspace) as (client, _):
            project = await carried_out(client, **LONG)
            ranking = (await client.get(f"{project}/summary")).json()["ranking"]
            return await results(client, project), ranking

    other = tmp_path / "other"
    fill(other)
    add_baseline(other, "Many", count=10)
    ours, our_ranking = asyncio.run(halted())
    theirs, their_ranking = asyncio.run(at_once(other))
    assert [told(one) for one in ours] == [told(one) for one in theirs]
    assert our_ranking == their_ranking
    assert_every_trial_answered_once(workspace, 100)


async def under_way(client: httpx.AsyncClient, project: str) -> None:
    """Wait until something has come of it."""
    async with asyncio.timeout(60):
        while True:
            if await results(client, project):
                return
            await asyncio.sleep(0.05)


def told(result: dict[str, Any]) -> dict[str, Any]:
    """A result without how long it took."""
    return {name: value for name, value in result.items() if name != "duration_ms"}


@pytest.mark.slow
def test_a_wish_reaches_another_process(workspace: Path) -> None:
    """Two servers on one workspace: one runs it, the other one pauses it and goes on with it."""

    async def story() -> None:
        async with calling(workspace) as (ours, here), calling(workspace) as (theirs, there):
            project = await made(ours, **LONG)
            identity = project.rpartition("/")[2]
            await ours.post(f"{project}/run")
            answer = await theirs.post(f"{project}/run")
            assert (answer.status_code, answer.json()["status"]) == (202, "running")
            assert here.runs.get(identity).owner == here.app.owner.id, "goes on as it is"
            paused = (await theirs.post(f"{project}/pause")).json()
            assert (paused["status"], paused["control"]) == ("interrupted", "paused")
            assert (await theirs.post(f"{project}/resume")).status_code == 202
            assert here.runs.get(identity).owner == there.app.owner.id
            stopped = (await ours.post(f"{project}/stop")).json()
            assert (stopped["status"], stopped["control"]) == ("interrupted", "stopped")
            await ours.post(f"{project}/run")
            assert (await ended(theirs, project))["status"] == "completed"
            assert len(await results(theirs, project)) == 100

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 100)


@asynccontextmanager
async def sleeping(
    workspace: Path, tmp_path: Path
) -> AsyncGenerator[tuple[httpx.AsyncClient, str, Path]]:
    """A project whose agents sleep, and the folder in which each leaves its number."""
    script, marks = tmp_path / "sleeper.py", tmp_path / "marks"
    script.write_text(SLEEPER.format(folder=str(marks)))
    marks.mkdir()
    options = {"argv": [sys.executable, str(script)]}
    allow(workspace, programs=[sys.executable], paths=[str(script)])
    async with calling(workspace, WHET_SANDBOX="off", PATH=os.environ["PATH"]) as (client, _):
        project = await made(client, engine="command", options=options, judges=["simulated"])
        yield client, project, marks


async def started(marks: Path, count: int) -> list[int]:
    """The numbers of so many processes, once they are there."""
    async with asyncio.timeout(60):
        while True:
            if len(found := numbers(marks)) == count:
                return found
            await asyncio.sleep(0.05)


def numbers(marks: Path) -> list[int]:
    return [int(path.name) for path in marks.iterdir()]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(processes: list[int]) -> None:
    async with asyncio.timeout(30):
        while True:
            if not any(map(is_alive, processes)):
                return
            await asyncio.sleep(0.05)


@pytest.mark.slow
def test_a_stop_ends_the_agents(workspace: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with sleeping(workspace, tmp_path) as (client, project, marks):
            answer = await client.post(f"{project}/run")
            assert_problem(
                answer, 409, "confirmation_needed", "8 agent runs", "unknown cost", "confirmed"
            )
            assert (await client.get(f"{project}/status")).json()["run"] is None
            answer = await client.post(f"{project}/run", json={"confirmed": True})
            assert answer.status_code == 202, answer.text
            processes = await started(marks, 8)
            assert all(map(is_alive, processes))
            assert (await client.get(f"{project}/status")).json()["status"] == "running"
            answer = await client.post(f"{project}/stop")
            assert (answer.json()["status"], answer.json()["control"]) == ("interrupted", "stopped")
            await gone(processes)

    asyncio.run(story())
    assert {outcome for _, outcome in executions(workspace)}.isdisjoint({None, "answered"})


@pytest.mark.slow
def test_a_pause_that_takes_longer_is_told_as_it_is(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projects_work, "PATIENCE_SECONDS", 0.5)

    async def story() -> None:
        async with sleeping(workspace, tmp_path) as (client, project, marks):
            await client.post(f"{project}/run", json={"confirmed": True})
            await started(marks, 8)
            answer = await client.post(f"{project}/pause")
            assert (answer.status_code, answer.json()["status"]) == (200, "running")
            retry = await client.post(f"{project}/retry", json={"failed": True})
            assert_problem(retry, 409, "wrong_status", "is running; pause or stop it first")
            archive = await client.post(f"{project}/archive")
            assert_problem(archive, 409, "wrong_status", "is running; stop it first")
            stopped = (await client.post(f"{project}/stop")).json()
            while stopped["status"] == "running":
                stopped = (await client.get(f"{project}/status")).json()
            assert stopped["control"] == "stopped"

    asyncio.run(story())


def test_what_came_as_a_file_starts_with_consent_only(workspace: Path, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    danger = {
        "cli_config__engine": "command",
        "cli_config__sandbox": "none",
        "cli_config__options": {"argv": ["/usr/bin/touch", str(mark)]},
    }
    members = unpacked(bundle(tmp_path))
    with_config(**danger)(members)

    async def story() -> None:
        async with calling(workspace, WHET_SANDBOX="off") as (client, _):
            answer = await client.post(f"{PROJECTS}/import", content=packed(members))
            assert answer.status_code == 201, answer.text
            identity = answer.json()["project"]["id"]
            project = f"{PROJECTS}/{identity}"
            says = ("came as a file, and starts command with the options", str(mark))
            for path in (f"{project}/run", f"{project}/resume"):
                assert_problem(await client.post(path), 409, "confirmation_needed", *says)
            resume = await client.post(f"/v1/runs/{identity}/resume")
            assert resume.status_code in (404, 409), resume.text
            # Whoever agrees to the cost has not agreed to what it starts.
            sent = await client.post(f"{project}/run", json={"confirmed": True})
            assert_problem(sent, 403, "consent_needed", f"project adopt {identity}", str(mark))
            assert not mark.exists()

    asyncio.run(story())
    assert executions(workspace) == []


def test_an_unknown_wish(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await made(client)
            for body in ('{"confirmed": "perhaps"}', '{"sure": true}', "[]"):
                answer = await client.post(f"{project}/run", content=body)
                assert_problem(answer, 422, "invalid_request")
            for act in ("pause", "stop"):
                answer = await client.post(f"{project}/{act}")
                assert_problem(answer, 409, "wrong_status", "not running; it is pending")
            assert (await client.get(f"{project}/status")).json()["status"] == "pending"

    asyncio.run(story())
    assert executions(workspace) == []


async def halted_there(app: App, project: Project) -> None:
    with pytest.raises(Halted):
        await Experiments(app).run(project)


@pytest.mark.slow
def test_a_project_that_the_command_line_runs_is_stopped_over_http(workspace: Path) -> None:
    async def story() -> None:
        with app_on(workspace) as runner:
            project = create_project(runner, COMPARISON.model_copy(update=LONG))
            running = asyncio.create_task(halted_there(runner, project))
            async with calling(workspace) as (client, _):
                address = f"{PROJECTS}/{project.config.id}"
                await under_way(client, address)
                stopped = (await client.post(f"{address}/stop")).json()
                assert (stopped["status"], stopped["control"]) == ("interrupted", "stopped")
            await running

    asyncio.run(story())

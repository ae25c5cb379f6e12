"""Runs of projects over HTTP: start, list, get, resume, follow."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import app_on, fill
from tests.flows.command import assert_every_trial_answered_once
from tests.server.calling import SMALL, ask, assert_problem, calling, settled
from tests.server.contract_paths import PATHS
from whet import __version__
from whet.app.app import App
from whet.app.experiment_run import ExperimentRun
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.core.budget import NO_LIMITS, Purse
from whet.evaluate.project import Project, design

RUNS = "/v1/runs"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def test_health(workspace: Path) -> None:
    answer = ask(workspace, "GET", "/v1/health")
    expected = {"status": "ok", "version": __version__, "failed_attempts": 0}
    assert answer.json() == expected


@pytest.mark.slow
def test_the_contract_lists_every_path(workspace: Path) -> None:
    contract = ask(workspace, "GET", "/openapi.json").json()
    assert contract["openapi"].startswith("3.")
    assert contract["info"] == {"title": "whet", "version": __version__}
    assert {path: sorted(methods) for path, methods in contract["paths"].items()} == PATHS
    # Two models of one name would be called by their modules.
    assert [name for name in contract["components"]["schemas"] if "__" in name] == []
    follow = contract["paths"]["/v1/runs/{identity}/events"]["get"]
    assert "text/event-stream" in follow["responses"]["200"]["content"]
    for reference in re.findall(r'"\$ref": "#/(.*?)"', json.dumps(contract)):
        found: Any = contract
        for step in reference.split("/"):
            found = found[step]


@pytest.mark.slow
def test_the_contract_tells_errors_as_they_are(workspace: Path) -> None:
    contract = ask(workspace, "GET", "/openapi.json").json()
    operations = [one for path in contract["paths"].values() for one in path.values()]
    for operation in operations:
        errors = {code: one for code, one in operation["responses"].items() if code[0] in "45"}
        assert {"403", "500", "503"} <= errors.keys()
        assert "401" not in errors, "there is no token here"
        assert "default" not in operation["responses"]
        for reference in (one["$ref"] for code, one in errors.items() if code != "416"):
            found = contract["components"]["responses"][reference.rpartition("/")[2]]
            schema = found["content"]["application/problem+json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}
    fields = {"type", "title", "status", "code", "detail", "problems", "expected", "actual"}
    assert contract["components"]["schemas"]["Problem"]["properties"].keys() == fields
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids))


def test_from_start_to_summary(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            answer = await client.post(RUNS, json=SMALL)
            assert answer.status_code == 202
            started = answer.json()
            assert (started["status"], started["progress"]["total"]) == ("running", 8)
            detail = await settled(client, started["id"])
            assert detail["status"] == "completed"
            assert detail["ended_at"]
            ranking = detail["summary"]["ranking"]
            assert sorted(entry["skill_name"] for entry in ranking) == ["Author", "Writer"]
            listed = (await client.get(RUNS)).json()["runs"]
            assert listed == [{name: detail[name] for name in detail if name != "summary"}]

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 8)


def begun(app: App, project: Project) -> None:
    """As a run leaves it that has just started."""
    ExperimentRun(app, project, design(project, app.store.blobs, {})).begin({}, Purse(NO_LIMITS))


def test_an_experiment_that_has_no_summary_yet(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, Comparison.model_validate(SMALL))
        begun(app, project)
    detail = ask(workspace, "GET", f"{RUNS}/{project.config.id}").json()
    assert detail["summary"] is None
    assert detail["status"] == "interrupted"


def test_two_resumes_at_once_run_it_once(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            project = create_project(desk.app, Comparison.model_validate(SMALL))
            identity = project.config.id
            with app_on(workspace) as gone:
                begun(gone, project)
            path = f"{RUNS}/{identity}/resume"
            answers = await asyncio.gather(*(client.post(path) for _ in range(5)))
            assert {answer.status_code for answer in answers} == {202}
            assert {answer.json()["status"] for answer in answers} <= {"running", "completed"}
            assert (await settled(client, identity))["status"] == "completed"
            kinds = [event.kind for event in desk.app.store.events.since(0, identity)]
            assert kinds.count("experiment.started") == 1
            assert kinds.count("trial.settled") == 8

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 8)


def test_what_another_process_runs_goes_on_as_it_is(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            with app_on(workspace) as other:
                project = create_project(other, Comparison.model_validate(SMALL))
                begun(other, project)
                answer = await client.post(f"{RUNS}/{project.config.id}/resume")
                assert answer.status_code == 202
                assert answer.json()["owner"] == other.owner.id
            assert not desk.app.store.events.since(0, project.config.id)

    asyncio.run(story())


def spoilt(workspace: Path, text: str | None) -> Path:
    config = next(workspace.glob("projects/project_broken_*")) / "config.json"
    config.write_text(text) if text is not None else config.unlink()
    return config


@pytest.mark.parametrize("text", ["{", None])
def test_a_broken_project_is_named_and_takes_nothing_else_down(
    workspace: Path, text: str | None
) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            ids: list[str] = []
            for name in ("Broken", "Sound"):
                answer = await client.post(RUNS, json={**SMALL, "name": name})
                ids.append(answer.json()["id"])
                await settled(client, ids[-1])
            config = spoilt(workspace, text)
            listed = (await client.get(RUNS)).json()["runs"]
            assert [one["name"] for one in listed] == ["Sound", "Broken"]
            broken = await client.get(f"{RUNS}/{ids[0]}/view")
            expected = (404, "not_found") if text is None else (400, "invalid_document")
            assert_problem(broken, *expected, str(config))
            assert (await client.get(f"{RUNS}/{ids[0]}")).status_code == 200
            assert (await client.get(f"{RUNS}/{ids[1]}/view")).status_code == 200

    asyncio.run(story())


@pytest.mark.slow
def test_the_end_of_the_server_interrupts_and_the_next_one_resumes(workspace: Path) -> None:
    many = {**SMALL, "repeats": 10}

    async def first() -> str:
        async with calling(workspace) as (client, _):
            return (await client.post(RUNS, json=many)).json()["id"]

    async def second(identity: str) -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            before = (await client.get(f"{RUNS}/{identity}")).json()
            assert before["status"] == "interrupted"
            await client.post(f"{RUNS}/{identity}/resume")
            return await settled(client, identity)

    assert asyncio.run(second(asyncio.run(first())))["status"] == "completed"
    assert_every_trial_answered_once(workspace, 40)


async def followed(client: httpx.AsyncClient, identity: str, last: str = "0") -> list[Any]:
    """All events of an experiment; ends by itself only while the server ends."""
    path = f"{RUNS}/{identity}/events"
    answer = await client.get(path, headers={"last-event-id": last})
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block for block in answer.text.split("\n\n") if block]
    fields = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    assert {f["event"] for f in fields} <= {"progress", "settled", "ended"}
    told = [(int(f["id"]), json.loads(f["data"])) for f in fields]
    return [(cursor, data["kind"], data) for cursor, data in told]


@pytest.mark.slow
def test_streams_do_not_mix_and_begin_where_asked(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            # Of another model, so that both have trials of their own to run.
            starts = [{**SMALL, "name": model, "model": model} for model in ("one", "two")]
            answers = await asyncio.gather(*(client.post(RUNS, json=start) for start in starts))
            ids = [answer.json()["id"] for answer in answers]
            for identity in ids:
                await settled(client, identity)
            await desk.stop()
            for identity in ids:
                events = await followed(client, identity)
                assert {data["subject"] for _, _, data in events} == {identity}
                kinds = [kind for _, kind, _ in events]
                assert kinds == ["experiment.started", *["trial.settled"] * 8, kinds[-1]]
                assert kinds[-1] == "experiment.finished"
                cursors = [cursor for cursor, _, _ in events]
                assert cursors == sorted(set(cursors))
                assert await followed(client, identity, str(cursors[4])) == events[5:]
                assert not await followed(client, identity, str(2**63 - 1))

    asyncio.run(story())


@pytest.mark.slow
def test_the_last_word_reaches_those_who_follow(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            answer = await client.post(RUNS, json={**SMALL, "repeats": 50})
            following = asyncio.create_task(followed(client, answer.json()["id"]))
            await asyncio.sleep(0.1)
            await desk.stop()
            async with asyncio.timeout(5):
                assert (await following)[-1][1] == "experiment.interrupted"

    asyncio.run(story())


def test_the_desk_forgets_what_has_ended(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            identity = (await client.post(RUNS, json=SMALL)).json()["id"]
            await settled(client, identity)
            await asyncio.sleep(0.05)
            assert not desk._running
            assert_problem(await client.post(f"{RUNS}/{identity}/resume"), 409, "wrong_status")
            again = await client.post(f"/v1/projects/{identity}/run")
            assert again.status_code == 202
            await settled(client, identity)
            assert Experiments(desk.app).get(identity).status == "completed"

    asyncio.run(story())

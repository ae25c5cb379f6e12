"""``/v1/home`` and ``/v1/demo``: the workspace at a glance."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import app_on, fill
from tests.server.calling import SMALL, Caller, assert_problem, calling, settled
from whet.app.eval_request import EvalRequest
from whet.app.evals import EvalState, LegState
from whet.app.experiment_run import ExperimentState
from whet.app.overview.underway import Underway
from whet.app.views.progress import Logs
from whet.core.instant import iso


async def glance(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.get("/v1/home")).json()


async def ended(client: httpx.AsyncClient, identity: str) -> dict[str, Any]:
    """The run of a suite once it does not run any more."""
    async with asyncio.timeout(60):
        while True:
            detail = (await client.get(f"/v1/evals/{identity}")).json()
            if detail["eval"]["status"] != "running":
                return detail
            await asyncio.sleep(0.05)


def test_an_empty_workspace_says_so(call: Caller) -> None:
    assert call("GET", "/v1/home").json() == {"empty": True, "running": [], "latest": []}


@pytest.mark.slow
def test_a_project_is_seen_while_it_runs_and_with_its_verdict(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)

    async def life() -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
        async with calling(workspace) as (client, _):
            started = (await client.post("/v1/experiments", json=SMALL)).json()
            running: list[dict[str, Any]] = []
            while (await glance(client))["running"]:
                running.append(await glance(client))
                await asyncio.sleep(0.01)
            detail = await settled(client, started["id"])
            return running, await glance(client), detail["summary"]

    running, after, summary = asyncio.run(life())
    for look in running:
        for one in look["running"]:
            assert (one["kind"], one["name"], one["simulated"]) == ("project", "Small", True)
            assert 0 <= one["pace"]["done"] <= one["pace"]["total"] == 8
    assert after["running"] == []
    (latest,) = after["latest"]
    first, second = summary["ranking"]
    assert (latest["first"], latest["second"]) == (first["skill_name"], second["skill_name"])
    assert latest["score"] == first["avg_score"]
    assert latest["label"] == first["versus_next"]["label"]
    assert latest["delta"] == first["versus_next"]["delta"]
    assert latest["complete"] is latest["simulated"] is True


@pytest.mark.slow
def test_points_of_evals_are_on_the_scale_to_100(tmp_path: Path) -> None:
    """An eval keeps its numbers as fractions; here they stand beside those of projects."""
    workspace = tmp_path / "workspace"
    skill = Path("examples/careful-python").absolute()

    async def life() -> tuple[dict[str, Any], dict[str, Any]]:
        async with calling(workspace) as (client, _):
            request = {"skill": str(skill), "runs": 1}
            started = (await client.post("/v1/evals", json=request)).json()
            return await glance_after(client, started["id"])

    after, detail = asyncio.run(life())
    (latest,) = after["latest"]
    verdict = detail["benchmarks"][0]["verdict"]
    assert (latest["kind"], latest["id"]) == ("eval", detail["eval"]["id"])
    assert latest["delta"] == pytest.approx(verdict["delta"] * 100)
    assert latest["interval"]["low"] == pytest.approx(verdict["interval"]["low"] * 100)
    assert latest["cases"] == verdict["n_cases"]


@pytest.mark.slow
def test_too_few_evals_are_told_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    folder = tmp_path / "careful-python"
    shutil.copytree("examples/careful-python", folder)
    path = folder / "evals/evals.json"
    suite = json.loads(path.read_text())
    path.write_text(json.dumps({**suite, "evals": suite["evals"][:4]}))

    async def life(runs: int) -> tuple[dict[str, Any], dict[str, Any]]:
        async with calling(tmp_path / f"workspace-{runs}") as (client, _):
            request = {"skill": str(folder), "runs": runs}
            started = (await client.post("/v1/evals", json=request)).json()
            return await glance_after(client, started["id"])

    after, detail = asyncio.run(life(3))
    (latest,) = after["latest"]
    these = detail["benchmarks"][0]["verdict"]["on_these"]
    assert (latest["label"], latest["needs"]) == ("inconclusive", "cases")
    assert latest["on_these"]["label"] == these["label"] == "better"
    assert latest["on_these"]["interval"]["low"] == pytest.approx(these["interval"]["low"] * 100)
    after, _ = asyncio.run(life(1))
    assert (after["latest"][0]["needs"], after["latest"][0]["on_these"]) == ("cases", None)


async def glance_after(
    client: httpx.AsyncClient, identity: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The workspace at a glance once the run of a suite is over, and its detail."""
    detail = await ended(client, identity)
    return await glance(client), detail


def test_how_far_a_run_is_is_counted_from_where_it_began(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        now = iso(app.clock.now())
        underway = Underway(app, Logs(app))

        def tell(kind: str, subject: str, **data: Any) -> None:
            with app.store.transaction():
                app.store.events.append(kind, subject, data)

        state = EvalState(
            id="e",
            skill="s",
            status="running",
            owner="me",
            started_at=now,
            total_trials=10,
            legs=(LegState(engine="a", model="a", iteration=1, folder="f"),),
            request=EvalRequest(skill="s"),
        )
        assert underway.eval(state).seconds_left is None
        # Two legs, each with its own start; a place of one looks like that of the other.
        tell("experiment.started", "e", total=5, reused=2)
        tell("experiment.started", "e", total=5, reused=0)
        tell("trial.settled", "e", arm="x", case="1", attempt=1)
        tell("trial.settled", "e", arm="x", case="1", attempt=1)
        tell("trial.settled", "other", arm="x", case="1", attempt=1)
        pace = underway.eval(state)
        assert (pace.done, pace.total) == (4, 10)
        assert pace.seconds_left is not None

        project = ExperimentState(
            id="p",
            name="P",
            folder="f",
            status="running",
            owner="me",
            started_at=now,
            total_trials=6,
        )
        tell("experiment.started", "p", total=6, reused=1)
        tell("trial.settled", "p", arm="x", set="s", case="1", attempt=1)
        tell("trial.settled", "p", arm="x", set="s", case="1", attempt=1)
        assert underway.project(project).done == 2, "two processes may tell of one place"
        tell("trial.settled", "p", arm="x", set="s", case="2", attempt=1)
        assert underway.project(project).done == 3
        assert underway.project(project).done == 3


def test_the_demo_speaks_one_of_two_languages(call: Caller) -> None:
    assert_problem(call("POST", "/v1/demo", json={"language": "fr"}), 422, "invalid_request")

"""``/v1/home`` and ``/v1/demo``: the workspace at a glance."""

import asyncio
import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import fill
from tests.server.calling import SMALL, Caller, assert_problem, calling, settled
from whet.app.runs.progress import progress
from whet.core.instant import iso
from whet.core.run import Run
from whet.core.usage import Usage


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
            started = (await client.post("/v1/runs", json=SMALL)).json()
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


def test_how_far_a_run_is_is_counted_from_where_it_began() -> None:
    began = datetime(2030, 1, 1, tzinfo=UTC)
    run = Run(
        id="e",
        kind="eval",
        name="s",
        status="running",
        created_at=iso(began),
        started_at=iso(began),
        total=10,
        reused=2,
        done=2,
    )
    later = began + timedelta(seconds=6)
    assert progress(run, later).seconds_left is None, "nobody can know yet"
    spent = Usage(cost_usd=0.2)
    known = progress(run.model_copy(update={"done": 4, "failed": 1, "usage": spent}), later)
    assert (known.done, known.settled, known.failed, known.total) == (4, 2, 1, 10)
    assert (known.seconds, known.seconds_left) == (6, 18)
    assert known.cost_left_usd == pytest.approx(0.6)
    over = run.model_copy(update={"status": "completed", "done": 10, "elapsed_s": 5.5})
    assert (progress(over, later).seconds, progress(over, later).seconds_left) == (5.5, None)


def test_the_demo_speaks_one_of_two_languages(call: Caller) -> None:
    assert_problem(call("POST", "/v1/demo", json={"language": "fr"}), 422, "invalid_request")

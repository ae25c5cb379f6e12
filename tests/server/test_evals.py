"""The evals resource: plan, start, list, get, follow, report, stop, resume."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.evaluating import TRIALS, planned, skill, small, writes_python
from tests.app.opening import app_on
from tests.app.recording import WithEngine, hand
from tests.evaluate.suites import eval_, skill_at, suite_of
from tests.flows.command import assert_every_trial_answered_once, executions
from tests.run.agents import ScriptedAgent, Waiting
from tests.server.calling import ask, assert_problem, calling
from whet.app.evals import Evals
from whet.app.parts import InstalledParts
from whet.server.api import make_api
from whet.server.desk import Desk

EVALS = "/v1/evals"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def knives(tmp_path: Path) -> Path:
    return skill(tmp_path)


@asynccontextmanager
async def with_engine(
    workspace: Path, engine: ScriptedAgent
) -> AsyncGenerator[tuple[httpx.AsyncClient, Desk]]:
    """A client of a server that has one engine more."""
    with app_on(workspace) as opened:
        parts = WithEngine(engine, InstalledParts(opened.settings.machine))
        api = make_api(replace(opened, parts=parts))
        transport = httpx.ASGITransport(app=api, raise_app_exceptions=False)
        async with (
            api.router.lifespan_context(api),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642") as client,
        ):
            yield client, api.state.desk


async def settled(client: httpx.AsyncClient, identity: str) -> dict[str, Any]:
    """The run once it does not run any more."""
    async with asyncio.timeout(60):
        while True:
            detail = (await client.get(f"{EVALS}/{identity}")).json()
            if detail["eval"]["status"] != "running":
                return detail
            await asyncio.sleep(0.02)


async def started(client: httpx.AsyncClient, folder: Path, **more: Any) -> dict[str, Any]:
    answer = await client.post(EVALS, json={"skill": str(folder), **more})
    assert answer.status_code == 202, answer.text
    return answer.json()


def test_from_start_to_reports(workspace: Path, knives: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            state = await started(client, knives)
            assert (state["status"], state["total_trials"]) == ("running", TRIALS)
            assert state["skill"] == "knives"
            path = f"{EVALS}/{state['id']}"
            detail = await settled(client, state["id"])
            assert detail["eval"]["status"] == "completed"
            [benchmark] = detail["benchmarks"]
            assert len(benchmark["runs"]) == TRIALS
            folder = workspace / detail["eval"]["legs"][0]["folder"]
            assert json.loads((folder / "benchmark.json").read_text()) == benchmark
            assert (await client.get(EVALS)).json()["evals"] == [detail["eval"]]
            reports = {
                form: await client.get(f"{path}/report", params={"form": form})
                for form in ("html", "markdown", "junit")
            }
            kinds = {form: one.headers["content-type"] for form, one in reports.items()}
            assert kinds["html"].startswith("text/html")
            assert kinds["markdown"].startswith("text/markdown")
            assert kinds["junit"].startswith("application/xml")
            assert all("knives" in one.text for one in reports.values())
            for form, one in reports.items():
                alone = "sandbox allow-scripts" if form == "html" else "sandbox"
                assert one.headers["content-security-policy"] == alone
                assert one.headers["x-content-type-options"] == "nosniff"
            chinese = await client.get(f"{path}/report", params={"language": "zh"})
            assert chinese.text != reports["html"].text
            for wrong in ({"form": "pdf"}, {"language": "xx"}):
                answer = await client.get(f"{path}/report", params=wrong)
                assert_problem(answer, 422, "invalid_request", next(iter(wrong)))

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, TRIALS)


def test_a_plan_runs_nothing(workspace: Path, knives: Path) -> None:
    answer = ask(workspace, "POST", f"{EVALS}/plan", json={"skill": str(knives), "runs": 3})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["skill_name"], told["evals"], told["runs_per_eval"]) == ("knives", 2, 3)
    assert told["configurations"] == ["with_skill", "without_skill"]
    assert told["legs"][0]["run"] == 12
    free = {"agent_runs": 0, "judge_calls": 0, "cost_usd": 0, "paid": False}
    assert told["estimate"] == {**free, "rough_cost_usd": None, "advice": None}
    assert not executions(workspace)
    assert ask(workspace, "GET", EVALS).json() == {"evals": []}
    assert not (workspace / "evals").exists()


async def followed(client: httpx.AsyncClient, identity: str, last: int = 0) -> list[Any]:
    """All events so far; the stream ends with the server only."""
    answer = await client.get(f"{EVALS}/{identity}/events", headers={"last-event-id": str(last)})
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block for block in answer.text.split("\n\n") if block]
    fields = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    assert {one["event"] for one in fields} <= {"progress", "settled", "log", "ended"}
    return [(int(one["id"]), json.loads(one["data"])["kind"]) for one in fields]


@pytest.mark.slow
def test_followed_to_the_end(workspace: Path, knives: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            state = await started(client, knives)
            await settled(client, state["id"])
            await desk.stop()
            events = await followed(client, state["id"])
            kinds = [kind for _, kind in events]
            assert kinds == ["experiment.started", *["trial.settled"] * TRIALS, "eval.finished"]
            assert await followed(client, state["id"], events[4][0]) == events[5:]

    asyncio.run(story())


@pytest.mark.slow
def test_stopped_and_resumed(workspace: Path, knives: Path) -> None:
    waiting = Waiting()
    engine = hand(writes_python, waiting, writes_python, name="hand")
    asked = {"engines": ["hand"], "judges": ["simulated"], "width": 1, "confirmed": True}

    async def story() -> None:
        async with with_engine(workspace, engine) as (client, desk):
            state = await started(client, knives, **asked)
            path = f"{EVALS}/{state['id']}"
            async with asyncio.timeout(30):
                await waiting.begun.wait()
            report = await client.get(f"{path}/report")
            assert_problem(report, 404, "not_found", "has no results yet")
            assert (await client.get(path)).json()["benchmarks"] == [None]
            stopped = (await client.post(f"{path}/stop")).json()
            assert stopped["status"] == "interrupted"
            assert len(waiting.cleaned_up) == 1
            assert not [outcome for _, outcome in executions(workspace) if outcome is None]
            [benchmark] = (await client.get(path)).json()["benchmarks"]
            assert (benchmark["metadata"]["status"], len(benchmark["runs"])) == ("partial", 1)
            again = (await client.post(f"{path}/stop")).json()
            assert again == stopped, "nothing runs, so nothing changes"
            answers = await asyncio.gather(*(client.post(f"{path}/resume") for _ in range(3)))
            assert {answer.status_code for answer in answers} == {202}
            assert {answer.json()["id"] for answer in answers} == {state["id"]}
            detail = await settled(client, state["id"])
            assert detail["eval"]["status"] == "completed"
            kinds = [event.kind for event in desk.app.store.events.since(0, state["id"])]
            assert kinds.count("experiment.started") == 2
            assert [kind for kind in kinds if kind.startswith("eval.")] == [
                *["eval.interrupted", "eval.finished"]
            ]

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, TRIALS)


def test_a_budget_leaves_a_part(workspace: Path, knives: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            state = await started(client, knives, budget={"max_trials": 2})
            detail = await settled(client, state["id"])
            assert detail["eval"]["status"] == "partial"
            assert len(detail["benchmarks"][0]["missing"]) == TRIALS - 2
            whole = await started(client, knives)
            assert whole["id"] == state["id"]
            assert (await settled(client, state["id"]))["eval"]["status"] == "completed"

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, TRIALS)


def test_what_was_changed_meanwhile_is_not_resumed(workspace: Path, knives: Path) -> None:
    """It would be another run than the one that was asked for."""

    async def story() -> None:
        async with calling(workspace) as (client, _):
            state = await started(client, knives, budget={"max_trials": 1})
            await settled(client, state["id"])
            skill_at(knives, small(eval_(1), eval_(2), eval_(3)))
            answer = await client.post(f"{EVALS}/{state['id']}/resume")
            assert_problem(answer, 409, "conflict", "the skill, its suite", state["id"])
            assert len((await client.get(EVALS)).json()["evals"]) == 1

    asyncio.run(story())


def test_every_mistake_of_a_suite(workspace: Path, tmp_path: Path) -> None:
    folder = skill(tmp_path, suite_of(eval_(1, prompt=""), eval_(1), eval_config={"x": 1}))
    for path in (EVALS, f"{EVALS}/plan"):
        answer = ask(workspace, "POST", path, json={"skill": str(folder)})
        assert answer.status_code == 400
        body = answer.json()
        assert (body["code"], answer.headers["content-type"]) == (
            *["invalid_suite", "application/problem+json"],
        )
        assert body["problems"] == [
            "eval 1: prompt: must not be empty",
            "eval 1: id: another eval has the same id",
        ]
    assert not executions(workspace)


@pytest.mark.parametrize(
    ("change", "status", "code", "says"),
    [
        ({"skill": "nope"}, 404, "not_found", "no folder nope"),
        ({"skill": "x" * 5000}, 503, "environment", "File name too long"),
        ({"skill": ""}, 422, "invalid_request", "skill: "),
        ({"runs": 0}, 422, "invalid_request", "runs: "),
        ({"runs": 101}, 422, "invalid_request", "runs: "),
        ({"margin": 1}, 422, "invalid_request", "margin: "),
        ({"timeout_seconds": 0}, 422, "invalid_request", "timeout_seconds: "),
        ({"timeout_seconds": 1e300}, 422, "invalid_request", "timeout_seconds: "),
        ({"budget": {"max_cost_usd": -1}}, 422, "invalid_request", "budget.max_cost_usd: "),
        ({"budget": {"dollars": 1}}, 422, "invalid_request", "budget.dollars: "),
        ({"width": 0}, 422, "invalid_request", "width: "),
        ({"surprise": 1}, 422, "invalid_request", "surprise: "),
        ({"engines": ["nope"]}, 400, "unknown_part", "'nope'"),
        ({"engines": []}, 400, "invalid_request", "no engine"),
        ({"engines": ["command"]}, 400, "invalid_request", "option argv of engine command"),
        ({"engines": ["claude"]}, 503, "environment", "claude: command not found"),
        ({"against": "/nowhere"}, 404, "not_found", "no folder /nowhere"),
    ],
)
def test_what_cannot_be_run(
    workspace: Path, knives: Path, change: dict[str, Any], status: int, code: str, says: str
) -> None:
    answer = ask(workspace, "POST", EVALS, json={"skill": str(knives), **change})
    assert_problem(answer, status, code, says)
    assert not executions(workspace)
    assert not (workspace / "evals").exists()


@pytest.mark.parametrize("path", ["", "/events", "/report"])
def test_an_unknown_run(workspace: Path, path: str) -> None:
    assert_problem(ask(workspace, "GET", f"{EVALS}/nope{path}"), 404, "not_found", "'nope'")


@pytest.mark.parametrize("path", ["/stop", "/resume"])
def test_an_unknown_run_cannot_be_changed(workspace: Path, path: str) -> None:
    assert_problem(ask(workspace, "POST", f"{EVALS}/nope{path}"), 404, "not_found", "'nope'")


def test_what_is_paid_for_is_confirmed(workspace: Path, knives: Path) -> None:
    asked = {"skill": str(knives), "engines": ["hand"], "judges": ["simulated"]}

    async def story() -> None:
        async with with_engine(workspace, hand(writes_python)) as (client, _):
            answer = await client.post(EVALS, json=asked)
            assert_problem(
                answer,
                409,
                "confirmation_needed",
                "8 agent runs",
                "nobody knows",
                '"budget": {"max_trials": 2}',
                "confirmed",
            )
            assert (await client.get(EVALS)).json() == {"evals": []}
            answer = await client.post(EVALS, json={**asked, "confirmed": True})
            assert answer.status_code == 202
            assert "confirmed" not in answer.json()["request"]
            await settled(client, answer.json()["id"])
            free = await client.post(EVALS, json=asked)
            assert free.status_code == 202, "all of it is on record"

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, TRIALS)


def test_what_another_process_runs_goes_on_as_it_is(workspace: Path, knives: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            with app_on(workspace) as other:
                made = planned(other, knives)
                Evals(other)._begin(made)
                answer = await client.post(f"{EVALS}/{made.id}/resume")
                assert answer.json()["owner"] == other.owner.id
            assert (await client.get(f"{EVALS}/{made.id}")).json()["eval"]["status"] == (
                "interrupted"
            )
            await client.post(f"{EVALS}/{made.id}/resume")
            assert (await settled(client, made.id))["eval"]["status"] == "completed"

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, TRIALS)


@pytest.mark.slow
def test_the_end_of_the_server_interrupts_and_the_next_one_resumes(
    workspace: Path, knives: Path
) -> None:
    async def first() -> str:
        async with calling(workspace) as (client, _):
            return (await started(client, knives, runs=30))["id"]

    async def second(identity: str) -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            before = (await client.get(f"{EVALS}/{identity}")).json()["eval"]
            assert before["status"] == "interrupted"
            await client.post(f"{EVALS}/{identity}/resume")
            return await settled(client, identity)

    assert asyncio.run(second(asyncio.run(first())))["eval"]["status"] == "completed"
    assert_every_trial_answered_once(workspace, 120)

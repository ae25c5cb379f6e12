"""A job is a run: its budget, and how it is paused, resumed and stopped as every other kind."""

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.jobs.offices import TEXT, done, office_on, wanted
from tests.flows.command import executions
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.dispatch import Dispatcher, carry_out
from whet.app.jobs.office import Office
from whet.app.run_kinds import RunKinds
from whet.app.runs.service import RunService
from whet.core.budget import Budget
from whet.core.errors import InvalidDocument, UsageError, WrongStatus
from whet.core.job import Job

SLOW: dict[str, JsonValue] = {"engine_options": {"simulate": {"latency_ms": 700}}}


def made(office: Office, folder: Path, **options: JsonValue) -> Job:
    document = folder / "rivers.txt"
    document.write_text(TEXT)
    asked = wanted(runtime_options={"no_cache": True, **options})
    return create(office, asked, None, AtHand({"document": document}))


def kinds(office: Office) -> RunKinds:
    return RunKinds(office.app, lambda _kind: office.library())


def test_a_job_has_a_budget(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with office_on(workspace) as office:
        job = made(office, tmp_path, budget={"max_tokens": 10_000_000, "max_seconds": 20})
        assert job.options.timeout_seconds == 20
        assert done(office, job).state == "succeeded"
        run = RunService(office.app).get(job.request_id, "job")
        assert run.budget == Budget(max_tokens=10_000_000, max_seconds=20)
        assert (run.spending.trials, run.spending.usage) == (1, run.usage)
        before = len(executions(workspace))
        ended = done(office, made(office, tmp_path, budget={"max_tokens": 0}))
        assert ended.result is not None
        assert ended.result.failure is not None
        assert (ended.state, ended.result.failure.code) == ("failed", "budget")
        assert len(executions(workspace)) == before, "nobody was asked"


def test_what_is_left_of_the_money_is_a_limit_of_the_turn(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        job = made(office, tmp_path, budget={"max_cost_usd": 0.5})
        [turn] = job.rounds
        assert turn.max_cost_usd == 0.5
        limits = office.turns(job).spec(job, turn).stimulus.limits
        assert limits.max_cost_usd == 0.5
        unlimited = made(office, tmp_path)
        limits = office.turns(unlimited).spec(unlimited, unlimited.rounds[0]).stimulus.limits
        assert limits.max_cost_usd is None


@pytest.mark.parametrize("budget", [{"max_trials": 3}, {"max_seconds": 0}, {"max_cost_usd": -1}])
def test_budgets_that_no_job_can_have(budget: JsonValue, tmp_path: Path) -> None:
    with (
        office_on(tmp_path / "workspace") as office,
        pytest.raises((UsageError, InvalidDocument), match="budget"),
    ):
        made(office, tmp_path, budget=budget)


def test_a_queued_job_is_paused_and_goes_on_when_it_is_resumed(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        service = RunService(office.app)
        job = made(office, tmp_path)
        paused = asyncio.run(kinds(office).halt(service.get(job.request_id), "paused"))
        assert (paused.status, paused.wish) == ("interrupted", "paused")
        assert done(office, job).state == "queued"
        asyncio.run(dispatched(office, 0.6))
        assert office.get(job.request_id).state == "queued", "a server leaves it alone too"
        asyncio.run(kinds(office).go_on(service.get(job.request_id)))
        assert office.get(job.request_id).state == "succeeded"
        with pytest.raises(WrongStatus, match="cannot be paused"):
            asyncio.run(kinds(office).halt(service.get(job.request_id), "paused"))


async def dispatched(office: Office, seconds: float) -> None:
    serving = asyncio.create_task(Dispatcher(office).run())
    await asyncio.sleep(seconds)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest.mark.parametrize("wish", ["paused", "stopped"])
def test_a_running_job_is_halted_by_another_process(wish: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with office_on(workspace) as runner, office_on(workspace, installs=False) as asker:
        job = made(runner, tmp_path, **SLOW)

        async def play() -> None:
            working = asyncio.create_task(carry_out(runner, job.request_id))
            service = RunService(asker.app)
            while service.get(job.request_id).status != "running":  # noqa: ASYNC110 - another's
                await asyncio.sleep(0.02)
            run = service.get(job.request_id)
            seen = await kinds(asker).halt(run, "paused" if wish == "paused" else "stopped")
            # The only turn of this one comes to its end before a pause.
            assert seen.status == ("completed" if wish == "paused" else "cancelled")
            await working

        asyncio.run(play())
        assert not [one for one in executions(workspace) if one[1] is None]

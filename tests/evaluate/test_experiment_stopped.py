"""An experiment that is stopped, or whose listener breaks, ends all its agents first."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from tests.evaluate.judges import Laboratory, arm, case, design
from tests.run.agents import USED, Waiting, now
from whet.core.budget import Budget, Purse
from whet.core.errors import EnvironmentProblem
from whet.core.execution import Outcome
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.evaluate.experiment import GRADING, Row
from whet.ports.workdir import Workdir

T = TypeVar("T")
FREE = Purse(Budget())
PLAN = design([arm("none", None)], [case(str(number)) for number in range(2 * GRADING)])


def left_open(laboratory: Laboratory) -> list[str]:
    """The trials whose claim nobody closed."""
    return [
        address
        for address in laboratory.starts
        for execution in laboratory.store.ledger.executions(address)
        if execution.outcome is None
    ]


def test_cancelled_while_agents_work(laboratory: Laboratory) -> None:
    async def work() -> list[str]:
        script = Waiting()
        laboratory.scripts = (script,)
        run = asyncio.create_task(laboratory.experiment().run(PLAN, FREE, lambda _row: None))
        await script.begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert sorted(script.cleaned_up) == sorted(laboratory.starts)
        return left_open(laboratory)

    assert asyncio.run(work()) == []


def test_cancelled_while_judges_are_too_slow_for_the_agents(laboratory: Laboratory) -> None:
    """Then the experiment waits for a judge, not for the pool, and agents run all the same."""

    async def work() -> list[str]:
        laboratory.judge.gate = asyncio.Event()
        laboratory.width = GRADING + 4
        waiting = Waiting()

        async def script(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
            if len(laboratory.starts) <= GRADING + 2:
                yield Ended(now(), "42", USED)
                return
            async for step in waiting(spec, workdir):
                yield step

        laboratory.scripts = (script,)
        run = asyncio.create_task(laboratory.experiment().run(PLAN, FREE, lambda _row: None))
        await waiting.begun.wait()
        for _ in range(500):
            await asyncio.sleep(0.01)
            if len(laboratory.judge.seen) == GRADING:
                break
        await asyncio.sleep(0.02)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        return left_open(laboratory)

    assert asyncio.run(work()) == []


def test_a_listener_that_breaks_ends_the_experiment_and_its_agents(laboratory: Laboratory) -> None:
    def broken(_row: Row) -> None:
        raise ZeroDivisionError("a full disk, say")

    async def work() -> list[str]:
        with pytest.raises(ZeroDivisionError):
            await laboratory.experiment().run(PLAN, FREE, broken)
        return left_open(laboratory)

    assert asyncio.run(work()) == []


def test_a_trouble_of_the_machine_stops_the_experiment_and_is_said_plainly(
    laboratory: Laboratory,
) -> None:
    def lacking(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step, None]:
        raise EnvironmentProblem("the program is not there")

    async def work() -> list[str]:
        laboratory.scripts = (lacking,)
        with pytest.raises(EnvironmentProblem, match="not there"):
            await laboratory.experiment().run(PLAN, FREE, lambda _row: None)
        return left_open(laboratory)

    assert asyncio.run(work()) == []
    assert len(laboratory.starts) < len(PLAN.cases)


def test_who_is_stopped_in_a_commit_still_hears_of_it(laboratory: Laboratory) -> None:
    kept: list[Row] = []
    heard: list[Row] = []

    async def work() -> None:
        experiment = replace(laboratory.experiment(), committed=kept.append)

        async def commit(change: Callable[[], T]) -> T:
            for _ in range(20):
                await asyncio.sleep(0)
            return await experiment.writer(change)

        async def late(change: Callable[[], T]) -> T:
            """As slow as a disk can be, and no more to be called back than one."""
            committing = asyncio.ensure_future(commit(change))
            if len(kept) >= 3:
                run.cancel()
            return await asyncio.shield(committing)

        run = asyncio.create_task(replace(experiment, writer=late).run(PLAN, FREE, heard.append))
        await asyncio.wait({run})
        assert run.cancelled()
        assert heard == kept
        assert 0 < len(kept) < PLAN.size

    asyncio.run(work())


def test_what_was_settled_before_the_stop_is_not_run_again(laboratory: Laboratory) -> None:
    async def work() -> None:
        enough = asyncio.Event()
        rows: list[Row] = []

        def listen(row: Row) -> None:
            rows.append(row)
            if len(rows) == 5:
                enough.set()

        run = asyncio.create_task(laboratory.experiment().run(PLAN, FREE, listen))
        await enough.wait()
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)

    asyncio.run(work())
    extent, rows = laboratory.run(PLAN)
    assert extent.reused + extent.ungraded >= 5
    assert {row.status for row in rows} == {"completed"}
    answered = [
        execution
        for address in set(laboratory.starts)
        for execution in laboratory.store.ledger.executions(address)
        if execution.outcome is Outcome.ANSWERED
    ]
    assert len(answered) == PLAN.size

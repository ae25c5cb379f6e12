"""What an execution is charged with, which skills it took up, and the pauses between tries."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.run.agents import USED, Waiting, answers, ends, now, runner, spec, yields
from whet.core.execution import Outcome
from whet.core.failure import Failure
from whet.core.step import Ended, Said, Spent, Triggered
from whet.core.usage import Usage
from whet.ports.store import Store

SOME = Usage(input_tokens=3, output_tokens=1, cost_usd=0.125)
MORE = Usage(input_tokens=30, output_tokens=10, cache_read_tokens=7, cost_usd=0.5)
FIRST = (Said(now(), "I begin."), Spent(now(), SOME), Spent(now(), MORE))


def test_a_cancelled_execution_is_charged_with_what_it_spent_last(
    store: Store, scratch: Path
) -> None:
    async def work() -> None:
        script = Waiting(first=FIRST)
        run, _ = runner(store, scratch, script)
        task = asyncio.create_task(run(spec()))
        await script.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())
    [execution] = store.ledger.executions(spec().address)
    assert (execution.outcome, execution.usage) == (Outcome.CANCELLED, MORE)


def test_so_is_one_whose_time_is_up(store: Store, scratch: Path) -> None:
    async def work() -> None:
        run, _ = runner(store, scratch, Waiting(first=FIRST))
        handled = await run(spec(seconds=0.05))
        assert handled.record is not None
        assert (handled.record.failure, handled.record.usage) == (Failure.TIMEOUT, MORE)
        assert handled.cost_usd == MORE.cost_usd

    asyncio.run(work())
    [execution] = store.ledger.executions(spec(seconds=0.05).address)
    assert (execution.outcome, execution.usage) == (Outcome.ANSWERED, MORE)


def test_so_is_one_that_breaks(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, yields(*FIRST), retries=0)
    handled = asyncio.run(run(spec()))
    assert (handled.record, handled.cost_usd) == (None, 0.5)
    [execution] = store.ledger.executions(spec().address)
    assert (execution.outcome, execution.usage) == (Outcome.FAILED, MORE)


def test_the_end_has_the_last_word(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, yields(*FIRST, Ended(now(), "42", USED)))
    record = asyncio.run(run(spec())).record
    assert record is not None
    assert record.usage == USED
    [execution] = store.ledger.executions(spec().address)
    assert execution.usage == USED


def test_without_a_word_nothing_is_charged(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, yields(Said(now(), "?")), retries=0)
    assert asyncio.run(run(spec())).cost_usd == 0
    [execution] = store.ledger.executions(spec().address)
    assert execution.usage == Usage()


def test_the_skills_an_agent_took_up_are_in_record_and_session(store: Store, scratch: Path) -> None:
    taken = [Triggered(now(), name) for name in ("whetting", "honing", "whetting")]
    run, _ = runner(store, scratch, yields(*taken, Ended(now(), "42", USED)))
    record = asyncio.run(run(spec())).record
    assert record is not None
    assert record.skills_used == ("whetting", "honing")
    session = json.loads(store.blobs.get(record.session))
    assert session["skills_used"] == ["whetting", "honing"]


@pytest.mark.parametrize("failure", [Failure.RATE_LIMIT, Failure.OVERLOAD, Failure.NETWORK])
def test_a_busy_model_gets_time_and_more_each_time(
    store: Store, scratch: Path, failure: Failure
) -> None:
    run, agent = runner(store, scratch, ends(failure), retries=8)
    asyncio.run(run(spec()))
    assert len(agent.starts) == 9
    assert len(agent.pauses) == 8
    for number, pause in enumerate(agent.pauses, 1):
        most = min(60, 2**number)
        assert most / 2 <= pause <= most


def test_what_waiting_does_not_help_is_tried_again_at_once(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, ends(Failure.CRASH), answers)
    assert asyncio.run(run(spec())).record is not None
    assert agent.pauses == [0]


def test_nobody_waits_after_the_last_try_nor_for_a_simulation(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, ends(Failure.RATE_LIMIT), retries=0)
    asyncio.run(run(spec()))
    assert agent.pauses == []
    run, agent = runner(store, scratch / "2", ends(Failure.RATE_LIMIT), retries=3)
    agent.simulated = True
    asyncio.run(run(spec("simulated")))
    assert (len(agent.starts), agent.pauses) == (4, [])


def test_cancelled_while_it_waits_a_trial_leaves_no_claim(store: Store, scratch: Path) -> None:
    async def work() -> None:
        run, _ = runner(store, scratch, ends(Failure.RATE_LIMIT))
        task = asyncio.current_task()
        assert task is not None

        async def pause(_seconds: float) -> None:
            task.cancel()
            await asyncio.Event().wait()

        await replace(run, sleep=pause)(spec())

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())
    [execution] = store.ledger.executions(spec().address)
    assert execution.outcome is Outcome.FAILED

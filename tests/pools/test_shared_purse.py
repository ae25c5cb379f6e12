"""One purse for several pools, and a time after which everything ends."""

import asyncio
import contextlib
import time
from pathlib import Path

import pytest

from tests.pools.trials import DONE, Desk, Settled, name, spec, specs
from tests.run.agents import Waiting, answers, runner
from tests.run.agents import spec as real_spec
from whet.app.clock import SystemClock
from whet.core.budget import Budget, Purse
from whet.core.errors import BudgetExhausted
from whet.core.execution import Outcome
from whet.core.usage import Usage
from whet.pools.local import LocalPool
from whet.ports.pool import Handled
from whet.stores.sql import SqlStore


async def settled(desk: Desk, count: int, purse: Purse, model: str = "m") -> list[Settled]:
    async with asyncio.timeout(30):
        return [one async for one in LocalPool(desk, 4).run(specs(count, model), purse)]


def refused(found: list[Settled]) -> list[str]:
    return [name(one) for one, handled in found if isinstance(handled.error, BudgetExhausted)]


def paid(count: int, usd: float) -> dict[str, list[Handled]]:
    each = Handled(settled=True, executions=1, usage=Usage(cost_usd=usd))
    return {str(number): [each] for number in range(count)}


def test_two_pools_spend_no_more_than_one_would() -> None:
    async def work() -> tuple[list[Settled], list[Settled], Purse]:
        purse = Purse(Budget(max_cost_usd=3))
        desks = Desk(answers=paid(10, 0.25)), Desk(answers=paid(10, 0.25))
        one, other = await asyncio.gather(
            settled(desks[0], 10, purse, "a"), settled(desks[1], 10, purse, "b")
        )
        return one, other, purse

    one, other, purse = asyncio.run(work())
    assert purse.usage.cost_usd == pytest.approx(3)
    assert len(one) == len(other) == 10, "every trial is settled, one way or the other"
    assert len(refused(one)) + len(refused(other)) == 8
    assert not purse.is_held


def test_a_pool_whose_money_is_held_elsewhere_waits_and_goes_on() -> None:
    async def work() -> tuple[list[str], list[Settled]]:
        purse = Purse(Budget(max_cost_usd=1))
        elsewhere = purse.reserve(spec("judge", "j", 1))
        desk = Desk()
        waiting = asyncio.create_task(settled(desk, 2, purse))
        await asyncio.sleep(0.2)
        begun = list(desk.started)
        elsewhere.settle(1, Usage(cost_usd=0.1))
        return begun, await waiting

    begun, found = asyncio.run(work())
    assert begun == []
    assert len(found) == 2
    assert not refused(found)


def test_a_pool_whose_money_is_spent_elsewhere_gives_up() -> None:
    async def work() -> list[Settled]:
        purse = Purse(Budget(max_cost_usd=1))
        elsewhere = purse.reserve(spec("judge", "j", 1))
        waiting = asyncio.create_task(settled(Desk(), 2, purse))
        await asyncio.sleep(0.1)
        elsewhere.settle(1, Usage(cost_usd=1))
        return await waiting

    assert refused(asyncio.run(work())) == ["0", "1"]


@pytest.mark.slow
def test_when_the_time_is_up_what_runs_is_ended_and_the_rest_refused() -> None:
    async def work() -> tuple[Desk, list[Settled], Purse]:
        purse = Purse(Budget(max_seconds=0.5))
        gates = {str(number): asyncio.Event() for number in range(2, 20)}
        desk = Desk(gates=gates)
        return desk, await settled(desk, 20, purse), purse

    begun = time.monotonic()
    desk, found, purse = asyncio.run(work())
    assert 0.5 <= time.monotonic() - begun < 20
    assert sorted(desk.cleaned_up) == sorted(desk.started)
    assert len(desk.started) == 6
    assert len(found) == 20
    assert sorted(refused(found), key=int) == [str(number) for number in range(2, 20)]
    told = {str(handled.error) for _, handled in found if handled.error}
    assert told == {"the time of 0.5 s is up"}
    assert all(handled.settled for _, handled in found)
    assert not purse.is_held
    assert purse.trials == 6, "those that were ended had been started"


@pytest.mark.slow
def test_while_others_still_hold_the_purse_after_its_time_nobody_spins() -> None:
    async def work() -> float:
        purse = Purse(Budget(max_seconds=0.05, max_cost_usd=1))
        elsewhere = purse.reserve(spec("judge", "j", 1))
        waiting = asyncio.create_task(settled(Desk(), 2, purse))
        await asyncio.sleep(0.1)
        spent = time.process_time()
        await asyncio.sleep(1)
        spent = time.process_time() - spent
        assert not waiting.done()
        elsewhere.settle(1, Usage())
        assert refused(await waiting) == ["0", "1"]
        return spent

    assert asyncio.run(work()) < 0.4


@pytest.mark.slow
def test_a_trial_that_time_ended_leaves_no_claim(tmp_path: Path) -> None:
    """With the real runner and store: closed as cancelled, and free for whoever comes next."""

    async def work(store: SqlStore) -> None:
        waiting = Waiting()
        run, agent = runner(store, tmp_path / "scratch", waiting, answers)
        trial = real_spec()
        purse = Purse(Budget(max_seconds=1))
        async with asyncio.timeout(30):
            found = [one async for one in LocalPool(run, 2).run([trial], purse)]
        [(_, handled)] = found
        assert isinstance(handled.error, BudgetExhausted)
        assert waiting.cleaned_up == [trial.address]
        [execution] = store.ledger.executions(trial.address)
        assert execution.outcome is Outcome.CANCELLED
        later = await run(trial)
        assert later.record is not None
        assert len(agent.starts) == 2

    with contextlib.closing(SqlStore(tmp_path, lambda _: True, SystemClock())) as store:
        asyncio.run(work(store))


def test_a_trial_that_is_done_when_the_time_is_up_counts() -> None:
    """It says what it came to, whatever the clock says meanwhile."""

    class Stubborn(Desk):
        async def __call__(self, trial: object) -> Handled:
            del trial
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return DONE

    found = asyncio.run(settled(Stubborn(), 1, Purse(Budget(max_seconds=0.1))))
    assert [handled for _, handled in found] == [DONE]

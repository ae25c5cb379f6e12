"""The budget: reserved before a trial starts, settled when it ends, never exceeded."""

import asyncio
from collections.abc import Iterable

import pytest

from tests.pools.trials import DONE, FOUND, HELD, Desk, name, running, settle, spec, specs
from whet.core.budget import Budget
from whet.core.errors import BudgetExhausted
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.pool import Handled


def outcome(
    desk: Desk, plan: Iterable[TrialSpec], budget: Budget, width: int = 4
) -> tuple[list[str], list[str]]:
    """Which trials were handled, and which refused."""
    settled = asyncio.run(settle(desk, plan, width, budget))
    refused = [name(one) for one, handled in settled if isinstance(handled.error, BudgetExhausted)]
    return [name(one) for one, handled in settled if handled.error is None], refused


def paid(cost: float, executions: int = 1) -> Handled:
    return Handled(settled=True, executions=executions, usage=Usage(cost_usd=cost))


@pytest.mark.parametrize("most", [0, 1, 3, 5])
def test_no_more_trials_are_started_than_the_budget_has(most: int) -> None:
    desk = Desk()
    handled, refused = outcome(desk, specs(5), Budget(max_trials=most))
    assert len(desk.started) == len(handled) == most
    assert len(refused) == 5 - most


def test_refused_trials_are_settled_with_the_reason() -> None:
    settled = asyncio.run(settle(Desk(), specs(2), budget=Budget(max_trials=1)))
    [(_, refusal)] = [each for each in settled if each[1].error]
    assert refusal.settled
    assert refusal.executions == 0
    assert str(refusal.error) == "the budget of 1 trial is used up"


def test_what_was_there_already_costs_nothing() -> None:
    """Nor does what another process is at; the place in the budget goes to the next one."""
    desk = Desk(answers={"0": [HELD, DONE], "1": [FOUND], "2": [FOUND]})
    handled, refused = outcome(desk, specs(4), Budget(max_trials=2))
    assert sorted(handled) == ["0", "1", "2", "3"]
    assert refused == []


def test_retries_count() -> None:
    desk = Desk(answers={"0": [paid(0, executions=3)]})
    handled, refused = outcome(desk, specs(5), Budget(max_trials=4), width=1)
    assert handled == ["0", "1"]
    assert len(refused) == 3


def test_the_most_that_a_trial_may_cost_is_reserved() -> None:
    """Two of 0.4 fit into 1.0 at once; a third might not, so it waits until one is settled."""

    async def work() -> list[int]:
        desk = Desk(gates={"m": asyncio.Event()})
        started: list[int] = []
        plan = specs(3, max_cost_usd=0.4)
        async with running(desk, plan, budget=Budget(max_cost_usd=1)) as settled:
            first = asyncio.ensure_future(anext(settled))
            await asyncio.sleep(0.01)
            started.append(len(desk.started))
            desk.gates["m"].set()
            await first
            assert [name(each) async for each in settled]
            started.append(len(desk.started))
        return started

    assert asyncio.run(work()) == [2, 3]


@pytest.mark.parametrize("width", [1, 4, 100])
def test_what_a_trial_did_not_use_is_free_again(width: int) -> None:
    """However many run at once: 20 trials that cost 0.1 of at most 0.5 fit into 2.5."""
    desk = Desk(answers={str(number): [paid(0.1)] for number in range(20)})
    handled, refused = outcome(desk, specs(20, max_cost_usd=0.5), Budget(max_cost_usd=2.5), width)
    assert len(handled) == 20
    assert refused == []


@pytest.mark.parametrize("width", [1, 4, 100])
def test_money_is_a_hard_stop(width: int) -> None:
    """Trials that use all they may: four of 0.25 are 1.0, and not a cent more is spent."""
    desk = Desk(answers={str(number): [paid(0.25)] for number in range(10)})
    handled, refused = outcome(desk, specs(10, max_cost_usd=0.25), Budget(max_cost_usd=1), width)
    assert len(handled) == 4
    assert len(refused) == 6


def test_a_sum_of_fractions_is_not_more_than_it_is() -> None:
    """0.1 + 0.1 + 0.1 fits into 0.3, whatever binary fractions say."""
    desk = Desk(answers={str(number): [paid(0.1)] for number in range(3)})
    handled, _ = outcome(desk, specs(3, max_cost_usd=0.1), Budget(max_cost_usd=0.3))
    assert len(handled) == 3


def test_a_trial_without_a_limit_is_counted_when_it_ends() -> None:
    desk = Desk(answers={"0": [paid(0.5)], "1": [paid(0.75)]})
    handled, refused = outcome(desk, specs(5), Budget(max_cost_usd=1), width=1)
    assert handled == ["0", "1"]
    assert refused == ["2", "3", "4"]


def test_a_cheap_trial_in_another_lane_still_fits() -> None:
    desk = Desk(answers={"dear": [paid(0.9)]})
    plan = [spec("dear", "a", 0.9), spec("dear too", "a", 0.9), spec("cheap", "b", 0.05)]
    handled, refused = outcome(desk, plan, Budget(max_cost_usd=1), width=1)
    assert sorted(handled) == ["cheap", "dear"]
    assert refused == ["dear too"]


def test_no_budget_is_no_limit() -> None:
    handled, refused = outcome(Desk(), specs(50, max_cost_usd=1000), Budget())
    assert len(handled) == 50
    assert refused == []

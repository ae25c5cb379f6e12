"""The purse: what is set aside, what is settled, and what is never exceeded."""

import contextlib
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pools.trials import spec
from whet.core.budget import Budget, Purse, Reservation, Spending
from whet.core.errors import BudgetExhausted
from whet.core.usage import Usage


def refused(purse: Purse, name: str = "x", model: str = "m", own: float | None = None) -> str:
    """Why nothing more is let go."""
    with pytest.raises(BudgetExhausted) as caught:
        purse.reserve(spec(name, model, own))
    return str(caught.value)


def reserved(purse: Purse, model: str = "m", own: float | None = None) -> Reservation:
    return purse.reserve(spec("x", model, own))


def cost(usd: float) -> Usage:
    return Usage(cost_usd=usd)


def tokens(count: int) -> Usage:
    return Usage(input_tokens=count)


@dataclass
class FakeClock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_without_limits_everything_goes() -> None:
    purse = Purse(Budget())
    held = [reserved(purse, own=1e9) for _ in range(100)]
    assert purse.is_held
    for one in held:
        one.settle(1, cost(5))
    assert not purse.is_held
    assert (purse.trials, purse.usage.cost_usd) == (100, 500)


def test_trials_are_counted_when_they_start() -> None:
    purse = Purse(Budget(max_trials=2))
    first = reserved(purse)
    reserved(purse)
    assert refused(purse) == "the budget of 2 trials is used up"
    first.settle(0, Usage())
    assert purse.trials == 1, "somebody else had run it"
    reserved(purse)
    assert refused(purse)


def test_retries_count_as_trials() -> None:
    purse = Purse(Budget(max_trials=4))
    reserved(purse).settle(3, Usage())
    assert purse.trials == 3
    reserved(purse)
    assert refused(purse)


def test_questions_to_judges_are_no_trials() -> None:
    purse = Purse(Budget(max_trials=1, max_cost_usd=1))
    question = spec("judge", "j").model_copy(update={"scope": "ask"})
    purse.reserve(question).settle(3, cost(0.25))
    assert (purse.trials, purse.usage.cost_usd) == (0, 0.25)
    reserved(purse).settle(1, cost(0.5))
    purse.reserve(question).settle(1, cost(0.25))
    assert refused(purse, model="j"), "the money is gone, though a judge's"


def test_a_second_settling_changes_nothing() -> None:
    purse = Purse(Budget(max_trials=5, max_cost_usd=5))
    one, other = reserved(purse, own=1), reserved(purse, own=1)
    for _ in range(3):
        one.settle(2, cost(0.5))
    assert (purse.trials, purse.usage.cost_usd) == (3, 0.5)
    assert purse.is_held
    other.settle(1, cost(1))
    assert (purse.trials, purse.usage.cost_usd, purse.is_held) == (3, 1.5, False)


def test_an_unknown_lane_goes_one_at_a_time() -> None:
    purse = Purse(Budget(max_cost_usd=10))
    first = reserved(purse)
    assert "not known before the first one is done" in refused(purse)
    reserved(purse, model="other")
    first.settle(1, cost(1))
    for _ in range(9):
        reserved(purse)
    assert refused(purse) == "the budget of 10 USD does not cover another trial"


@pytest.mark.parametrize("budget", [Budget(max_cost_usd=1), Budget(max_tokens=10)])
def test_a_start_that_took_nothing_tells_nothing(budget: Budget) -> None:
    """The first one met a rate limit at once: the next is again the first of its lane."""
    purse = Purse(budget)
    reserved(purse).settle(3, Usage())
    reserved(purse)
    assert "not known" in refused(purse)


def test_a_trial_is_bounded_by_all_that_one_took_with_its_retries() -> None:
    purse = Purse(Budget(max_cost_usd=1))
    reserved(purse).settle(3, cost(0.6))
    assert refused(purse) == "the budget of 1 USD does not cover another trial"
    purse = Purse(Budget(max_tokens=100))
    reserved(purse).settle(3, tokens(60))
    assert refused(purse) == "the budget of 100 tokens does not cover another trial"


def test_its_own_limit_of_money_is_no_limit_of_tokens() -> None:
    purse = Purse(Budget(max_tokens=100))
    reserved(purse, own=0.1)
    assert "not known" in refused(purse, own=0.1)


@pytest.mark.parametrize("budget", [Budget(max_cost_usd=0), Budget(max_tokens=0)])
def test_a_budget_of_nothing_starts_nothing(budget: Budget) -> None:
    assert "does not cover another trial" in refused(Purse(budget))


def test_what_is_used_up_lets_no_other_lane_try() -> None:
    purse = Purse(Budget(max_cost_usd=1))
    reserved(purse, own=1).settle(1, cost(1))
    assert refused(purse, model="other")


def test_what_is_set_aside_lets_no_other_lane_try() -> None:
    purse = Purse(Budget(max_cost_usd=1))
    first = reserved(purse, own=1)
    assert refused(purse, model="other")
    first.settle(1, cost(0.5))
    reserved(purse, model="other")


def test_a_lane_that_costs_nothing_goes_on() -> None:
    """Free, though not for nothing: it says how many tokens it took."""
    purse = Purse(Budget(max_cost_usd=1))
    reserved(purse, "free").settle(1, Usage(input_tokens=9, cost_usd=0))
    reserved(purse, own=1).settle(1, cost(1))
    reserved(purse, "free")
    reserved(purse, "free")


def test_time_runs_from_the_beginning() -> None:
    clock = FakeClock()
    purse = Purse(Budget(max_seconds=10), clock)
    clock.now += 50
    assert purse.seconds_left == 10
    purse.begin()
    clock.now += 4
    purse.begin()
    assert purse.seconds_left == pytest.approx(6)
    reserved(purse)
    clock.now += 5.999
    reserved(purse)
    clock.now += 0.001
    assert purse.seconds_left == 0
    assert refused(purse) == "the time of 10 s is up"
    clock.now += 100
    assert purse.seconds_left == 0


def test_the_first_trial_lets_the_time_run() -> None:
    clock = FakeClock()
    purse = Purse(Budget(max_seconds=10), clock)
    reserved(purse)
    clock.now += 7
    assert purse.seconds_left == pytest.approx(3)


def test_no_time_at_all() -> None:
    assert refused(Purse(Budget(max_seconds=0))) == "the time of 0 s is up"


USES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.floats(0, 1),
        st.integers(0, 50),
        st.integers(0, 3),
        st.integers(0, 5),
    ),
    max_size=40,
)
"""Lane, share of the most that it may cost, tokens, executions, and who is settled next."""


@given(USES, st.floats(0, 5), st.integers(0, 12))
def test_money_is_never_exceeded_by_trials_that_keep_their_limits(
    uses: list[tuple[str, float, int, int, int]], limit: float, most: int
) -> None:
    purse = Purse(Budget(max_cost_usd=limit, max_trials=most))
    open_: list[tuple[Reservation, float, int]] = []
    spent = 0.0
    for lane, share, count, executions, place in uses:
        try:
            held = purse.reserve(spec("x", lane, 1.0))
        except BudgetExhausted:
            if not open_:
                continue
        else:
            open_.append((held, share, min(executions, 1)))
        assert sum(1 for _ in open_) <= most
        if place < len(open_):
            held, used, started = open_.pop(place)
            held.settle(started, Usage(input_tokens=count, cost_usd=used * started))
            spent += used * started
        assert purse.usage.cost_usd is None or purse.usage.cost_usd == pytest.approx(spent)
        assert spent + len(open_) <= limit + 1e-6, "all that is open may still cost its most"
        assert purse.trials <= most
        assert purse.is_held == bool(open_)


@given(
    st.integers(1, 50),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3)), max_size=40),
    st.integers(0, 400),
)
def test_tokens_are_never_exceeded_by_trials_that_take_no_more_than_the_first(
    first: int, uses: list[tuple[float, int]], limit: int
) -> None:
    """Nobody knows what the first one takes; it alone may be too much."""
    purse = Purse(Budget(max_tokens=limit))
    open_: list[Reservation] = []
    for share, place in uses:
        with contextlib.suppress(BudgetExhausted):
            open_.append(reserved(purse))
        if place < len(open_):
            known = purse.usage.total_tokens > 0
            open_.pop(place).settle(1, tokens(round(share * first) if known else first))
        assert purse.usage.total_tokens + first * len(open_) <= max(limit, first)


def test_what_was_spent_before_counts_against_the_budget() -> None:
    clock = FakeClock()
    limits = Budget(max_trials=5, max_cost_usd=3, max_tokens=100, max_seconds=60)
    before = Spending(trials=3, usage=Usage(input_tokens=40, cost_usd=2), seconds=50)
    purse = Purse(limits, clock, before)
    reserved(purse).settle(1, Usage(input_tokens=10, cost_usd=0.5))
    clock.now += 4
    assert purse.usage == Usage(input_tokens=10, cost_usd=0.5), "of this process alone"
    assert purse.spending == Spending(
        trials=4, usage=Usage(input_tokens=50, cost_usd=2.5), seconds=54
    )
    assert purse.seconds_left == 6
    assert refused(Purse(limits, before=Spending(trials=5)))
    assert refused(Purse(limits, before=Spending(usage=cost(3))))
    assert refused(Purse(limits, before=Spending(usage=tokens(100))))
    assert refused(Purse(limits, before=Spending(seconds=60)))

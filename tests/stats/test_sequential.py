import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.sequential import Sequential, Wager, sampling_shares, weighted

passes = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=40)


def test_a_clear_effect_stops_early_and_stays_decided():
    process = Sequential(1)
    labels = [process.add(1) for _ in range(20)]
    # The boldest purse alone: 0.4 · 1.95^n >= 40 from n = 7 on, and all together not at n = 6.
    assert labels.index("better") == 6
    for _ in range(200):
        process.add(-0.1)
    assert process.label == "better"
    assert process.interval().low >= 0


@given(passes)
def test_is_symmetric_and_its_interval_agrees_with_the_verdict(values: list[float]):
    one, other = Sequential(1, margin=0.3), Sequential(1, margin=0.3)
    for value in values:
        one.add(value)
        other.add(-value)
    assert one.p_value == pytest.approx(other.p_value)
    low, high = one.interval()
    assert other.interval() == pytest.approx((-high, -low), abs=1e-6)
    assert -1 <= low <= high <= 1
    assert (one.p_value <= 0.05) == (one.label in ("better", "worse"))
    if one.label == "better":
        assert low >= 0


def test_the_interval_ends_where_a_bettor_has_won_forty_times():
    values = [1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 1.0, 1.0, 0.0] * 4
    process = Sequential(1)
    for value in values:
        process.add(value)
    low, high = process.interval()
    for sign, end in ((1, low), (-1, -high)):
        inside, outside = Wager(end + 1e-6, 1), Wager(end - 1e-6, 1)
        for value in values:
            inside.add(sign * value)
            outside.add(sign * value)
        assert inside.capital < 40 < outside.capital


def test_capital_is_a_fair_game():
    # All 3^4 paths of −1, 0, 1 with a mean of zero: the capital is 1 on average.
    def capital(path: list[int]) -> float:
        wager = Wager(0, 1)
        for x in path:
            wager.add(x)
        return wager.capital

    paths = [
        [a, b, c, d] for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) for d in (-1, 0, 1)
    ]
    assert math.fsum(map(capital, paths)) / len(paths) == pytest.approx(1)


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=12),
    st.floats(-0.9, 0.9),
    st.integers(1, 3),
)
def test_whole_rounds_of_unlike_cases_are_no_better_than_fair(
    effects: list[float], shift: float, rounds: int
):
    # Effects stand for the expectation of runs: a product of independent ones has it exactly.
    # However unlike the cases are, nothing is won on average against their own mean.
    effects = [max(-1.0, min(1.0, effect / 2 + shift / 2)) for effect in effects]
    centre = math.fsum(effects) / len(effects)
    for sign in (1, -1):
        if abs(centre) >= 1:
            continue
        wager = Wager(sign * centre, 1)
        for _ in range(rounds):
            for effect in effects:
                wager.add(sign * effect, look=False)
        assert wager.capital <= 1 + 1e-9
        assert wager.best == 1


def test_the_middle_of_a_round_is_not_looked_at():
    process = Sequential(1)
    for _ in range(20):
        assert process.add(1, look=False) == "inconclusive"
    for _ in range(20):
        process.add(-1, look=False)
    assert process.add(0) == "inconclusive"
    assert process.p_value == 1
    assert process.add(1, look=False) == "inconclusive"


def test_a_small_fixture_weighs_less():
    # Fixtures of one case and of three, together: the mean over all cases is what counts.
    means, sizes = [0.6, -0.2], [1, 3]
    process, wager = Sequential(1), Wager(0, 1)
    for value, size in zip(means, sizes, strict=True):
        process.add(value, size / 3)
        wager.add(value, size / 3)
    by_hand = math.fsum(
        stake * (1 + bet * 0.6 / 3) * (1 - bet * 0.2)
        for stake, bet in zip(
            (0.4, 0.2, 0.15, 0.15, 0.1), (0.95, 0.57, 0.342, 0.2052, 0.12312), strict=True
        )
    )
    assert wager.capital == pytest.approx(by_hand)
    assert by_hand < 1
    for _ in range(20):
        process.add(0.6, 1 / 3)
        process.add(-0.2)
    low, high = process.interval()
    assert low < 0 < high
    for sign, end in ((1, low), (-1, -high)):
        inside, outside = Wager(end + 1e-6, 1), Wager(end - 1e-6, 1)
        for each in (inside, outside):
            for _ in range(21):
                each.add(sign * 0.6, 1 / 3)
                each.add(sign * -0.2)
        assert inside.capital < 40 < outside.capital


def test_no_difference_needs_a_margin():
    process, blind = Sequential(100, margin=15), Sequential(100)
    chance = random.Random(1)
    for _ in range(300):
        difference = chance.uniform(-5, 5)
        process.add(difference)
        blind.add(difference)
    assert process.label == "no_difference"
    assert blind.label == "inconclusive"
    low, high = process.interval()
    assert -15 <= low < 0 < high <= 15


def test_shares_and_weights_are_unbiased():
    shares = sampling_shares([0.5, 0, 0, 0.3])
    assert sum(shares) == pytest.approx(1)
    assert min(shares) == pytest.approx(0.125)
    assert shares[0] == pytest.approx(0.125 + 0.5 * 5 / 8)
    effects = [0.4, -0.2, 0.1, 0.3]
    seen = sum(s * weighted(e, s, 4) for s, e in zip(shares, effects, strict=True))
    assert seen == pytest.approx(sum(effects) / 4)
    assert max(abs(weighted(1, share, 4)) for share in shares) <= 1 / 0.5
    assert sampling_shares([0, 0]) == [0.5, 0.5]


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="beyond the bound"):
        Sequential(1).add(1.5)
    with pytest.raises(ValueError, match="beyond the bound"):
        Sequential(1).add(math.nan)
    for bound, margin in ((0, 0), (1, 1), (1, -1), (math.inf, 0)):
        with pytest.raises(ValueError, match="margin"):
            Sequential(bound, margin=margin)
    with pytest.raises(ValueError, match="level"):
        Sequential(1, level=95)
    for weight in (0, 1.5, math.nan):
        with pytest.raises(ValueError, match="weight"):
            Sequential(1).add(0.5, weight)
    with pytest.raises(ValueError, match="spread"):
        sampling_shares([])
    with pytest.raises(ValueError, match="even"):
        sampling_shares([1], even=0)
    with pytest.raises(ValueError, match="impossible"):
        weighted(1, 0, 3)
    with pytest.raises(ValueError, match="within"):
        Wager(1, 1)

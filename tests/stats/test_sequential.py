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
    # The boldest purse alone: 1.95^n / 5 >= 40 from n = 8 on; the others help by one case.
    assert labels.index("better") in (6, 7)
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
    with pytest.raises(ValueError, match="spread"):
        sampling_shares([])
    with pytest.raises(ValueError, match="even"):
        sampling_shares([1], even=0)
    with pytest.raises(ValueError, match="impossible"):
        weighted(1, 0, 3)
    with pytest.raises(ValueError, match="within"):
        Wager(1, 1)

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.intervals import (
    Range,
    clopper_pearson_interval,
    rate_interval,
    t_interval,
    weighted_interval,
    wilson_interval,
)

referee: Any = stats  # scipy has no types

numbers = st.floats(min_value=-1e6, max_value=1e6)
levels = st.floats(min_value=0.5, max_value=0.999)


def test_wilson_by_hand():
    # z² = 3.841459 for 95 %; 8 of 10: share 0.8
    # centre = (0.8 + 3.841459 / 20) / (1 + 0.3841459) = 0.99207295 / 1.3841459 = 0.7167402
    # and on each side the root of 3.841459 times 0.016 + 3.841459 / 400, over 1.3841459,
    # which is 0.3136166 / 1.3841459 = 0.2265777
    low, high = wilson_interval(8, 10)
    assert low == pytest.approx(0.7167402 - 0.2265777, abs=1e-6)
    assert high == pytest.approx(0.7167402 + 0.2265777, abs=1e-6)


def test_wilson_at_both_ends():
    # 0 of n: from 0 to z² / (n + z²) = 3.841459 / 13.841459 = 0.2775328
    assert wilson_interval(0, 10) == pytest.approx((0, 0.2775328), abs=1e-7)
    assert wilson_interval(0, 10).low == 0
    assert wilson_interval(10, 10) == pytest.approx((0.7224672, 1), abs=1e-7)
    assert wilson_interval(10, 10).high == 1


def test_t_by_hand():
    # 1, 2, 3, 4, 5: mean 3, sd sqrt(10 / 4) = 1.5811388, error / sqrt(5) = 0.7071068
    # t(0.975, 4) = 2.7764451, half = 1.9632432
    assert t_interval([1, 2, 3, 4, 5]) == pytest.approx((1.0367568, 4.9632432), abs=1e-7)


def test_one_value_has_no_interval_and_equal_values_a_point():
    assert t_interval([3.0]) is None
    assert t_interval([0.1, 0.1, 0.1]) == Range(0.1, 0.1)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(successes: int, trials: int):
    with pytest.raises(ValueError, match="trials"):
        wilson_interval(successes, trials)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, math.nan])
def test_impossible_levels_are_refused(level: float):
    with pytest.raises(ValueError, match="level"):
        wilson_interval(1, 2, level)
    with pytest.raises(ValueError, match="level"):
        t_interval([1.0, 2.0], level)


def test_no_values_are_refused():
    with pytest.raises(ValueError, match="no values"):
        t_interval([])


@given(st.integers(0, 500), st.integers(1, 500), levels)
def test_wilson_agrees_with_scipy(successes: int, trials: int, level: float):
    successes = min(successes, trials)
    expected = referee.binomtest(successes, trials).proportion_ci(level, method="wilson")
    low, high = wilson_interval(successes, trials, level)
    assert low == pytest.approx(float(expected.low), abs=1e-12)
    assert high == pytest.approx(float(expected.high), abs=1e-12)
    assert 0 <= low <= successes / trials <= high <= 1


@given(st.lists(numbers, min_size=2, max_size=30, unique=True), levels)
def test_t_agrees_with_scipy(values: list[float], level: float):
    expected = referee.ttest_1samp(values, 0.0).confidence_interval(level)
    interval = t_interval(values, level)
    assert interval is not None
    assert interval.low == pytest.approx(float(expected.low), rel=1e-8, abs=1e-6)
    assert interval.high == pytest.approx(float(expected.high), rel=1e-8, abs=1e-6)


@given(st.lists(numbers, min_size=2, max_size=30))
def test_more_confidence_is_wider(values: list[float]):
    narrow, wide = t_interval(values, 0.8), t_interval(values, 0.99)
    assert narrow is not None
    assert wide is not None
    assert wide.low <= narrow.low <= narrow.high <= wide.high


@pytest.mark.parametrize("n", [5, 10])
def test_t_covers_the_truth_as_often_as_it_says(n: int):
    chance = random.Random(20_000 + n)
    repeats, hits = 4000, 0
    for _ in range(repeats):
        interval = t_interval([chance.gauss(70, 12) for _ in range(n)])
        assert interval is not None
        hits += interval.low <= 70 <= interval.high
    assert hits / repeats == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / repeats))


def test_a_weighted_interval_by_hand():
    # 80 and 100, the second with three times the weight: mean 95. Without the first it is 100,
    # without the second 80, so the moves are 1 · −15 / 3 = −5 and 3 · 5 / 1 = 15.
    # sd = sqrt(200) = 14.1421356, error 10, t(0.975, 1) = 12.7062047
    found = weighted_interval([80, 100], [1, 3])
    assert found == pytest.approx((95 - 127.062047, 95 + 127.062047), abs=1e-5)
    assert weighted_interval([80], [2]) is None
    with pytest.raises(ValueError, match="no weight"):
        weighted_interval([80, 90], [1, 0])


@given(st.lists(numbers, min_size=2, max_size=20), st.floats(min_value=0.01, max_value=100))
def test_equal_weights_are_students_interval(values: list[float], weight: float):
    found = weighted_interval(values, [weight] * len(values))
    assert found == pytest.approx(t_interval(values), rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("n", [6, 20])
def test_a_weighted_interval_covers_the_truth_and_is_not_much_wider(n: int):
    chance = random.Random(30_000 + n)
    repeats, hits, widths, plain = 4000, 0, 0.0, 0.0
    for _ in range(repeats):
        values = [chance.gauss(70, 12) for _ in range(n)]
        weights = [chance.choice((1, 2, 3, 4)) for _ in range(n)]
        found, without = weighted_interval(values, weights), t_interval(values)
        assert found is not None
        assert without is not None
        hits += found.low <= 70 <= found.high
        widths += found.high - found.low
        plain += without.high - without.low
    assert 0.93 < hits / repeats < 0.965
    assert 1 < widths / plain < 1.25


@pytest.mark.parametrize("truth", [0.1, 0.3, 0.5, 0.8])
def test_wilson_covers_the_truth(truth: float):
    # A count is discrete, so the real coverage swings around the level. It is the sum of the
    # binomial probabilities of the counts whose interval holds the truth.
    exact = sum(
        math.comb(20, k) * truth**k * (1 - truth) ** (20 - k)
        for k in range(21)
        if wilson_interval(k, 20).low <= truth <= wilson_interval(k, 20).high
    )
    assert exact == pytest.approx(0.95, abs=0.03)
    chance = random.Random(7)
    repeats, hits = 4000, 0
    for _ in range(repeats):
        low, high = wilson_interval(sum(chance.random() < truth for _ in range(20)), 20)
        hits += low <= truth <= high
    assert hits / repeats == pytest.approx(exact, abs=4 * math.sqrt(0.05 / repeats))


@given(st.integers(0, 300), st.integers(1, 300), levels)
def test_clopper_pearson_agrees_with_scipy(successes: int, trials: int, level: float):
    successes = min(successes, trials)
    expected = referee.binomtest(successes, trials).proportion_ci(level, method="exact")
    low, high = clopper_pearson_interval(successes, trials, level)
    assert low == pytest.approx(float(expected.low), abs=1e-9)
    assert high == pytest.approx(float(expected.high), abs=1e-9)


@pytest.mark.parametrize("trials", [5, 10, 30])
def test_clopper_pearson_is_never_below_its_level(trials: int):
    intervals = [clopper_pearson_interval(k, trials) for k in range(trials + 1)]
    for truth in (0.01, 0.1, 0.25, 0.5, 0.7, 0.9, 0.97):
        exact = sum(
            math.comb(trials, k) * truth**k * (1 - truth) ** (trials - k)
            for k, (low, high) in enumerate(intervals)
            if low <= truth <= high
        )
        assert exact >= 0.95


def test_rates_of_cases():
    # 1, 1, 1 with 0, 0, 1, 1 added: mean 5/7, sd sqrt(10/7 / 6) = 0.4879500, error 0.1844278,
    # t(0.975, 6) = 2.4469119, half 0.4512785
    assert rate_interval([1, 1, 1]) == pytest.approx((5 / 7 - 0.4512785, 1), abs=1e-6)
    low, high = rate_interval([0.4, 0.6, 0.5] * 30)
    assert 0.4 < low < 0.5 < high < 0.6
    with pytest.raises(ValueError, match="between 0 and 1"):
        rate_interval([0.5, 2])
    with pytest.raises(ValueError, match="no values"):
        rate_interval([])

import math
import random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.intervals import Range
from whet.stats.paired import PairedDifference, paired_difference, verdict

referee: Any = stats  # scipy has no types

scores = st.floats(min_value=0, max_value=100)
pairs = st.lists(st.tuples(scores, scores), min_size=2, max_size=25)


def test_by_hand():
    # differences 1, 2, 3, 4, 5: mean 3, sd 1.5811388, error 0.7071068
    # t = 3 / 0.7071068 = 4.2426407 with 4 degrees: with u = t / sqrt(4 + t²) = 0.904534,
    # p = 1 - (3u - u³) / 2 = 1 - (2.713602 - 0.740073) / 2 = 0.0132355
    found = paired_difference([11, 22, 33, 44, 55], [10, 20, 30, 40, 50])
    assert found.n == 5
    assert found.delta == 3
    assert found.spread == pytest.approx(math.sqrt(2.5))
    assert found.interval == pytest.approx((1.0367568, 4.9632432), abs=1e-7)
    assert found.p_value == pytest.approx(0.0132355, abs=1e-6)
    assert verdict(found.interval) == "better"


def test_one_pair_is_inconclusive():
    found = paired_difference([90], [10])
    assert found == PairedDifference(1, 80, 0, None, None)
    assert verdict(found.interval, margin=1000) == "inconclusive"


def test_equal_differences_are_taken_at_their_word():
    certain = paired_difference([1, 1, 1], [0, 0, 0])
    assert certain == PairedDifference(3, 1, 0, Range(1, 1), 0.0)
    same = paired_difference([0.3, 0.7], [0.3, 0.7])
    assert same == PairedDifference(2, 0, 0, Range(0, 0), 1.0)
    assert verdict(same.interval) == "inconclusive"
    assert verdict(same.interval, margin=0.01) == "no_difference"


def test_rounding_is_no_difference():
    found = paired_difference([0.1 + 0.2, 0.7 + 0.1], [0.3, 0.8])
    assert found.interval == Range(0, 0)
    assert verdict(found.interval) == "inconclusive"


@pytest.mark.parametrize(
    ("low", "high", "margin", "label"),
    [
        (0.1, 0.5, 0, "better"),
        (-0.5, -0.1, 0, "worse"),
        (-0.1, 0.5, 0, "inconclusive"),
        (-0.1, 0.1, 0, "inconclusive"),
        (-0.1, 0.1, 0.1, "no_difference"),
        (-0.1, 0.11, 0.1, "inconclusive"),
        (-0.11, 0.1, 0.1, "inconclusive"),
        (0.0, 0.5, 0, "inconclusive"),
        (-0.5, 0.0, 0, "inconclusive"),
        (0.01, 0.02, 0.1, "better"),
    ],
)
def test_verdicts(low: float, high: float, margin: float, label: str):
    assert verdict(Range(low, high), margin) == label


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        paired_difference([1, 2], [1])
    with pytest.raises(ValueError, match="no values"):
        paired_difference([], [])
    with pytest.raises(ValueError, match="finite"):
        paired_difference([math.inf, 1], [math.inf, 2])
    for margin in (-1.0, math.nan):
        with pytest.raises(ValueError, match="margin"):
            verdict(Range(0, 1), margin)


@given(pairs)
def test_agrees_with_scipy(rows: list[tuple[float, float]]):
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    found = paired_difference(first, second)
    assume(found.spread > 1e-6)
    expected = referee.ttest_rel(first, second)
    around = expected.confidence_interval(0.95)
    assert found.interval is not None
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-6, abs=1e-12)
    assert found.interval.low == pytest.approx(float(around.low), rel=1e-8, abs=1e-8)
    assert found.interval.high == pytest.approx(float(around.high), rel=1e-8, abs=1e-8)


@given(pairs)
def test_swapping_the_arms_turns_everything_round(rows: list[tuple[float, float]]):
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    one, other = paired_difference(first, second), paired_difference(second, first)
    assert one.delta == -other.delta
    assert one.p_value == other.p_value
    opposite = {"better": "worse", "worse": "better", "inconclusive": "inconclusive"}
    assert verdict(other.interval) == opposite[verdict(one.interval)]


@given(pairs)
def test_interval_and_p_value_tell_the_same(rows: list[tuple[float, float]]):
    found = paired_difference([row[0] for row in rows], [row[1] for row in rows])
    assert found.p_value is not None
    assume(abs(found.p_value - 0.05) > 1e-9)
    assert (found.p_value < 0.05) == (verdict(found.interval) != "inconclusive")


@pytest.mark.parametrize("cases", [5, 20])
def test_same_arm_twice_raises_a_false_alarm_one_time_in_twenty(cases: int):
    # Cases differ much more than the two arms do; only pairing takes that out.
    chance = random.Random(31 + cases)
    repeats, alarms = 3000, 0
    for _ in range(repeats):
        level = [chance.gauss(60, 20) for _ in range(cases)]
        first = [chance.gauss(value, 5) for value in level]
        second = [chance.gauss(value, 5) for value in level]
        alarms += verdict(paired_difference(first, second).interval) != "inconclusive"
    assert alarms / repeats == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / repeats))


def test_two_cases_that_pass_or_fail_look_certain_one_time_in_eight():
    # Both arms pass each case half the time: a difference is +1 or -1 with 1/4 each, so both
    # are +1 with 1/16, both -1 with 1/16. The docstring warns of this; here is the number.
    chance = random.Random(5)
    repeats, alarms = 4000, 0
    for _ in range(repeats):
        first, second = ([float(chance.random() < 0.5) for _ in range(2)] for _ in range(2))
        alarms += verdict(paired_difference(first, second).interval) != "inconclusive"
    assert alarms / repeats == pytest.approx(1 / 8, abs=4 * math.sqrt(0.125 * 0.875 / repeats))

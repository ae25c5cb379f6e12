import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.describe import (
    consistency,
    mean,
    normalized,
    spread_band,
    standard_deviation,
    weighted_mean,
)

numbers = st.floats(min_value=-1e9, max_value=1e9)


def test_by_hand():
    # 2 + 4 + 4 + 4 + 5 + 5 + 7 + 9 = 40, 40 / 8 = 5
    # squares: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, 32 / 7, square root
    values = [2, 4, 4, 4, 5, 5, 7, 9]
    assert mean(values) == 5
    assert standard_deviation(values) == pytest.approx(math.sqrt(32 / 7), rel=1e-15)


def test_one_value_has_no_spread():
    assert mean([3.5]) == 3.5
    assert standard_deviation([3.5]) == 0


def test_small_differences_of_large_numbers_survive():
    # 1e15 + (0, 1, 2): mean 1e15 + 1, squares 1 + 0 + 1 = 2, 2 / 2 = 1
    assert standard_deviation([1e15, 1e15 + 1, 1e15 + 2]) == 1


@pytest.mark.parametrize("measure", [mean, standard_deviation])
def test_nothing_and_no_numbers_are_refused(measure: object):
    assert callable(measure)
    with pytest.raises(ValueError, match="no values"):
        measure([])
    for odd in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="finite"):
            measure([1.0, odd])


@given(st.lists(numbers, min_size=1, max_size=30))
def test_mean_stays_in_range_and_equal_values_have_no_spread(values: list[float]):
    assert min(values) <= mean(values) <= max(values)
    assert standard_deviation([values[0]] * len(values)) == 0


@given(st.lists(numbers, min_size=2, max_size=30))
def test_agrees_with_exact_fractions(values: list[float]):
    assert mean(values) == pytest.approx(statistics.mean(values), rel=1e-12, abs=1e-9)
    assert standard_deviation(values) == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-6)


def test_weighted_mean():
    assert weighted_mean([4, 2, 5], [3, 1, 1]) == pytest.approx(19 / 5)
    assert weighted_mean([0.1, 0.1], [0.3, 0.7]) == 0.1
    for weights in ([1], [-1, 2], [0, 0], [math.nan, 1]):
        with pytest.raises(ValueError, match="weights"):
            weighted_mean([1, 2], weights)


def test_normalized():
    assert normalized(4, 5) == 0.8
    assert normalized(4, 5, 1) == 0.75
    with pytest.raises(ValueError, match="no length"):
        normalized(1, 1, 1)
    with pytest.raises(ValueError, match="not on the scale"):
        normalized(6, 5)


def test_consistency():
    # mean 0.8, sample sd sqrt((0.01 + 0 + 0.01) / 2) = 0.1
    assert consistency([0.7, 0.8, 0.9]) == pytest.approx(1 - 0.1 / 0.8)
    assert consistency([0.5]) == 1
    assert consistency([0, 0, 0]) is None
    assert consistency([0, 0, 1]) == pytest.approx(1 - 3**0.5)
    with pytest.raises(ValueError, match="0 and more"):
        consistency([-1, 1])


def test_bands():
    words = [spread_band(sd) for sd in (0, 0.049, 0.05, 0.1, 0.2, 0.3, 9)]
    assert words == [
        "very reliable",
        "very reliable",
        "reliable",
        "inconsistent",
        "unreliable",
        "broken",
        "broken",
    ]
    with pytest.raises(ValueError, match="deviation"):
        spread_band(math.nan)

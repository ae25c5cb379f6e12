import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from whet.stats.bootstrap import bca_interval
from whet.stats.intervals import Range

referee: Any = stats  # scipy has no types


def test_agrees_with_scipy_up_to_chance():
    chance = random.Random(3)
    values = [chance.expovariate(0.1) for _ in range(60)]
    found = bca_interval(values)
    expected = referee.bootstrap(
        (values,), np.mean, n_resamples=9999, method="BCa", rng=1
    ).confidence_interval
    width = float(expected.high - expected.low)
    # Two draws of 9,999 differ at each end by about 2 % of the width (one standard deviation).
    assert found.low == pytest.approx(float(expected.low), abs=0.1 * width)
    assert found.high == pytest.approx(float(expected.high), abs=0.1 * width)


def test_leans_towards_the_long_tail():
    values = [1.0] * 30 + [2.0] * 8 + [30.0, 40.0]
    low, high = bca_interval(values)
    average = sum(values) / len(values)
    assert high - average > average - low > 0


def test_same_seed_same_interval_and_equal_values_are_a_point():
    values = [float(i * i % 17) for i in range(30)]
    assert bca_interval(values, seed=4) == bca_interval(values, seed=4)
    assert bca_interval(values, seed=4) != bca_interval(values, seed=5)
    assert bca_interval([0.1] * 20) == Range(0.1, 0.1)


def test_few_values_and_odd_levels_are_refused():
    with pytest.raises(ValueError, match="at least 20 values, not 5"):
        bca_interval([1, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="level"):
        bca_interval([1.0] * 20, 95)

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.quantiles import normal_quantile, t_cdf, t_quantile, t_two_sided

referee: Any = stats  # scipy has no types

DEGREES = [1, 1.5, 2, 3, 4, 5, 9, 19, 30, 59, 60, 61, 99, 1000, 12_345, 1e5, 3e5, 1e6]
LEVELS = [0.5, 0.51, 0.55, 0.6, 0.75, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999, 0.99995]

degrees = st.floats(min_value=1, max_value=1e6)
probabilities = st.floats(min_value=1e-9, max_value=1 - 1e-9)


@pytest.mark.parametrize("df", DEGREES)
def test_t_quantile_agrees_with_scipy(df: float):
    for level in LEVELS:
        expected = float(referee.t.ppf(level, df))
        assert t_quantile(level, df) == pytest.approx(expected, rel=1e-9, abs=0)
        assert t_quantile(1 - level, df) == pytest.approx(-expected, rel=1e-9, abs=0)


@pytest.mark.parametrize("df", DEGREES)
def test_t_probabilities_agree_with_scipy(df: float):
    for t in (0.1, 0.5, 1, 1.7, 1.75, 2, 3, 5, 10, 30):
        assert t_cdf(t, df) == pytest.approx(float(referee.t.cdf(t, df)), rel=1e-9)
        below = float(referee.t.cdf(-t, df))
        assert t_cdf(-t, df) == pytest.approx(below, rel=1e-9, abs=1e-280)
        assert t_two_sided(t, df) == pytest.approx(2 * below, rel=1e-9, abs=1e-280)


@pytest.mark.parametrize("p", [0.5, 0.500001, 0.5001, 0.6, 0.9, 0.999999, 1 - 1e-12])
def test_closed_forms(p: float):
    # df = 1 is Cauchy's distribution: t = tan(pi (p - 1/2)) = 1 / tan(pi (1 - p)).
    # df = 2: with m = 2p - 1 the middle probability, t = m sqrt(2 / (1 - m²)).
    # df = 4: with u = t / sqrt(4 + t²), the middle probability is (3u - u³) / 2.
    middle, tail = 2 * p - 1, 1 - p
    assert t_quantile(p, 1) == pytest.approx(
        1 / math.tan(math.pi * tail) if p > 0.5 else 0, rel=1e-9, abs=0
    )
    assert t_quantile(p, 2) == pytest.approx(
        middle / math.sqrt(2 * tail * (1 - tail)), rel=1e-12, abs=0
    )
    t = t_quantile(p, 4)
    u = t / math.sqrt(4 + t * t)
    assert (3 * u - u**3) / 2 == pytest.approx(middle, rel=1e-12, abs=0)


def test_normal_by_table():
    assert normal_quantile(0.5) == 0
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-14)
    assert normal_quantile(0.025) == pytest.approx(-1.959963984540054, rel=1e-14)


def test_far_ends():
    assert t_cdf(0, 5) == 0.5
    assert t_cdf(math.inf, 5) == 1
    assert t_cdf(-math.inf, 5) == 0
    assert t_two_sided(1e200, 5) == 0


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.1, math.nan])
def test_impossible_probabilities_are_refused(p: float):
    with pytest.raises(ValueError, match="probability"):
        normal_quantile(p)
    with pytest.raises(ValueError, match="probability"):
        t_quantile(p, 5)


def test_too_few_degrees_and_too_thin_tails_are_refused():
    for df in (0, 0.5, -1, math.nan):
        with pytest.raises(ValueError, match="degree of freedom"):
            t_cdf(1, df)
    with pytest.raises(ValueError, match="too near 0"):
        t_quantile(1e-60, 3)


@given(probabilities, degrees)
def test_quantile_inverts_cdf(p: float, df: float):
    assert t_cdf(t_quantile(p, df), df) == pytest.approx(p, rel=1e-9)


@given(probabilities, degrees)
def test_t_is_wider_than_normal(p: float, df: float):
    assert abs(t_quantile(p, df)) >= abs(normal_quantile(p)) * (1 - 1e-9)


@given(st.floats(min_value=-50, max_value=50), degrees)
def test_cdf_is_symmetric_and_grows(t: float, df: float):
    assert t_cdf(t, df) + t_cdf(-t, df) == pytest.approx(1, rel=1e-12)
    assert t_cdf(t, df) <= t_cdf(t + 0.01, df)

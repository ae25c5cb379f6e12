from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.beta import beta_cdf, beta_quantile

referee: Any = stats  # scipy has no types

shapes = st.floats(min_value=0.5, max_value=500)


@given(st.floats(min_value=0.001, max_value=0.999), shapes, shapes)
def test_cdf_agrees_with_scipy(x: float, a: float, b: float):
    assert beta_cdf(x, a, b) == pytest.approx(float(referee.beta.cdf(x, a, b)), abs=1e-10)


@given(st.floats(min_value=0.001, max_value=0.999), shapes, shapes)
def test_quantile_agrees_with_scipy(p: float, a: float, b: float):
    assert beta_quantile(p, a, b) == pytest.approx(float(referee.beta.ppf(p, a, b)), abs=1e-8)


def test_outside_and_impossible():
    assert beta_cdf(-1, 2, 3) == 0
    assert beta_cdf(1, 2, 3) == 1
    with pytest.raises(ValueError, match="shapes"):
        beta_cdf(0.5, 0, 1)
    with pytest.raises(ValueError, match="probability"):
        beta_quantile(1, 1, 1)

import math
from typing import Any

import pytest
from scipy import stats

from whet.stats.power import cases_needed, design_table, need_table, power, smallest_effect
from whet.stats.quantiles import t_quantile
from whet.stats.variance import PairedSplit

referee: Any = stats  # scipy has no types


@pytest.mark.parametrize("cases", [2, 3, 5, 10, 34, 100, 1000])
def test_agrees_with_the_noncentral_t_of_scipy(cases: int):
    for effect in (0.0, 0.05, 0.2, 0.5, 1.5, 4.0):
        shift = effect * math.sqrt(cases)
        expected = float(referee.nct.sf(t_quantile(0.975, cases - 1), cases - 1, shift))
        assert power(effect, 1, cases) == pytest.approx(expected, abs=1e-5)


def test_agrees_with_statsmodels():
    # statsmodels 0.15: TTestPower().power and .solve_power, two-sided at 0.05
    assert power(0.5, 1, 34) == pytest.approx(0.8077775, abs=1e-6)
    assert power(3.0, 2, 5) == pytest.approx(0.7107027, abs=1e-5)
    assert smallest_effect(1, 20) == pytest.approx(0.6604417, abs=1e-6)
    assert cases_needed(0.5, 1) == 34
    assert cases_needed(0.1, 1, wanted=0.9) == 1053


def test_ends():
    assert power(1, 1, 1) == 0
    assert smallest_effect(1, 1) is None
    assert smallest_effect(0, 5) == 0
    assert cases_needed(0, 1) is None
    assert cases_needed(-0.5, 1) == 34


def test_tables_before_and_after():
    split = PairedSplit(effect=0.01, noise=0.32)
    small, repeated, many = (
        design_table(split, [30], [1])[0],
        design_table(split, [30], [3])[0],
        design_table(split, [90], [1])[0],
    )
    assert repeated.trials == many.trials == 180
    assert small.smallest_effect is not None
    assert repeated.smallest_effect is not None
    assert many.smallest_effect is not None
    # More cases beat more runs at the same price, and both beat neither.
    assert many.smallest_effect < repeated.smallest_effect < small.smallest_effect
    needs = need_table(split, [0.1, 0.2], [1, 5])
    assert [(need.effect, need.runs) for need in needs] == [(0.1, 1), (0.1, 5), (0.2, 1), (0.2, 5)]
    assert needs[0].cases == cases_needed(0.1, math.sqrt(0.33))
    assert needs[3].cases is not None
    assert needs[1].cases is not None
    assert needs[3].cases < needs[1].cases < (needs[0].cases or 0)


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="chance"):
        power(1, 0, 5)
    with pytest.raises(ValueError, match="deviation"):
        smallest_effect(-1, 5)
    with pytest.raises(ValueError, match="chance"):
        smallest_effect(1, 5, wanted=1.0)

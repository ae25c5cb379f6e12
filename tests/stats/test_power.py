import math
from typing import Any

import pytest
from scipy import stats

from whet.stats.power import (
    Spread,
    cases_needed,
    design_table,
    power,
    runs_needed,
    smallest_like_these,
    smallest_on_these,
)
from whet.stats.quantiles import t_quantile

referee: Any = stats  # scipy has no types
UNIT = Spread(effect=1.0, noise=None)


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
    assert smallest_like_these(UNIT, 20, 1) == pytest.approx(0.6604417, abs=1e-6)
    assert cases_needed(UNIT, 0.5, 1) == 34


def test_ends():
    assert power(1, 1, 1) == 0
    assert smallest_like_these(UNIT, 5, 1) is None
    assert smallest_like_these(Spread(0.0, None), 8, 1) is None
    assert cases_needed(UNIT, 0, 1) is None
    assert cases_needed(UNIT, -0.5, 1) == 34
    assert cases_needed(UNIT, 50, 1) == 6
    assert smallest_on_these(UNIT, 8, 3) is None
    assert smallest_on_these(Spread(0.0, 1.0), 8, 1) is None
    assert smallest_on_these(Spread(0.0, 1.0), 2, 2) is None
    assert runs_needed(UNIT, 1, 4) is None
    with pytest.raises(ValueError, match="chance"):
        power(1, 0, 5)


def test_tables_before_and_after():
    spread = Spread(effect=0.01, noise=0.32)
    small, repeated, many = (
        design_table(spread, [30], [1])[0],
        design_table(spread, [30], [3])[0],
        design_table(spread, [90], [1])[0],
    )
    assert repeated.trials == many.trials == 180
    assert small.like_these is not None
    assert repeated.like_these is not None
    assert many.like_these is not None
    # More cases beat more runs at the same price, and both beat neither.
    assert many.like_these < repeated.like_these < small.like_these
    # Of these very cases more can be said than of others like them.
    assert small.on_these is None
    assert repeated.on_these is not None
    assert repeated.on_these < repeated.like_these


def test_more_runs_help_on_these_cases_only():
    spread = Spread(effect=0.25**2, noise=0.3**2)
    table = design_table(spread, [4, 6], [3, 30])
    assert [row.like_these is None for row in table] == [True, True, False, False]
    assert runs_needed(spread, 0.1, 4) == 18
    few, plenty = table[2].like_these, table[3].like_these
    assert few is not None
    assert plenty is not None
    assert few > plenty > 0.4  # thirty runs cannot make up for six cases


def test_the_fewest_runs_are_found_without_trying_each() -> None:
    spread = Spread(1.0, 30.0, grain=3.0)
    needed = runs_needed(spread, 1.5, 2)
    assert needed is not None
    assert needed > 50
    enough, too_few = (smallest_on_these(spread, 2, runs) for runs in (needed, needed - 1))
    assert enough is not None
    assert too_few is not None
    assert enough <= 1.5 < too_few

"""What an experiment can see, before it is run and after.

All of it is for Student's test of paired differences over cases. Before an experiment the split
of the variance is an assumption, after it an estimate (``variance.paired_split``); the sums are
the same. For pass and fail they are too hopeful below some ten cases that differ.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from whet.stats.quantiles import t_quantile
from whet.stats.variance import PairedSplit

_CELLS = 400
_MOST_CASES = 1_000_000


class Design(NamedTuple):
    """Cases by runs for each arm, the trials of both arms, and what they can see."""

    cases: int
    runs: int
    trials: int
    smallest_effect: float | None


class Need(NamedTuple):
    """How many cases an effect needs at that many runs; None where a million are too few."""

    effect: float
    runs: int
    cases: int | None


def power(effect: float, deviation: float, cases: int, level: float = 0.95) -> float:
    """The chance to call a true *effect* better or worse (on its own side).

    P(T > t) for the noncentral t with n − 1 degrees of freedom and the shift effect / (sd / √n).
    *deviation* is the standard deviation of the case differences.
    """
    if not deviation > 0:
        raise ValueError(f"a standard deviation of {deviation} leaves nothing to chance")
    if cases < 2:
        return 0.0
    return _beyond(abs(effect) / deviation * math.sqrt(cases), cases - 1, (1 + level) / 2)


def smallest_effect(
    deviation: float, cases: int, level: float = 0.95, wanted: float = 0.8
) -> float | None:
    """The smallest true effect that is called with the *wanted* chance; None for one case.

    "Inconclusive" means: an effect below this could easily have been missed.
    """
    if not deviation >= 0:
        raise ValueError(f"a standard deviation cannot be {deviation}")
    if cases < 2:
        return None
    return _shift(cases - 1, (1 + level) / 2, wanted) * deviation / math.sqrt(cases)


def cases_needed(
    effect: float, deviation: float, level: float = 0.95, wanted: float = 0.8
) -> int | None:
    """The fewest cases with which *effect* is called with the *wanted* chance; None if a million
    are too few, as for an effect of 0."""

    def sees(cases: int) -> bool:
        found = smallest_effect(deviation, cases, level, wanted)
        return found is not None and found <= abs(effect)

    low, high = 1, 2
    while not sees(high):
        low, high = high, high * 2
        if high > _MOST_CASES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    return high


def design_table(split: PairedSplit, cases: Sequence[int], runs: Sequence[int]) -> list[Design]:
    """The smallest effect that each number of cases by runs can see, at 95 % and power 0.8."""
    return [
        Design(n, r, 2 * n * r, smallest_effect(math.sqrt(split.of_a_case(r)), n))
        for n in cases
        for r in runs
    ]


def need_table(split: PairedSplit, effects: Sequence[float], runs: Sequence[int]) -> list[Need]:
    """The cases that each effect needs at each number of runs, at 95 % and power 0.8."""
    return [
        Need(effect, r, cases_needed(effect, math.sqrt(split.of_a_case(r))))
        for effect in effects
        for r in runs
    ]


@lru_cache(maxsize=4096)
def _shift(df: int, upper: float, wanted: float) -> float:
    """The shift of the noncentral t that exceeds the limit with the *wanted* chance."""
    if not 0 < wanted < 1:
        raise ValueError(f"a chance strictly between 0 and 1 is needed, not {wanted}")
    low, high = 0.0, 1.0
    while _beyond(high, df, upper) < wanted:
        low, high = high, high * 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        enough = _beyond(middle, df, upper) >= wanted
        low, high = (low, middle) if enough else (middle, high)
    return high


def _beyond(shift: float, df: int, upper: float) -> float:
    """P(noncentral t > the t quantile of *upper*), by Simpson's rule over the spread.

    T = (Z + shift) / S with df · S² chi-squared, so P = ∫ Φ(shift − t s) f(s) ds.
    """
    limit = t_quantile(upper, df)
    reach = 10 / math.sqrt(2 * df)
    low, high = max(0.0, 1 - reach), 1 + reach
    step = (high - low) / _CELLS
    constant = math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
    normal = NormalDist()

    def height(spread: float) -> float:
        if spread == 0:
            return math.exp(constant) * normal.cdf(shift) if df == 1 else 0.0
        log_density = constant + (df - 1) * math.log(spread) - df * spread**2 / 2
        return math.exp(log_density) * normal.cdf(shift - limit * spread)

    inside = (height(low + i * step) * (4 if i % 2 else 2) for i in range(1, _CELLS))
    area = height(low) + math.fsum(inside) + height(high)
    return min(1.0, area * step / 3)

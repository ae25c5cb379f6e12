"""Confidence intervals. One that does not exist is None, never a range of width zero."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from whet.stats.describe import mean, standard_deviation
from whet.stats.quantiles import normal_quantile, t_quantile


class Range(NamedTuple):
    """From ``low`` to ``high``, both included."""

    low: float
    high: float


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Range:
    """Wilson's score interval for a proportion; stays inside 0…1 and works for 0 and all."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} of {trials}: needs 0 <= successes <= trials, trials >= 1")
    square = normal_quantile(_upper(level)) ** 2
    share = successes / trials
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    variance = share * (1 - share) / trials + square / (4 * trials**2)
    half = math.sqrt(square * variance) / (1 + square / trials)
    # At both ends the interval touches the end exactly, which rounding would miss.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Range(low, high)


def t_interval(values: Sequence[float], level: float = 0.95) -> Range | None:
    """Student's interval for the mean of *values*; None for a single value.

    Equal values have no spread, and their interval has width zero: right when a repetition
    must give the same number, too sure when it merely happened to. Raises ``ValueError`` for
    no values at all.
    """
    upper = _upper(level)
    centre = mean(values)
    if len(values) < 2:
        return None
    error = standard_deviation(values) / math.sqrt(len(values))
    half = t_quantile(upper, len(values) - 1) * error
    return Range(centre - half, centre + half)


def _upper(level: float) -> float:
    """The probability below the upper end of a two-sided interval."""
    if not 0 < level < 1:
        raise ValueError(f"a level strictly between 0 and 1 is needed, not {level}")
    return (1 + level) / 2

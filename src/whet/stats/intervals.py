"""Confidence intervals. One that does not exist is None, never a range of width zero."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from whet.stats.beta import beta_quantile
from whet.stats.describe import mean, standard_deviation, weighted_mean
from whet.stats.quantiles import normal_quantile, t_quantile


class Range(NamedTuple):
    """From ``low`` to ``high``, both included."""

    low: float
    high: float


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Range:
    """Wilson's score interval for a proportion; stays inside 0…1 and works for 0 and all.

    Right on average over true rates, a little below its level for some. Not for repeats of the
    same case, which are no independent trials: see ``rate_interval``.
    """
    _check_counts(successes, trials)
    square = normal_quantile(_upper(level)) ** 2
    share = successes / trials
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    variance = share * (1 - share) / trials + square / (4 * trials**2)
    half = math.sqrt(square * variance) / (1 + square / trials)
    # At both ends the interval touches the end exactly, which rounding would miss.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Range(low, high)


def clopper_pearson_interval(successes: int, trials: int, level: float = 0.95) -> Range:
    """The exact interval for a proportion: never below its level, and wider than Wilson's for it.

    The lower end is the beta quantile of (1 − level) / 2 with the shapes k and n − k + 1, the
    upper end that of (1 + level) / 2 with k + 1 and n − k. Not for repeats of the same case.
    """
    _check_counts(successes, trials)
    upper = _upper(level)
    failures = trials - successes
    low = beta_quantile(1 - upper, successes, failures + 1) if successes else 0.0
    high = beta_quantile(upper, successes + 1, failures) if failures else 1.0
    return Range(low, high)


def rate_interval(case_rates: Sequence[float], level: float = 0.95) -> Range:
    """An interval for the mean of rates between 0 and 1, one rate for each case.

    Student's interval after two made-up cases of rate 1 and two of rate 0 are added (the rule
    of Agresti and Coull), cut off at 0 and 1. Without them, five cases that all pass would make
    a certainty. They pull the interval towards the middle: with few cases it is cautious.
    """
    if not all(0 <= rate <= 1 for rate in case_rates):
        raise ValueError("every rate must lie between 0 and 1")
    mean(case_rates)
    found = t_interval([*case_rates, 0.0, 0.0, 1.0, 1.0], level)
    assert found is not None
    return Range(max(0.0, found.low), min(1.0, found.high))


def t_interval(values: Sequence[float], level: float = 0.95) -> Range | None:
    """Student's interval for the mean of *values*; None for a single value.

    Equal values have no spread, and their interval has width zero: right when a repetition
    must give the same number, too sure when it merely happened to. A strongly skewed quantity
    such as cost needs some thirty values: of five exponential ones it covers 88 %. Raises
    ``ValueError`` for no values at all.
    """
    upper = _upper(level)
    centre = mean(values)
    if len(values) < 2:
        return None
    error = standard_deviation(values) / math.sqrt(len(values))
    half = t_quantile(upper, len(values) - 1) * error
    return Range(centre - half, centre + half)


def weighted_interval(
    values: Sequence[float], weights: Sequence[float], level: float = 0.95
) -> Range | None:
    """Student's interval for the weighted mean of *values*; None for a single value.

    The error is the jackknife's: how far the mean moves when one value is left out. A value that
    weighs little moves it little, wherever it lies, and equal weights give ``t_interval``. With
    one weight far above the others it is too sure: of six values, one of ten times the weight, it
    covers 90 %. Weights must be positive.
    """
    upper = _upper(level)
    centre = weighted_mean(values, weights)
    if (n := len(values)) < 2:
        return None
    half = t_quantile(upper, n - 1) * weighted_error(values, weights)
    return Range(centre - half, centre + half)


def weighted_error(values: Sequence[float], weights: Sequence[float]) -> float:
    """The jackknife's standard error of the weighted mean of two values or more."""
    centre, n = weighted_mean(values, weights), len(values)
    if not all(weights):
        raise ValueError("what has no weight is no part of the sample")
    total = math.fsum(weights)
    moves = [(n - 1) * w * (x - centre) / (total - w) for x, w in zip(values, weights, strict=True)]
    return standard_deviation(moves) / math.sqrt(n)


def _upper(level: float) -> float:
    """The probability below the upper end of a two-sided interval."""
    if not 0 < level < 1:
        raise ValueError(f"a level strictly between 0 and 1 is needed, not {level}")
    return (1 + level) / 2


def _check_counts(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} of {trials}: needs 0 <= successes <= trials, trials >= 1")

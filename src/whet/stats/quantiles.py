"""Quantiles of the normal and of Student's t distribution.

Student's t goes through the regularised incomplete beta function, which is evaluated as a
continued fraction. Both parts of the distribution, the middle and the tails, are computed
directly: neither is one minus the other where that would cancel digits. Good to ten digits up
to a million degrees of freedom.
"""

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from whet.stats.beta import incomplete_beta

_STANDARD_NORMAL = NormalDist()
_SERIES_FROM = 30.0
_SMALLEST_TAIL = 1e-50


class _Split(NamedTuple):
    """The probability within ±t, and the probability beyond."""

    middle: float
    tails: float


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with this probability."""
    _check_probability(probability)
    return _STANDARD_NORMAL.inv_cdf(probability)


def t_cdf(t: float, df: float) -> float:
    """The probability that Student's t with *df* (>= 1) degrees of freedom is at most *t*."""
    split = _split(t, df)
    return split.tails / 2 if t < 0 else 0.5 + split.middle / 2


def t_two_sided(t: float, df: float) -> float:
    """The probability that Student's t is at least as far from zero as *t*: a p-value."""
    return _split(t, df).tails


@lru_cache(maxsize=1024)
def t_quantile(probability: float, df: float) -> float:
    """The value that Student's t with *df* (>= 1) degrees of freedom stays below.

    Newton's method from the normal quantile. The tail falls and is convex, and the normal
    quantile is the nearer one to zero, so every step climbs towards the root from below.
    """
    _check_probability(probability)
    tails = 2 * min(probability, 1 - probability)
    if tails < _SMALLEST_TAIL:
        raise ValueError(f"a probability of {probability} is too near 0")
    if tails == 1:
        return 0.0
    t = -normal_quantile(tails / 2)
    while True:
        split = _split(t, df)
        gap = split.tails - tails if tails < 0.5 else (1 - tails) - split.middle
        step = gap / (2 * _t_density(t, df))
        t += step
        if step <= 1e-13 * t:
            return math.copysign(t, probability - 0.5)


def _check_probability(probability: float) -> None:
    if not 0 < probability < 1:
        raise ValueError(f"a probability strictly between 0 and 1 is needed, not {probability}")


def _split(t: float, df: float) -> _Split:
    if not df >= 1:
        raise ValueError(f"at least one degree of freedom is needed, not {df}")
    square = t * t
    if square == 0:
        return _Split(0.0, 1.0)
    if math.isinf(square):
        return _Split(1.0, 0.0)
    # Each continued fraction converges fast on its own side of the mean of the distribution.
    if square / (df + square) < 3 / (df + 5):
        middle = incomplete_beta(square / (df + square), 0.5, df / 2, _t_front(square, df))
        return _Split(middle, 1 - middle)
    tails = incomplete_beta(df / (df + square), df / 2, 0.5, _t_front(square, df))
    return _Split(1 - tails, tails)


def _t_front(square: float, df: float) -> float:
    """x^a · (1 − x)^b / B(a, b), the same for the middle and the tails."""
    scale = math.exp(_log_gamma_ratio(df / 2) - df / 2 * math.log1p(square / df))
    return scale * math.sqrt(square / (df + square) / math.pi)


def _t_density(t: float, df: float) -> float:
    kernel = math.exp(_log_gamma_ratio(df / 2) - (df + 1) / 2 * math.log1p(t * t / df))
    return kernel / math.sqrt(df * math.pi)


def _log_gamma_ratio(a: float) -> float:
    """log Γ(a + 1/2) − log Γ(a); for large *a* by its series, as the difference cancels."""
    if a < _SERIES_FROM:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    inverse = 1 / a
    square = inverse * inverse
    correction = -1 / 8 + square * (1 / 192 + square * (-1 / 640 + square * 17 / 14336))
    return 0.5 * math.log(a) + inverse * correction

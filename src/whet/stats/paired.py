"""The same cases under two arms: how much one is better, and whether we may say so."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from whet.stats.describe import mean, standard_deviation
from whet.stats.intervals import Range, t_interval
from whet.stats.quantiles import t_two_sided

Label = Literal["better", "worse", "no_difference", "inconclusive"]

_ROUNDING = 1e-12


class PairedDifference(NamedTuple):
    """What the differences of *n* pairs say; a positive ``delta`` is in favour of the first.

    ``interval`` and ``p_value`` (of Student's paired test) are None for a single pair.

    When all differences are equal, ``spread`` is 0, the interval has no width and the p-value
    is 0, or 1 if they are all zero. Where runs are deterministic that is the truth. Where they
    are not, few cases that only pass or fail agree by chance: of two such cases that pass half
    the time, both arms being the same, one comparison in eight would look certain, of three
    one in 32. ``comparison.compare_cases`` lets an exact test decide there.
    """

    n: int
    delta: float
    spread: float
    interval: Range | None
    p_value: float | None


def paired_difference(
    first: Sequence[float], second: Sequence[float], level: float = 0.95
) -> PairedDifference:
    """Compare two arms case by case: ``first[i]`` and ``second[i]`` are the same case's means.

    Raises ``ValueError`` when the lengths differ or there is no pair.
    """
    differences = paired_differences(first, second)
    n = len(differences)
    delta, spread = mean(differences), standard_deviation(differences)
    return PairedDifference(
        n, delta, spread, t_interval(differences, level), _p_value(delta, spread, n)
    )


def paired_differences(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """first − second for each case; exactly 0 where only the last digits differ."""
    return [_difference(a, b) for a, b in zip(first, second, strict=True)]


def verdict(interval: Range | None, margin: float = 0.0) -> Label:
    """What an interval of the difference allows us to say.

    Better or worse when it excludes zero, however small the effect. No difference only when
    the caller says which *margin* does not matter and the interval lies within it: finding
    nothing is not the same as finding that there is nothing. Everything else, and no interval
    at all, is inconclusive.
    """
    if not margin >= 0:
        raise ValueError(f"a margin cannot be {margin}")
    if interval is None:
        return "inconclusive"
    if interval.low > 0:
        return "better"
    if interval.high < 0:
        return "worse"
    if margin > 0 and -margin <= interval.low and interval.high <= margin:
        return "no_difference"
    return "inconclusive"


def _difference(a: float, b: float) -> float:
    """a − b, and exactly 0 where only the rounding of their last digits differs."""
    difference = a - b
    return 0.0 if abs(difference) <= _ROUNDING * max(abs(a), abs(b)) else difference


def _p_value(delta: float, spread: float, n: int) -> float | None:
    if n < 2:
        return None
    if spread == 0:
        return 1.0 if delta == 0 else 0.0
    return t_two_sided(delta / (spread / math.sqrt(n)), n - 1)

"""Mean and spread of a handful of numbers, without losing digits."""

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, never outside the range of *values*.

    Raises ``ValueError`` when there are none, or when one is not a finite number.
    """
    if not values:
        raise ValueError("no values: a mean needs at least one")
    if not all(map(math.isfinite, values)):
        raise ValueError("every value must be a finite number")
    # Rounding could push the mean of equal values off that value, and give them a spread.
    return min(max(math.fsum(values) / len(values), min(values)), max(values))


def standard_deviation(values: Sequence[float]) -> float:
    """The sample standard deviation (divisor n − 1); 0 for a single value.

    A single value shows no spread, which is not the same as having none: an interval needs
    two values. Raises ``ValueError`` as ``mean`` does.
    """
    centre = mean(values)
    if len(values) == 1:
        return 0.0
    return math.hypot(*(value - centre for value in values)) / math.sqrt(len(values) - 1)

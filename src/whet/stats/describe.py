"""Mean and spread of a handful of numbers, without losing digits."""

import math
from collections.abc import Sequence
from typing import Literal

Band = Literal["very reliable", "reliable", "inconsistent", "unreliable", "broken"]

_BANDS: tuple[tuple[float, Band], ...] = (
    (0.05, "very reliable"),
    (0.10, "reliable"),
    (0.20, "inconsistent"),
    (0.30, "unreliable"),
)


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


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Σ w·x / Σ w. Raises ``ValueError`` for negative weights, or if all of them are 0."""
    centre = mean(values)
    if len(values) != len(weights):
        raise ValueError(f"{len(values)} values need as many weights, not {len(weights)}")
    if not all(weight >= 0 and math.isfinite(weight) for weight in weights) or not any(weights):
        raise ValueError("weights must be finite and not negative, and one must be positive")
    offset = math.fsum(w * (x - centre) for x, w in zip(values, weights, strict=True))
    return min(max(centre + offset / math.fsum(weights), min(values)), max(values))


def normalized(value: float, high: float, low: float = 0.0) -> float:
    """Where *value* lies between *low* (0) and *high* (1).

    The skill-eval format divides a 1–5 score by 5, which is ``low=0``: its worst is 0.2.
    """
    if not low < high:
        raise ValueError(f"a scale from {low} to {high} has no length")
    if not low <= value <= high:
        raise ValueError(f"{value} is not on the scale from {low} to {high}")
    return (value - low) / (high - low)


def consistency(values: Sequence[float]) -> float | None:
    """1 − sd / mean with the sample sd, below 0 where the spread exceeds the mean; None where the
    mean is 0.

    For scores of 0 and more of the same thing. Not for differences, nor to compare scales: it
    rises when the same spread sits on a higher mean.
    """
    if any(value < 0 for value in values):
        raise ValueError("consistency is for scores of 0 and more")
    centre = mean(values)
    return 1 - standard_deviation(values) / centre if centre > 0 else None


def spread_band(deviation: float) -> Band:
    """A word for the standard deviation of scores between 0 and 1."""
    if not deviation >= 0:
        raise ValueError(f"a standard deviation cannot be {deviation}")
    for limit, name in _BANDS:
        if deviation < limit:
            return name
    return "broken"

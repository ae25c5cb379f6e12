"""A pass rate that an imperfect judge found, corrected by what is known of its errors."""

import math
from typing import NamedTuple

from whet.stats.intervals import Range
from whet.stats.quantiles import normal_quantile


class Counted(NamedTuple):
    """How many of how many."""

    hits: int
    total: int

    @property
    def share(self) -> float:
        """Needs a total."""
        return self.hits / self.total


class Corrected(NamedTuple):
    """The rate that a perfect judge would be expected to find, with its interval."""

    rate: float
    interval: Range


def rogan_gladen(
    passes: Counted, sensitivity: Counted, specificity: Counted, level: float = 0.95
) -> Corrected | None:
    """The estimator of Rogan and Gladen, cut off at 0 and 1.

    (rate + specificity − 1) / (sensitivity + specificity − 1).
    *sensitivity* counts the passes among what really passes, *specificity* the failures among
    what really fails, both from other items with known truth or a random part of these. None
    where either has no items, or the judge is no better than a coin. The interval is that of
    Lang and Reiczigel (2014) and knows that sensitivity and specificity are estimates, too. Not
    for repeats of the same case, which are no independent items: it is then too narrow.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level strictly between 0 and 1 is needed, not {level}")
    if not all(0 <= one.hits <= one.total for one in (passes, sensitivity, specificity)):
        raise ValueError("needs 0 <= hits <= total")
    if not passes.total or not sensitivity.total or not specificity.total:
        return None
    youden = sensitivity.share + specificity.share - 1
    if youden <= 0:
        return None
    rate = (passes.share + specificity.share - 1) / youden
    around = _around(passes, sensitivity, specificity, level)
    if around is None:
        return None
    rate = min(1.0, max(0.0, rate))
    return Corrected(rate, Range(min(around.low, rate), max(around.high, rate)))


def _around(
    passes: Counted, sensitivity: Counted, specificity: Counted, level: float
) -> Range | None:
    """Agresti and Coull's additions to every count, a shift for the skewness, then the error."""
    z = normal_quantile((1 + level) / 2)
    n, p = _added(passes, z * z)
    n_sensitivity, true_passes = _added(sensitivity, 2)
    n_specificity, true_failures = _added(specificity, 2)
    youden = true_passes + true_failures - 1
    if youden <= 0:
        return None
    rate = (p + true_failures - 1) / youden
    of_passes = true_passes * (1 - true_passes) / n_sensitivity
    of_failures = true_failures * (1 - true_failures) / n_specificity
    spread = p * (1 - p) / n + of_passes * rate**2 + of_failures * (1 - rate) ** 2
    error = math.sqrt(spread) / youden
    shift = 2 * z * z * (rate * of_passes - (1 - rate) * of_failures)
    low, high = rate + shift - z * error, rate + shift + z * error
    return Range(min(1.0, max(0.0, low)), min(1.0, max(0.0, high)))


def _added(counted: Counted, more: float) -> tuple[float, float]:
    """The total and the share after *more* items, half of them hits."""
    total = counted.total + more
    return total, (counted.hits + more / 2) / total

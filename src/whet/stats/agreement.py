"""How far two judges, or a judge and a person, agree beyond chance."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from whet.stats.intervals import Range, wilson_interval
from whet.stats.quantiles import normal_quantile

Weights = Literal["none", "linear", "quadratic"]
Scale = Literal["nominal", "interval"]


class Agreement(NamedTuple):
    """*n* items, the share of equal labels, and Cohen's kappa; each with its interval.

    ``kappa`` is None where both used one and the same label throughout: agreement by chance is
    then total, and there is nothing beyond it.
    """

    n: int
    share: float
    share_interval: Range
    kappa: float | None
    kappa_interval: Range | None


def agreement(
    first: Sequence[float | str],
    second: Sequence[float | str],
    *,
    weights: Weights = "none",
    labels: Sequence[float | str] | None = None,
    level: float = 0.95,
) -> Agreement:
    """Compare two readings of the same items.

    kappa = 1 − Σ v p / Σ v e, where p are the shares of pairs of labels, e what chance alone
    would make of them, and v how far two labels are apart: 0 or 1, or by rank in *labels*
    (*linear*, *quadratic*). The interval is that of Fleiss, Cohen and Everitt for many items;
    below some thirty it is a rough guide. Give all *labels* of a scale when weighting, also
    those nobody used. Not for a skewed set of labels alone: with 95 % passes, kappa is low
    though the share is high. Report both.
    """
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        raise ValueError("no items: an agreement needs at least one")
    names = list(labels) if labels is not None else sorted({*first, *second}, key=_order)
    if len(set(names)) != len(names) or not {*first, *second} <= set(names):
        raise ValueError("labels must be different, and contain all that were given")
    n, equal = len(pairs), sum(a == b for a, b in pairs)
    kappa, error = _kappa(pairs, names, weights)
    around = None if kappa is None else _around(kappa, error, level)
    if kappa is not None and equal == n:  # no error was seen, which is not the same as none
        around = Range(wilson_interval(n, n, level).low, 1.0)
    return Agreement(n, equal / n, wilson_interval(equal, n, level), kappa, around)


def krippendorff_alpha(
    items: Sequence[Sequence[float | str | None]], scale: Scale = "nominal"
) -> float | None:
    """Krippendorff's alpha for any number of judges; ``items[i]`` are the readings of an item.

    1 − observed / expected disagreement, with None for a missing reading. Disagreement is 0 or 1
    for *nominal* labels and the squared distance for *interval* numbers. None if all readings
    are the same, or no item has two. Not a measure of being right: judges can share an error.
    """
    units = [[r for r in item if r is not None] for item in items]
    units = [unit for unit in units if len(unit) > 1]
    values = Counter(reading for unit in units for reading in unit)
    n = sum(values.values())
    if n == 0:
        return None
    observed = math.fsum(_disagreement(Counter(unit), scale) / (len(unit) - 1) for unit in units)
    expected = _disagreement(values, scale) / (n - 1)
    return 1 - observed / expected if expected > 0 else None


def _disagreement(counts: Counter[float | str], scale: Scale) -> float:
    """The distance of all ordered pairs of readings, summed."""
    return math.fsum(
        a * b * _distance(x, y, scale) for x, a in counts.items() for y, b in counts.items()
    )


def _distance(x: float | str, y: float | str, scale: Scale) -> float:
    if scale == "nominal":
        return float(x != y)
    if isinstance(x, str) or isinstance(y, str):
        raise ValueError("the interval scale needs numbers")
    return (x - y) ** 2


def _order(label: float | str) -> tuple[bool, float, str]:
    return (True, 0.0, label) if isinstance(label, str) else (False, label, "")


def _kappa(
    pairs: Sequence[tuple[float | str, float | str]], names: Sequence[float | str], kind: Weights
) -> tuple[float | None, float]:
    """Kappa and its large-sample error, with agreement weights w = 1 − v."""
    n, most = len(pairs), max(len(names) - 1, 1)
    place = {name: index for index, name in enumerate(names)}
    cells = Counter((place[a], place[b]) for a, b in pairs)
    rows: dict[int, float] = defaultdict(float)
    columns: dict[int, float] = defaultdict(float)
    for (i, j), count in cells.items():
        rows[i] += count / n
        columns[j] += count / n

    def weight(i: int, j: int) -> float:
        if kind == "none":
            return float(i == j)
        return 1 - (abs(i - j) / most) ** (1 if kind == "linear" else 2)

    row_mean = {i: math.fsum(weight(i, j) * p for j, p in columns.items()) for i in rows}
    column_mean = {j: math.fsum(weight(i, j) * p for i, p in rows.items()) for j in columns}
    seen = math.fsum(weight(i, j) * count / n for (i, j), count in cells.items())
    chance = math.fsum(rows[i] * row_mean[i] for i in rows)
    if chance > 1 - 1e-12:
        return None, 0.0
    kappa = (seen - chance) / (1 - chance)
    moment = math.fsum(
        count / n * (weight(i, j) - (row_mean[i] + column_mean[j]) * (1 - kappa)) ** 2
        for (i, j), count in cells.items()
    )
    variance = (moment - (kappa - chance * (1 - kappa)) ** 2) / (n * (1 - chance) ** 2)
    return kappa, math.sqrt(max(0.0, variance))


def _around(kappa: float, error: float, level: float) -> Range:
    half = normal_quantile((1 + level) / 2) * error
    return Range(max(-1.0, kappa - half), min(1.0, kappa + half))

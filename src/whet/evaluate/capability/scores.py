"""From items to scores: a weighted mean inside each dimension, then over the dimensions.

Only what was measured counts. An item that was skipped or cancelled says nothing about the agent;
a dimension without a measured item is in no denominator.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from whet.documents.base import Number
from whet.documents.capability import DIMENSIONS, MEASURED, Dimension, EvaluationItem, ItemStatus

STATUSES: tuple[ItemStatus, ...] = get_args(ItemStatus)

WEIGHTS: Mapping[Dimension, Number] = {"tool": 35, "logic": 25, "common": 20, "complex": 20}
"""Of the dimensions, where nobody says otherwise; only their ratio matters."""

PERCENT = 100


@dataclass(frozen=True, slots=True)
class Scored:
    """What of an item counts."""

    dimension: Dimension
    status: ItemStatus
    score: Number | None
    weight: Number


@dataclass(frozen=True)
class Scores:
    """What the items of a run come to, in points of 100; None where nothing was measured."""

    dimensions: dict[Dimension, float | None]
    total: float | None
    total_measured: float | None
    """The total without items that came to no answer; None where there are none of those."""

    counts: dict[str, int]
    """Items by status, and their ``total``."""


class Tally:
    """The items of a run by case, each with its latest word. The order in which they come makes no
    difference, and neither does one that comes twice.

    Sums are kept as fractions: those of floats would depend on the order in which cases happened to
    be done, and an item could not be taken out again.
    """

    def __init__(self, items: Iterable[EvaluationItem] = ()) -> None:
        self._items: dict[str, Scored] = {}
        self._counts = dict.fromkeys(STATUSES, 0)
        self._points: dict[Dimension, Fraction] = dict.fromkeys(DIMENSIONS, Fraction())
        self._weights: dict[Dimension, Fraction] = dict.fromkeys(DIMENSIONS, Fraction())
        self._errors: dict[Dimension, Fraction] = dict.fromkeys(DIMENSIONS, Fraction())
        for item in items:
            self.add(item)

    def add(self, item: EvaluationItem) -> None:
        """Take what is known of an item now."""
        if (before := self._items.get(item.case_id)) is not None:
            self._count(before, -1)
        known = Scored(item.dimension, item.status, item.score, item.weight)
        self._items[item.case_id] = known
        self._count(known, 1)

    def counts(self) -> dict[str, int]:
        """How many items there are of each status."""
        return {"total": len(self._items), **self._counts}

    def scores(self, weights: Mapping[Dimension, Number] | None = None) -> Scores:
        """What all of it comes to."""
        chosen = WEIGHTS if weights is None else weights
        answered: dict[Dimension, Fraction] = {
            name: self._weights[name] - self._errors[name] for name in DIMENSIONS
        }
        shares = self._shares(self._weights)
        measured = _total(self._shares(answered), chosen) if self._counts["error"] else None
        return Scores(
            dimensions={name: _points(shares.get(name)) for name in DIMENSIONS},
            total=_points(_total(shares, chosen)),
            total_measured=_points(measured),
            counts=self.counts(),
        )

    def _count(self, item: Scored, times: int) -> None:
        self._counts[item.status] += times
        if item.status in MEASURED:
            weight = times * Fraction(item.weight)
            self._weights[item.dimension] += weight
            if item.score:
                self._points[item.dimension] += weight * Fraction(item.score)
            if item.status == "error":
                self._errors[item.dimension] += weight

    def _shares(self, weights: Mapping[Dimension, Fraction]) -> dict[Dimension, Fraction]:
        """The share of points in each dimension that was measured."""
        return {name: self._points[name] / weights[name] for name in DIMENSIONS if weights[name]}


def _total(
    dimensions: Mapping[Dimension, Fraction], weights: Mapping[Dimension, Number]
) -> Fraction | None:
    """Over the dimensions that were measured and have a weight."""
    known: dict[Dimension, Fraction] = {name: Fraction(weights.get(name, 0)) for name in dimensions}
    if not (whole := sum(known.values())):
        return None
    return sum((dimensions[name] * known[name] for name in known), Fraction()) / whole


def _points(share: Fraction | None) -> float | None:
    return None if share is None else float(share * PERCENT)

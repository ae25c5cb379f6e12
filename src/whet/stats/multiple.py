"""Many comparisons at once: the more one looks, the more one finds by chance."""

from collections.abc import Sequence

from whet.stats.paired import Label


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given.

    The k-th smallest of m is multiplied by m − k + 1, and none may be below an earlier one.
    Whoever rejects at 0.05 then errs anywhere with 5 % at most, however the tests depend on
    each other. Not for a single comparison that was planned before, which needs nothing.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("every p-value must lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    floor = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        floor = max(floor, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = floor
    return adjusted


def holm_labels(
    labels: Sequence[Label], p_values: Sequence[float | None], level: float = 0.95
) -> list[Label]:
    """The verdicts that still stand when all of them are one family.

    A better or worse whose adjusted p-value exceeds 1 − level becomes inconclusive. One without
    a p-value counts as 1.
    """
    if len(labels) != len(p_values):
        raise ValueError(f"{len(labels)} verdicts need as many p-values, not {len(p_values)}")
    adjusted = holm([1.0 if p is None else p for p in p_values])
    return [
        "inconclusive" if label in ("better", "worse") and p > 1 - level else label
        for label, p in zip(labels, adjusted, strict=True)
    ]

"""Verdicts as documents have them: alone, and as one family."""

from collections.abc import Sequence

from whet.core.verdict import Interval, Verdict
from whet.documents import verdict as document
from whet.stats.multiple import holm, holm_labels

LEVEL = 0.95
DIGITS = 6


def told(value: float | None) -> float | None:
    """Six decimals, but never 0 for what is not: a label must agree with its interval."""
    return value if value is None else round(value, DIGITS) or value


def family(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """With the labels and p-values that stand when all are looked at together."""
    given = [verdict.p_value for verdict in verdicts]
    labels = holm_labels([verdict.label for verdict in verdicts], given, LEVEL)
    adjusted = holm([1.0 if p is None else p for p in given])
    return [
        verdict.model_copy(
            update={"label": label, "p_value": None if verdict.p_value is None else p}
        )
        for verdict, label, p in zip(verdicts, labels, adjusted, strict=True)
    ]


def told_verdict(found: Verdict) -> document.Verdict:
    """The verdict in rounded numbers."""
    return document.Verdict(
        label=found.label,
        delta=told(found.delta),
        interval=told_interval(found.interval),
        n_cases=found.n_cases,
        p_value=told(found.p_value),
        smallest_detectable_effect=told(found.smallest_effect),
    ).lean()


def told_interval(found: Interval | None) -> document.Interval | None:
    """The interval in rounded numbers."""
    return found and document.Interval(
        low=told(found.low) or 0.0,
        high=told(found.high) or 0.0,
        level=found.level,
        method=found.method,
    )

"""Verdicts as values and as documents: of one comparison, and of a family of them."""

from collections.abc import Sequence

from whet.core.verdict import Interval, Verdict, VerdictOnThese
from whet.documents import verdict as document
from whet.stats.comparison import Comparison, Finding
from whet.stats.multiple import holm, holm_labels
from whet.stats.power import cases_needed, runs_needed

LEVEL = 0.95
DIGITS = 6


def told(value: float | None) -> float | None:
    """Six decimals, but never 0 for what is not: a label must agree with its interval."""
    return value if value is None else round(value, DIGITS) or value


NOTHING = Verdict(label="inconclusive", delta=None, interval=None, n_cases=0)
"""Where there is nothing to compare."""

MOST_NEEDED = 1000
"""Cases or runs above which nobody is told to get so many."""


def as_verdict(found: Comparison, bound: float, points: float = 1.0) -> Verdict:
    """*found* as a value, where 1 is so many *points*; no difference lies beyond ±*bound*."""
    like, these, spread = found.like_these, found.on_these, found.spread
    is_open, is_open_here = like.label == "inconclusive", these.label == "inconclusive"
    more_cases = cases_needed(spread, found.delta, spread.runs) if is_open else None
    more_runs = runs_needed(spread, found.delta, found.n_cases) if is_open_here else None
    return Verdict(
        label=like.label,
        delta=found.delta * points,
        interval=_interval(like, bound, points),
        n_cases=found.n_cases,
        n_fixtures=spread.units if spread.units < found.n_cases else None,
        p_value=like.p_value,
        smallest_effect=_effect(like, bound, points),
        needs="cases" if like.needs else None,
        cases_needed=_if_worth_it(more_cases),
        on_these=VerdictOnThese(
            label=these.label,
            interval=_interval(these, bound, points),
            p_value=these.p_value,
            smallest_effect=_effect(these, bound, points),
            needs="repeats" if these.needs else None,
            runs_needed=_if_worth_it(more_runs),
        ),
    )


def family(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """With the labels and p-values that stand when all are looked at together, in each scope."""
    inner = [verdict.on_these or NO_RUNS for verdict in verdicts]
    outer = _adjusted([v.label for v in verdicts], [v.p_value for v in verdicts])
    within = _adjusted([v.label for v in inner], [v.p_value for v in inner])
    changed: list[Verdict] = []
    for verdict, these, one, other in zip(verdicts, inner, outer, within, strict=True):
        on_these = these.model_copy(update=other) if verdict.on_these else None
        changed.append(verdict.model_copy(update={**one, "on_these": on_these}))
    return changed


def document_family(verdicts: Sequence[document.Verdict]) -> list[document.Verdict]:
    """The same for verdicts that are documents already; what they say in words is not changed."""
    inner = [verdict.on_these for verdict in verdicts]
    outer = _adjusted([v.label for v in verdicts], [v.p_value for v in verdicts])
    within = _adjusted(
        [v.label if v else "inconclusive" for v in inner], [v.p_value if v else None for v in inner]
    )
    changed: list[document.Verdict] = []
    for verdict, these, one, other in zip(verdicts, inner, outer, within, strict=True):
        on_these = these and these.model_copy(update=_in_digits(other))
        changed.append(verdict.model_copy(update={**_in_digits(one), "on_these": on_these}))
    return changed


NO_RUNS = VerdictOnThese(label="inconclusive", interval=None, needs="repeats")


def _adjusted(
    labels: Sequence[document.Label], given: Sequence[float | None]
) -> list[dict[str, object]]:
    """Holm's labels and p-values, as changes."""
    stand = holm_labels(labels, given, LEVEL)
    adjusted = holm([1.0 if p is None else p for p in given])
    return [
        {"label": label, "p_value": None if p is None else larger}
        for label, p, larger in zip(stand, given, adjusted, strict=True)
    ]


def _in_digits(change: dict[str, object]) -> dict[str, object]:
    p_value = change["p_value"]
    return {**change, "p_value": told(p_value) if isinstance(p_value, float) else None}


def told_verdict(found: Verdict) -> document.Verdict:
    """The verdict in rounded numbers."""
    these = found.on_these
    return document.Verdict(
        label=found.label,
        delta=told(found.delta),
        interval=told_interval(found.interval),
        n_cases=found.n_cases,
        n_fixtures=found.n_fixtures,
        p_value=told(found.p_value),
        smallest_detectable_effect=told(found.smallest_effect),
        needs=found.needs,
        cases_needed=found.cases_needed,
        on_these=these
        and document.VerdictOnThese(
            label=these.label,
            interval=told_interval(these.interval),
            p_value=told(these.p_value),
            smallest_detectable_effect=told(these.smallest_effect),
            needs=these.needs,
            runs_needed=these.runs_needed,
        ).lean(),
    ).lean()


def told_interval(found: Interval | None) -> document.Interval | None:
    """The interval in rounded numbers."""
    return found and document.Interval(
        low=told(found.low) or 0.0,
        high=told(found.high) or 0.0,
        level=found.level,
        method=found.method,
    )


def _interval(found: Finding, bound: float, points: float) -> Interval | None:
    return found.interval and Interval(
        low=max(found.interval.low * points, -bound),
        high=min(found.interval.high * points, bound),
        level=LEVEL,
        method=found.method,
    )


def _effect(found: Finding, bound: float, points: float) -> float | None:
    """None for an effect that nothing can have."""
    effect = None if found.smallest_effect is None else found.smallest_effect * points
    return None if effect is None or effect > bound else effect


def _if_worth_it(needed: int | None) -> int | None:
    return None if needed is None or needed > MOST_NEEDED else needed

"""Scores that somebody else wrote down: held against the rubric, and the total computed anew."""

from collections.abc import Mapping
from typing import NamedTuple

from whet.core.case import Case, Standard
from whet.documents.result import Scores
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.opinion import EXPECTATIONS_SHARE, RUBRIC_SHARE

_FAR_OUT = 1e9
_ROUNDING = 0.006 / PERCENT
"""Totals are written with two digits."""


class Believed(NamedTuple):
    """What is to be made of scores: 0 to 1, or the reason why there is no score."""

    score: float | None = None
    dimensions: dict[str, float] = {}
    problem: str | None = None


def believed(scores: Scores, case: Case, *, with_checks: bool) -> Believed:
    """Check the *scores* of an answer; *with_checks* where checks are part of the total."""
    standard, total = case.standard, scores.total
    found = {name: value for name, value in scores.dimensions.items() if value is not None}
    if total is None:
        return Believed(problem="it came without a score")
    if problem := _out_of_scale(total, found):
        return Believed(problem=problem)
    if standard.checks and not with_checks:
        return Believed(problem="it was scored without the checks of its case")
    share = None
    # Where a critical check failed nobody was asked, and only the total is there.
    if standard.rubric is not None and (found or not standard.checks):
        if misfit := standard.rubric.misfit(found):
            return Believed(problem=f"its scores do not fit: {misfit}")
        share = standard.rubric.normalized(found)
    score = _with_checks(total / PERCENT, share, standard) if standard.checks else share
    if score is None:
        return Believed(problem=f"its total of {total:g} does not fit its dimensions and checks")
    return Believed(score, {name: float(value) for name, value in found.items()})


def is_total(total: float | None, score: float) -> bool:
    """Whether a total is the *score*, as it is written."""
    return total is not None and abs(total / PERCENT - score) <= _ROUNDING


def _out_of_scale(total: float, found: Mapping[str, float]) -> str | None:
    if any(abs(value) > _FAR_OUT for value in (total, *found.values())):
        return "a score is far out of its scale"
    if not 0 <= total <= PERCENT:
        return f"its total is {total:g}, outside 0..{PERCENT}"
    return None


def _with_checks(total: float, share: float | None, standard: Standard) -> float | None:
    """The one score that these checks can have led to, if there is one: some of them, or of those
    that were not skipped, were met."""
    if share is not None and abs(total - share) <= _ROUNDING:  # all of them were skipped
        return share
    weight, judged = 1.0, 0.0
    if standard.rubric is not None:
        weight, judged = EXPECTATIONS_SHARE, RUBRIC_SHARE * (share or 0.0)
    part = (total - judged) / weight
    for count in range(1, len(standard.checks) + 1):
        met = round(part * count)
        if 0 <= met <= count and abs(met / count - part) * weight <= _ROUNDING:
            return weight * met / count + judged
    return None

"""Scores that somebody else wrote down: held against the rubric, and the total computed anew."""

from collections.abc import Mapping
from typing import NamedTuple

from whet.core.case import Case, Standard
from whet.documents.result import Scores
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.case_score import DIGITS
from whet.evaluate.case_score import total as rubric_total

_FAR_OUT = 1e9
_ROUNDING = 0.006 / PERCENT
"""Totals are written with two digits."""


class Believed(NamedTuple):
    """What is to be made of scores: 0 to 1, or the reason why there is no score."""

    score: float | None = None
    dimensions: dict[str, float] = {}
    problem: str | None = None


def believed(scores: Scores, case: Case, *, with_checks: bool) -> Believed:
    """Check the *scores* of an answer; *with_checks* where whoever scored it knew the checks."""
    standard, total = case.standard, scores.total
    found = {name: value for name, value in scores.dimensions.items() if value is not None}
    if total is None:
        return Believed(problem="it came without a score")
    if problem := _out_of_scale(total, found):
        return Believed(problem=problem)
    if standard.checks and not with_checks:
        return Believed(problem="it was scored without the checks of its case")
    if standard.rubric is None:
        score = _of_checks(total / PERCENT, standard)
        if score is None:
            return Believed(problem=f"its total of {total:g} does not fit its checks")
        return Believed(score)
    # Where a critical check failed nobody was asked: there is only a total, or nothing but zeros.
    misfit = standard.rubric.misfit(found)
    if misfit and standard.checks and not any(found.values()):
        return Believed(0.0)
    if misfit:
        return Believed(problem=f"its scores do not fit: {misfit}")
    dimensions = {name: round(float(value), DIGITS) for name, value in found.items()}
    return Believed(rubric_total(standard.rubric, dimensions), dimensions)


def is_total(total: float | None, score: float) -> bool:
    """Whether a total is the *score*, as it is written."""
    return total is not None and abs(total / PERCENT - score) <= _ROUNDING


def _out_of_scale(total: float, found: Mapping[str, float]) -> str | None:
    if any(abs(value) > _FAR_OUT for value in (total, *found.values())):
        return "a score is far out of its scale"
    if not 0 <= total <= PERCENT:
        return f"its total is {total:g}, outside 0..{PERCENT}"
    return None


def _of_checks(total: float, standard: Standard) -> float | None:
    """The share of the checks that this total can be, if there is one: some of them, or of those
    that were not skipped, were met."""
    for count in range(1, len(standard.checks) + 1):
        met = round(total * count)
        if 0 <= met <= count and abs(met / count - total) <= _ROUNDING:
            return met / count
    return None

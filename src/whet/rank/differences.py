"""Differences over paired cases: scores, dimensions of rubrics, time and money."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from whet.core.case import Case
from whet.core.rubric import Dimension
from whet.core.verdict import Verdict
from whet.documents.comparison import DimensionDifference, ResourceDifference, ScoreDifference
from whet.evaluate.aggregate import compare_points
from whet.evaluate.case_score import deciding_checks
from whet.evaluate.verdict_values import (
    NOTHING,
    as_verdict,
    family,
    told,
    told_interval,
    told_verdict,
)
from whet.rank.attempts import Attempts
from whet.stats.comparison import compare_runs
from whet.stats.describe import mean, weighted_mean

Pick = Callable[[Attempts], Sequence[float]]
"""What of the attempts at a case is compared: one number for each that has it."""


class Pair(NamedTuple):
    """A case that can be compared, and what each side made of it."""

    baseline_id: str
    case: Case
    weight: float
    left: Attempts
    right: Attempts


class _Sample(NamedTuple):
    """The cases for which both sides have something to compare."""

    left: list[Sequence[float]]
    right: list[Sequence[float]]
    weights: list[float]
    deciding_checks: list[int]


class _Found(NamedTuple):
    """Averages of both sides, and what they allow us to say; nothing is rounded yet."""

    left: float | None
    right: float | None
    verdict: Verdict


def scores(pairs: Sequence[Pair], pick: Pick) -> ScoreDifference:
    """Weighted averages of points of 100, and the verdict."""
    sample = _sample(pairs, pick)
    if not sample.left:
        return ScoreDifference(left=None, right=None, verdict=told_verdict(NOTHING))
    verdict = compare_points(sample.left, sample.right, sample.weights, sample.deciding_checks)
    found = _Found(*_averages(sample), verdict)
    return ScoreDifference(
        left=told(found.left), right=told(found.right), verdict=told_verdict(found.verdict)
    )


def dimensions(pairs: Sequence[Pair]) -> tuple[DimensionDifference, ...]:
    """Every dimension that both sides were scored on, all of them being one family.

    One name with two scales is not one dimension: it is left out.
    """
    every = [(one, _compared(pairs, _of(one.name), _width(one))) for one in _common(pairs)]
    known = [(dimension, found) for dimension, found in every if found.verdict.n_cases]
    verdicts = family([found.verdict for _, found in known])
    return tuple(
        DimensionDifference(
            left=told(found.left),
            right=told(found.right),
            verdict=told_verdict(verdict),
            name=dimension.name,
            maximum=dimension.maximum,
        )
        for (dimension, found), verdict in zip(known, verdicts, strict=True)
    )


def resource(pairs: Sequence[Pair], pick: Pick) -> ResourceDifference | None:
    """Plain averages; None where no case is known on both sides."""
    sample = _sample(pairs, pick)
    if not sample.left:
        return None
    found = as_verdict(compare_runs(sample.left, sample.right), math.inf)
    return ResourceDifference(
        left=told(mean(list(map(mean, sample.left)))) or 0,
        right=told(mean(list(map(mean, sample.right)))) or 0,
        delta=told(found.delta) or 0,
        interval=told_interval(found.interval),
        n_cases=found.n_cases,
    )


def _compared(pairs: Sequence[Pair], pick: Pick, bound: float) -> _Found:
    """No difference lies beyond ±*bound*."""
    sample = _sample(pairs, pick)
    if not sample.left:
        return _Found(None, None, NOTHING)
    found = compare_runs(sample.left, sample.right, weights=sample.weights)
    return _Found(*_averages(sample), as_verdict(found, bound))


def _averages(sample: _Sample) -> tuple[float, float]:
    left, right = (
        weighted_mean(list(map(mean, side)), sample.weights) for side in (sample.left, sample.right)
    )
    return left, right


def _sample(pairs: Sequence[Pair], pick: Pick) -> _Sample:
    sample = _Sample([], [], [], [])
    for pair in pairs:
        left, right = pick(pair.left), pick(pair.right)
        if left and right:
            sample.left.append(left)
            sample.right.append(right)
            sample.weights.append(pair.weight)
            sample.deciding_checks.append(deciding_checks(pair.case.standard))
    return sample


def _width(dimension: Dimension) -> float:
    return dimension.maximum - dimension.minimum


def _of(name: str) -> Pick:
    return lambda one: one.dimension(name)


def _common(pairs: Sequence[Pair]) -> list[Dimension]:
    """The dimensions of all rubrics, each with its one scale, in the order they first occur."""
    known: dict[str, list[Dimension]] = {}
    for pair in pairs:
        rubric = pair.case.standard.rubric
        for dimension in rubric.dimensions if rubric else ():
            known.setdefault(dimension.name, []).append(dimension)
    return [
        found[0]
        for found in known.values()
        if len({(dimension.minimum, dimension.maximum) for dimension in found}) == 1
    ]

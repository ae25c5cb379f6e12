"""The score of one trial of a project: its rubric alone, with the checks beside it.

A grade keeps what checks and judges found. A suite of evals mixes both layers into one score; a
project does not: its total is the sum of the six dimensions, or the normalised total of another
rubric. Where a critical check failed and no judge was asked, every dimension is 0, which is a
measured failure. Without a rubric the checks alone decide.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from whet.core.case import Standard
from whet.core.check import CheckResult, gate
from whet.core.grade import Grade
from whet.core.rubric import SIX_DIMENSIONS, Rubric

DIGITS = 2
"""Decimals of points, as documents have them."""

FULL = 100
CHECKS_ALONE = "none"
"""The name of the scale of a case without a rubric, as ``cases.json`` has it."""


@dataclass(frozen=True, slots=True)
class CaseScore:
    """What a grade comes to in a project; ``score`` is 0 to 1, or None where there is none."""

    score: float | None = None
    dimensions: Mapping[str, float] = field(default_factory=dict[str, float])
    reasoning: str = ""
    check_pass_rate: float | None = None
    """The share of the checks that passed, 0 to 1; None where nothing was checked."""

    gate_passed: bool | None = None
    """False where a critical check failed; None where nothing was checked."""


def case_score(grade: Grade | None, standard: Standard) -> CaseScore:
    """Score the trial that has this *grade*."""
    if grade is None:
        return CaseScore()
    checked = gate(grade.checks)
    rate = checked.pass_rate
    passed = grade.gate_passed if grade.checks else None
    rubric = standard.rubric
    scores = {name: round(one.score, DIGITS) for name, one in grade.dimensions.items()}
    reasoning = grade.reasoning
    if grade.score is None:
        return CaseScore(None, {}, reasoning, rate, passed)
    if rubric is None:
        why = "" if checked.failed == 0 else f"failed checks: {_named(grade, critical=False)}"
        return CaseScore(grade.score, scores, reasoning or why, rate, passed)
    if not grade.dimensions:  # no judge was asked: a critical check failed
        zeros = {dimension.name: 0.0 for dimension in rubric.dimensions}
        return CaseScore(0.0, zeros, _gate_reasoning(grade), rate, gate_passed=False)
    return CaseScore(total(rubric, scores), scores, reasoning, rate, passed)


def total(rubric: Rubric, scores: Mapping[str, float]) -> float:
    """The total of *scores* that fit the *rubric*, 0 to 1: of the six dimensions exactly their
    sum, as both are written."""
    if rubric == SIX_DIMENSIONS:
        return round(sum(scores.values()), DIGITS) / FULL
    return rubric.normalized(scores)


def scale(standard: Standard) -> str:
    """The name of what the score of a case is made of: its rubric, or its checks. Rubrics of
    people's own may share a name; the digest tells them apart."""
    rubric = standard.rubric
    if rubric is None:
        return CHECKS_ALONE
    return rubric.name if rubric == SIX_DIMENSIONS else f"{rubric.name} {rubric.digest[:8]}"


def deciding_checks(standard: Standard) -> int:
    """How many checks the score of a case is the share of; 0 where a rubric decides."""
    return len(standard.checks) if standard.rubric is None else 0


def _gate_reasoning(grade: Grade) -> str:
    names = _named(grade, critical=True)
    return f"the gate failed: {names}" if names else grade.reasoning or "the gate failed"


def _named(grade: Grade, *, critical: bool) -> str:
    """The checks that failed, and what each found."""
    failed = [
        one
        for one in grade.checks
        if not one.skipped and not one.passed and (one.critical or not critical)
    ]
    return "; ".join(map(_told, failed))


def _told(check: CheckResult) -> str:
    title = f"{check.id} ({check.text})" if check.text and check.text != check.id else check.id
    because = check.error or check.evidence
    return f"{title}: {because}" if because else title

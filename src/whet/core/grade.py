"""Grades: what checks and judges made of one trial. Unscored is not zero."""

from typing import Literal

from whet.core.check import CheckResult, CheckSpec
from whet.core.value import Value

GradeStatus = Literal["scored", "unscored", "failed"]


class DimensionScore(Value):
    """The score of one rubric dimension, with the reason for it."""

    score: float
    evidence: str = ""


class JudgedExpectation(Value):
    """An expectation in words, and whether the judge found it met."""

    text: str
    passed: bool
    evidence: str = ""


class Claim(Value):
    """Something that the agent said of its own work, and whether the judge found it so."""

    claim: str
    type: Literal["factual", "process", "quality"]
    verified: bool
    evidence: str = ""


class Suggestion(Value):
    """How the case could test better; without ``assertion`` something is not tested at all."""

    reason: str
    assertion: str | None = None


class Judgement(Value):
    """What a judge says of one submission; nobody has checked yet whether it fits."""

    scores: dict[str, DimensionScore] = {}
    expectations: tuple[JudgedExpectation, ...] = ()
    claims: tuple[Claim, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    overall: str = ""
    """What the judge says of the case as a test."""

    asked: tuple[str, ...] = ()
    """The addresses of the trials behind it, if a model was asked: they tell what it cost."""

    simulated: bool = False
    """Whether what was asked is no real model, where that is known only afterwards."""


class Opinion(Value):
    """A judgement that was read and checked: of one judge, at one reading.

    ``score`` is the weighted mean of the dimensions as a share of the maximum; None without a
    rubric, and where the status is not ``scored``.
    """

    judge: str
    judge_version: str
    model: str = ""
    repeat: int = 1
    status: GradeStatus
    score: float | None = None
    judgement: Judgement = Judgement()
    error: str | None = None
    seconds: float = 0
    simulated: bool = False


class Grade(Value):
    """All that graders found in one record.

    ``scored`` has a score in 0..1; ``unscored`` means that a judge gave no usable score;
    ``failed`` means that a grader itself broke. Neither of the last two says anything about the
    agent. Where the gate is closed the judges were not asked, and what they would have decided
    counts as not met.
    """

    address: str
    trial: str
    generation: int
    grader: str
    grader_version: str
    repeat: int = 1
    status: GradeStatus
    score: float | None = None
    dimensions: dict[str, DimensionScore] = {}
    reasoning: str = ""
    error: str | None = None
    evaluated_at: str
    simulated: bool = False
    checks: tuple[CheckResult, ...] = ()
    gate_passed: bool = True
    """False when a critical check failed."""

    expectations: tuple[JudgedExpectation, ...] = ()
    """The majority of all opinions."""

    rubric_score: float | None = None
    """The judges' part of the score; None without a rubric, or when nobody was asked."""

    opinions: tuple[Opinion, ...] = ()
    specs: tuple[CheckSpec, ...] = ()
    """The checks as they were written, for whoever asks what a verdict speaks of."""

    @property
    def passed(self) -> int:
        """How many expectations were met, those that were checked and those that were judged."""
        return sum(c.passed for c in self.checks) + sum(e.passed for e in self.expectations)

    @property
    def total(self) -> int:
        """How many expectations were decided."""
        return sum(not c.skipped for c in self.checks) + len(self.expectations)

    @property
    def pass_rate(self) -> float | None:
        """The share that was met; None when there were none."""
        return self.passed / self.total if self.total else None

"""Grades: what a grader returned for one trial. Unscored is not zero."""

from typing import Literal

from whet.core.value import Value


class DimensionScore(Value):
    """The score of one rubric dimension, with the reason for it."""

    score: float
    evidence: str = ""


class Grade(Value):
    """One verdict of one grader on one record.

    ``scored`` has a score in 0..1; ``unscored`` means the grader gave no usable score;
    ``failed`` means the grader itself broke. Neither of the last two says anything about the
    agent.
    """

    address: str
    trial: str
    generation: int
    grader: str
    grader_version: str
    repeat: int = 1
    status: Literal["scored", "unscored", "failed"]
    score: float | None = None
    dimensions: dict[str, DimensionScore] = {}
    reasoning: str = ""
    error: str | None = None
    evaluated_at: str
    simulated: bool = False

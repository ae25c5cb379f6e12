"""The judge port."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from whet.core.case import Case
from whet.core.grade import DimensionScore
from whet.core.rubric import Rubric


@dataclass(frozen=True, slots=True)
class Submission:
    """What a judge sees: the case and what was produced. Not who produced it, nor how."""

    case: Case
    answer: str
    outputs: Mapping[str, bytes]


class Judge(Protocol):
    """Scores a submission on each dimension of a rubric.

    Returns one score with evidence per dimension, on the dimension's own scale; whoever calls
    checks the range and computes the total. Raises ``JudgeFailure`` when it has no scores.
    *seed* is the grade's address: a judge with chance in it draws from there.
    """

    name: str
    version: str
    simulated: bool

    async def judge(
        self, submission: Submission, rubric: Rubric, seed: str
    ) -> Mapping[str, DimensionScore]:
        """Score every dimension of *rubric*."""
        ...

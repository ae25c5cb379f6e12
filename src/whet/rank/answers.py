"""What two skills answered to one case, side by side."""

from typing import Literal

from whet.core.case import Case
from whet.core.value import Value
from whet.curate.text_difference import TextDifference, between_texts
from whet.documents.result import CaseResult


class Answer(Value):
    """One attempt, without its text."""

    skill: str
    """For people: its name and version."""

    status: Literal["completed", "failed", "skipped"]
    score: float | None
    reasoning: str
    error: str | None
    duration_ms: float


class AnswerDifference(Value):
    """Two answers to one case."""

    case_id: str
    case_name: str
    input: str
    expected_output: str
    attempt: int
    left: Answer
    right: Answer
    text: TextDifference
    """Of the answers; from left to right."""


def answers(
    case: Case, attempt: int, left: CaseResult, right: CaseResult, names: tuple[str, str]
) -> AnswerDifference:
    """Compare two results of *case*; *names* are those of the skills, for people."""
    return AnswerDifference(
        case_id=case.id,
        case_name=case.name,
        input=case.stimulus.prompt,
        expected_output=case.standard.expected,
        attempt=attempt,
        left=_answer(left, names[0]),
        right=_answer(right, names[1]),
        text=between_texts(left.actual_output, right.actual_output, names),
    )


def _answer(result: CaseResult, skill: str) -> Answer:
    return Answer(
        skill=skill,
        status=result.status,
        score=result.scores.total,
        reasoning=result.score_reasoning,
        error=result.error,
        duration_ms=result.duration_ms,
    )

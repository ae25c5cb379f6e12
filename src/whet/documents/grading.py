"""Skill-eval format: the grades of one run."""

from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number


class CheckedExpectation(Document):
    """What a deterministic check found."""

    id: str
    text: str
    type: str
    passed: bool
    evidence: str
    critical: bool

    vacuous: bool | None = None
    """True when it passed because there was nothing to look at."""

    score: Number | None = None
    """Between 0 and 1, where it is neither."""

    error: str | None = None
    """Why it could not be decided, and counts as failed."""


class SkippedCheck(Document):
    """A check that was not carried out; it counts neither as passed nor as failed."""

    id: str
    text: str
    type: str
    critical: bool
    reason: str


class Expectation(Document):
    """An expectation and whether the run met it, checked or judged."""

    text: str
    passed: bool
    evidence: str

    id: str | None = None
    type: str | None = None
    critical: bool | None = None
    vacuous: bool | None = None
    judged: bool | None = None
    """True where a judge decided, and no rule."""


class PassSummary(Document):
    """How many expectations were met."""

    passed: int
    failed: int
    total: int
    pass_rate: Number


class StructuralReport(Document):
    """``structural.json``: the deterministic layer of one run."""

    expectations: Items[CheckedExpectation]
    summary: PassSummary
    gate_passed: bool
    """False when a critical check failed; the judge is skipped then."""

    skipped: Items[SkippedCheck] | None = None

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        match data:
            case {"summary": {"gate_passed": gate, **summary}} if "gate_passed" not in data:
                return {**data, "summary": summary, "gate_passed": gate}
            case _:
                return data


class RubricScore(Document):
    """The judge's score in one dimension."""

    score: Number | None
    evidence: str


class RubricSummary(Document):
    """The weighted mean of the scores, and the same on a scale of 0 to 1."""

    weighted_mean: Number | None
    max_possible: Number
    normalized: Number | None


class Claim(Document):
    """Something the run said of itself, and whether it is so."""

    claim: str
    type: Literal["factual", "process", "quality"]
    verified: bool
    evidence: str


class Suggestion(Document):
    """How the eval could be better; without ``assertion`` it concerns a missing one."""

    assertion: str | None = None
    reason: str


class EvalFeedback(Document):
    """What the judge says about the eval itself."""

    suggestions: Items[Suggestion]
    overall: str

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return {"suggestions": data, "overall": ""} if isinstance(data, list) else data


class ExecutionMetrics(Document):
    """What the run did, in numbers."""

    tool_calls: dict[str, int]
    total_tool_calls: int
    total_steps: int
    errors_encountered: int
    output_chars: int
    transcript_chars: int


class GradingTiming(Document):
    """How long the run and its grading took."""

    executor_duration_seconds: Number | None = None
    grader_duration_seconds: Number | None = None
    total_duration_seconds: Number | None = None


class UserNotesSummary(Document):
    """What the run left for a person to look at."""

    uncertainties: Items[str] = ()
    needs_review: Items[str] = ()
    workarounds: Items[str] = ()


class JudgeOpinion(Document):
    """What one judge said at one reading; ``rubric_normalized`` is null where it gave no score."""

    judge: str
    model: str
    reading: int
    status: Literal["scored", "unscored", "failed"]
    rubric_normalized: Number | None
    rubric_scores: dict[str, Number] | None = None
    error: str | None = None


class Grading(Document):
    """``grading.json``: all grades of one run, structural results first."""

    expectations: Items[Expectation]
    summary: PassSummary
    rubric_scores: dict[str, RubricScore] | None = None
    rubric_summary: RubricSummary | None = None
    execution_metrics: ExecutionMetrics | None = None
    timing: GradingTiming | None = None
    claims: Items[Claim] | None = None
    user_notes_summary: UserNotesSummary | None = None
    eval_feedback: EvalFeedback | None = None

    gate_passed: bool | None = None
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    error: str | None = None
    simulated: bool | None = None
    overall_efficiency: Number | None = None
    run_status: Literal["completed", "failed"] | None = None
    judges: Items[JudgeOpinion] | None = None
    """Every judge's own scores, where there are several or several readings."""

    trial_address: str | None = None
    grade_address: str | None = None

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        match data:
            case {"rubric_scores": [*entries]}:
                return {**data, "rubric_scores": dict(map(_named_score, entries))}
            case _:
                return data


def _named_score(entry: JsonValue) -> tuple[str, JsonValue]:
    """Take the name out of an entry of an older list of scores."""
    match entry:
        case {"dimension": str(name), **score} | {"name": str(name), **score}:
            return name, score
        case _:
            raise ValueError("an entry has neither a dimension nor a name")

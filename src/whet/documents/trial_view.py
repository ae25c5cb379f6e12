"""What people look at of one trial: the task, what came of it, how it was graded, what was done.

Texts come from skills, cases and models. They are only ever text: control characters are taken out,
and what is too long is cut.
"""

from typing import Literal

from whet.core.value import Value
from whet.documents.experiment_view import ExperimentView


class TextView(Value):
    """The beginning of a text."""

    text: str
    length: int
    """Characters of all of it; more than there are here where it is cut."""


class AttemptView(Value):
    """One attempt of an arm at a case."""

    attempt: int
    status: str
    grade_status: str | None
    score: float | None
    """On the scale of the leg."""

    duration_ms: float | None
    cost_usd: float | None


class ProducedFile(Value):
    """A file that the agent made or changed."""

    path: str
    size: int
    content: TextView | None
    """Null for what is no text."""


class CheckView(Value):
    """An expectation, and whether it was met."""

    id: str | None
    text: str
    type: str | None
    outcome: Literal["passed", "failed", "vacuous", "skipped"]
    critical: bool
    judged: bool
    """Whether a judge decided, and no rule."""

    evidence: TextView
    error: str | None


class DimensionView(Value):
    """The score in one dimension, and the reason for it."""

    name: str
    score: float | None
    maximum: float | None
    weight: float | None
    evidence: TextView


class OpinionView(Value):
    """What one judge came to at one reading, as a share of 1."""

    judge: str
    model: str
    reading: int
    status: str
    score: float | None
    error: str | None


class ClaimView(Value):
    """Something that the agent said of its own work, and whether the judge found it so."""

    claim: str
    verified: bool
    evidence: str


class CallView(Value):
    """One use of a tool."""

    number: int
    tool: str
    subject: str
    """What it is about, on one line."""

    failed: bool
    duration_ms: float
    output: TextView


class TrialView(Value):
    """One trial with all that is known of it."""

    leg: int
    arm: str
    arm_name: str
    set: str
    case: str
    case_name: str
    attempt: int
    scale: float
    attempts: tuple[AttemptView, ...]
    status: str
    grade_status: str | None
    score: float | None
    failure: str | None
    error: str | None
    prompt: TextView
    expected: TextView
    answer: TextView
    files: tuple[ProducedFile, ...]
    files_left_out: int
    gate_passed: bool | None
    checks: tuple[CheckView, ...]
    dimensions: tuple[DimensionView, ...]
    reasoning: TextView
    opinions: tuple[OpinionView, ...]
    claims: tuple[ClaimView, ...]
    started_at: str | None
    duration_ms: float | None
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    engine: str | None
    model: str | None
    simulated: bool | None
    session_id: str | None
    messages: tuple[TextView, ...]
    calls: tuple[CallView, ...]
    calls_total: int


class ReportView(Value):
    """An experiment in one file: all of its cases, and every trial."""

    language: str
    version: str
    """Of whet."""

    generated_at: str
    view: ExperimentView
    trials: tuple[TrialView, ...]
    left_out: int
    """Trials that are not among them, because it would be too much."""

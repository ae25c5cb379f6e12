"""Workspace format: the results of a project."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field, JsonValue

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Interval, Verdict


class Scores(Document):
    """The score of each dimension, and their total; null where there is none.

    The six named dimensions are those of the 100-point scale for code. Other rubrics have
    other dimensions, which stand beside ``total`` in the same way.
    """

    __pydantic_extra__: dict[str, Number | None] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]

    functional_correctness: Number | None = None
    robustness: Number | None = None
    readability: Number | None = None
    conciseness: Number | None = None
    complexity_control: Number | None = None
    format_compliance: Number | None = None
    total: Number | None

    @classmethod
    def of(cls, dimensions: Mapping[str, Number | None], total: Number | None) -> Self:
        """Make scores of any rubric."""
        return cls.model_validate({**dimensions, "total": total})

    @property
    def dimensions(self) -> dict[str, Number | None]:
        """Every dimension that is scored here, by name."""
        named = {name: value for name, value in self if name in self.model_fields_set}
        named.pop("total", None)
        return named


class CheckOutcome(Document):
    """What one check of the case found."""

    id: str
    type: str
    text: str
    outcome: Literal["passed", "failed", "vacuous", "skipped"]
    """``vacuous`` is a pass for want of anything to look at; ``skipped`` counts for nothing."""

    evidence: str
    critical: bool
    error: str | None = None
    """Why a failure is not the agent's plain failure."""


class CaseResult(Document):
    """``results/{skill}_v{n}/{case_id}.json``: one trial of one case with one skill."""

    case_id: str
    skill_id: str
    skill_version: str
    baseline_id: str
    baseline_version: str
    executed_at: str | None
    status: Literal["completed", "failed", "skipped"]
    input: str
    expected_output: str
    actual_output: str
    duration_ms: Number
    cli_version: str | None
    model_version: str
    error: str | None
    scores: Scores
    score_reasoning: str
    score_evaluated_at: str | None

    trial_address: str | None = None
    attempt: int | None = None
    generation: int | None = None
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    simulated: bool | None = None
    engine: str | None = None
    sandbox: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Number | None = None
    estimated_tokens: int | None = None
    """How large the conversation grew, by a rough count of its text."""
    context_risk: Literal["normal", "warning", "critical"] | None = None
    """Below 60 %, below 80 %, or more of the project's threshold."""
    session: str | None = None
    check_pass_rate: Number | None = None
    """The share of the case's checks that passed, 0 to 1. Checks are no part of ``scores``."""

    gate_passed: bool | None = None
    """False where a critical check failed: then every score is 0, unless judges were asked all the
    same."""

    checks: Items[CheckOutcome] | None = None

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        if not isinstance(data, dict) or data.get("scores", data) is not None:
            return data
        unscored: dict[str, JsonValue] = dict.fromkeys(Scores.model_fields)
        return {**data, "scores": unscored}


class RankingEntry(Document):
    """One skill in the ranking of a project."""

    rank: int
    skill_id: str
    skill_name: str
    skill_version: str
    completed_cases: int
    failed_cases: int
    avg_score: Number | None
    score_breakdown: dict[str, Number | None]

    interval: Interval | None = None
    avg_score_failed_as_zero: Number | None = None
    unscored_cases: int | None = None
    versus_next: Verdict | None = None
    order_differs: bool | None = None
    """Set where counting failed cases as zero would give another rank."""

    check_pass_rate: Number | None = None
    """The average share of checks that passed, 0 to 1, over the cases that have checks."""

    gate_failed_cases: int | None = None
    """Cases in which a critical check failed in any attempt; null where no case has checks."""

    mixed_rubrics: Items[str] | None = None
    """What its cases are scored by, where that is not the same for all of them; ``none`` is by
    checks alone. Such an average is over different scales and has no breakdown of its own."""


class BaselineSummary(Document):
    """The ranking on one of several baselines."""

    baseline_id: str
    baseline_name: str
    baseline_version: str
    total_cases: int
    ranking: Items[RankingEntry]


class Summary(Document):
    """``results/summary.json`` of a project."""

    project_id: str
    generated_at: str
    total_cases: int
    ranking: Items[RankingEntry]

    simulated: bool | None = None
    total_trials: int | None = None
    winner: str | None = None
    """The skill that is better than its neighbour beyond doubt, if there is one."""

    by_baseline: Items[BaselineSummary] | None = None
    recomputed_at: str | None = None
    """When the figures were computed anew from results that are as old as ``generated_at``."""

"""Skill-eval format: the documents that skill-creator has and the eval suite builds upon."""

from typing import Literal

from pydantic import Field, JsonValue

from whet.documents.base import Document, Items, Number
from whet.documents.grading import ExecutionMetrics
from whet.documents.verdict import Interval, Verdict


class Timing(Document):
    """``timing.json`` of one run."""

    total_tokens: int | None
    """Null where the engine reports none."""

    duration_ms: Number
    total_duration_seconds: Number
    executor_start: str | None = None
    executor_end: str | None = None
    executor_duration_seconds: Number | None = None
    grader_start: str | None = None
    grader_end: str | None = None
    grader_duration_seconds: Number | None = None

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Number | None = None


class Metrics(ExecutionMetrics):
    """``outputs/metrics.json`` of one run."""

    files_created: Items[str]


class EvalMetadata(Document):
    """``eval_metadata.json``: what was asked, beside the runs that answered it."""

    eval_id: int | str
    eval_name: str
    prompt: str
    assertions: Items[JsonValue]


class ComparisonRubric(Document):
    """One side of a blind comparison, in points of 1 to 5 and 1 to 10 over all."""

    content: dict[str, Number]
    structure: dict[str, Number]
    content_score: Number
    structure_score: Number
    overall_score: Number


class OutputQuality(Document):
    """What is good and bad about one side."""

    score: Number
    strengths: Items[str]
    weaknesses: Items[str]


class ExpectationDetail(Document):
    """Whether one side met an expectation."""

    text: str
    passed: bool


class ExpectationResults(Document):
    """How many expectations one side met."""

    passed: int
    total: int
    pass_rate: Number
    details: Items[ExpectationDetail]


class Comparison(Document):
    """``comparison.json``: a blind comparison of two outputs."""

    winner: Literal["A", "B", "TIE"]
    reasoning: str
    rubric: dict[Literal["A", "B"], ComparisonRubric]
    output_quality: dict[Literal["A", "B"], OutputQuality]
    expectation_results: dict[Literal["A", "B"], ExpectationResults] | None = None


class ComparisonSummary(Document):
    """Which skill stood behind the winner."""

    winner: str
    winner_skill: str
    loser_skill: str
    comparator_reasoning: str


class InstructionFollowing(Document):
    """How well a run followed its skill."""

    score: Number
    issues: Items[str]


class ImprovementSuggestion(Document):
    """A change to the losing skill that would have mattered."""

    priority: Literal["high", "medium", "low"]
    category: Literal[
        "instructions", "tools", "examples", "error_handling", "structure", "references"
    ]
    suggestion: str
    expected_impact: str


class TranscriptInsights(Document):
    """How the two runs went about it."""

    winner_execution_pattern: str
    loser_execution_pattern: str


class Analysis(Document):
    """``analysis.json``: why the winner of a comparison won."""

    comparison_summary: ComparisonSummary
    winner_strengths: Items[str]
    loser_weaknesses: Items[str]
    instruction_following: dict[Literal["winner", "loser"], InstructionFollowing]
    improvement_suggestions: Items[ImprovementSuggestion]
    transcript_insights: TranscriptInsights


class HistoryIteration(Document):
    """One version of a skill on the way to a better one."""

    version: str
    parent: str | None
    expectation_pass_rate: Number
    grading_result: Literal["baseline", "won", "lost", "tie"]
    is_current_best: bool


class ImprovementHistory(Document):
    """``history.json``."""

    started_at: str
    skill_name: str
    current_best: str
    iterations: Items[HistoryIteration]


class Review(Document):
    """What a person said to one run."""

    run_id: str
    feedback: str
    timestamp: str

    label: Literal["pass", "fail"] | None = None
    """What the person found, whatever the judge says."""

    scores: dict[str, Number] | None = None
    """The person's own scores by dimension of the rubric."""

    trial_address: str | None = None


class Feedback(Document):
    """``feedback.json``."""

    reviews: Items[Review]
    status: Literal["complete", "in_progress"]


class TriggerQuery(Document):
    """A prompt that should, or should not, make an agent take the skill."""

    query: str
    should_trigger: bool


class TriggerSet(Document):
    """A set of trigger queries; its file is a bare JSON array."""

    queries: Items[TriggerQuery]

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return {"queries": data} if isinstance(data, list) else data

    def _content(self) -> object:
        return self.queries


class TriggerCount(Document):
    """How often a query triggered the skill."""

    query: str
    should_trigger: bool
    trigger_rate: Number
    triggers: int
    runs: int
    passed: bool = Field(validation_alias="pass", serialization_alias="pass")

    unknown: int | None = None
    """Further runs of which nobody knows whether they would have triggered it."""


class TriggerSummary(Document):
    """How many queries came out as they should."""

    total: int
    passed: int
    failed: int


class TriggerResult(Document):
    """The outcome of a trigger set for one description.

    A query counts as one that triggers if it did in half of its runs or more. Queries without
    a single run that tells are not among the results.
    """

    skill_name: str
    description: str
    results: Items[TriggerCount]
    summary: TriggerSummary

    accuracy: Number | None = None
    """The share of queries that came out as they should."""

    accuracy_interval: Interval | None = None
    precision: Number | None = None
    """Of the queries that triggered, the share that should have."""

    precision_interval: Interval | None = None
    recall: Number | None = None
    """Of the queries that should have triggered, the share that did."""

    recall_interval: Interval | None = None
    unknown: int | None = None
    """Runs of which nobody knows whether they would have triggered the skill."""

    unknown_runs: Items[str] | None = None
    """Each of them, with the reason."""

    alarm: Literal["harness_alarm"] | None = None
    """No query at all triggered the skill: more likely the agent was never offered it."""

    alarm_words: str | None = None
    neighbours: Items[str] | None = None
    """The names of the skills that stood beside it."""

    runs_per_query: int | None = None
    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    sandbox: str | None = None
    simulated: bool | None = None
    cost_usd: Number | None = None
    evaluated_at: str | None = None


class DescriptionIteration(Document):
    """One description on the way to a better one; null where nothing is held out."""

    iteration: int
    description: str
    train_passed: int
    train_failed: int
    train_total: int
    train_results: Items[TriggerCount]
    test_passed: int | None
    test_failed: int | None
    test_total: int | None
    test_results: Items[TriggerCount] | None
    passed: int
    failed: int
    total: int
    results: Items[TriggerCount]


class DescriptionLoop(Document):
    """The outcome of the search for a better description; scores are like ``17/20``."""

    exit_reason: str
    original_description: str
    best_description: str
    best_score: str
    best_train_score: str
    best_test_score: str | None
    final_description: str
    iterations_run: int
    holdout: Number
    train_size: int
    test_size: int
    history: Items[DescriptionIteration]

    verdict: Verdict | None = None
    """The best description against the original one, on the queries that were held out."""

    skill_name: str | None = None
    engine: str | None = None
    model: str | None = None
    simulated: bool | None = None
    seed: int | None = None
    """What the split of the queries depends on."""

    runs_per_query: int | None = None
    cost_usd: Number | None = None
    notes: Items[str] | None = None

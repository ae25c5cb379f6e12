"""Capability format: case sets, runs and items, and the messages of its API."""

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number

Dimension = Literal["tool", "logic", "common", "complex"]

DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)

MOST_SECONDS = 24 * 3600
MOST_WEIGHT = 1_000_000
"""Of a case."""

CheckerType = Literal[
    "choice",
    "exact",
    "regex",
    "contains",
    "tool_called",
    "tool_args",
    "file_exists",
    "file_contains",
    "json_schema",
    "json_contains",
    "directory_structure",
    "file_diff",
    "file_count",
    "file_not_contains",
    "skill_triggered",
    "no_errors",
    "max_cost",
    "max_duration",
]

RunStatus = Literal["running", "finished", "failed", "cancelled"]

ItemStatus = Literal["active", "passed", "failed", "skipped", "error", "cancelled"]

MEASURED: frozenset[ItemStatus] = frozenset({"passed", "failed", "error"})
"""Statuses of items that say something about the agent."""


def measured_cases(counts: Mapping[str, int]) -> int:
    """How many of the items that are counted by status the scores rest on."""
    return sum(counts.get(status, 0) for status in MEASURED)


class Checker(Document):
    """A rule together with what it expects, for cases that have several.

    In an older form the expectation stands in one of the last six fields. Fields of a type that
    has others than ``expected``, as ``file_count`` has, stand beside its name.
    """

    type: CheckerType
    expected: JsonValue = None
    weight: Number | None = None

    answer: str | None = None
    text: str | None = None
    pattern: str | None = None
    tool: str | None = None
    path: str | None = None
    required: JsonValue = None


class CapabilityCase(Document):
    """One question or task, and the rule that decides."""

    id: str
    dimension: Dimension
    language: str | None = None
    prompt: str
    weight: Number | None = None
    """Null counts as 1."""

    timeout_s: Number | None = None
    checker: CheckerType | Checker | Items[Checker]
    expected: JsonValue = None
    prerequisites: Items[str] = ()
    tags: Items[str] = ()

    files: dict[str, str] | None = None
    """What lies in the working folder at the start: texts by relative path."""

    options: dict[str, str] | None = None
    """The options of a choice by letter, where the prompt's own words are hard to take apart."""


class CapabilityCaseSet(Document):
    """``evaluation/cases/*.json``; a bare list of cases is read too."""

    version: int | str | None = None
    case_set: str | None = None
    language: str | None = None
    tags: Items[str] = ()
    cases: Items[CapabilityCase]

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return {"cases": data} if isinstance(data, list) else data


class CaseSetSummary(Document):
    """A set that a run may use, or why a file is none."""

    case_set: str
    language: str | None
    version: int | str | None
    case_count: int
    dimensions: dict[Dimension, int]
    tags: Items[str] = ()
    source: str | None = None
    """``bundled``, or its path in the workspace."""

    digest: str | None = None
    problem: str | None = None


class CaseSetList(Document):
    """The answer to a query for sets."""

    case_sets: Items[CaseSetSummary]


class EvaluationRun(Document):
    """A row of ``evaluation_runs``; nothing measured makes the total null."""

    run_id: str
    user_id: str | None
    model_name: str
    language: str | None
    status: RunStatus
    case_set: str
    config_snapshot: JsonValue
    tool_snapshot: JsonValue
    dimension_scores: dict[Dimension, Number | None]
    total_score: Number | None
    started_at: str
    finished_at: str | None
    elapsed_s: Number | None
    error: str | None

    simulated: bool | None = None
    case_set_digest: str | None = None
    owner: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    weights: dict[Dimension, Number] | None = None
    counts: dict[str, int] | None = None
    """Items by status."""

    measured_cases: int | None = None
    """How many of the ``total`` of ``counts`` the scores rest on. The others were skipped or
    cancelled, or are still to be done."""

    total_score_measured: Number | None = None
    """The total without items that ended in an error, where there are any."""

    reclaimable: bool | None = None
    """Whether it is running in no living process, so that anybody may take it up."""

    seconds_left: Number | None = None
    """How long it will probably still take; worked out when one that is running is looked at."""


class TracedCall(Document):
    """A tool call of an item."""

    name: str
    args: JsonValue


class EvaluationItem(Document):
    """A row of ``evaluation_items``, and the ``eval_item`` event."""

    run_id: str
    case_id: str
    dimension: Dimension
    status: ItemStatus
    score: Number | None
    max_score: Number
    weight: Number
    prompt: str
    final_answer: str | None
    tool_calls: Items[TracedCall]
    checker_detail: JsonValue
    started_at: str | None
    finished_at: str | None
    elapsed_s: Number | None
    error: str | None

    skip_reason: str | None = None
    session_id: str | None = None
    trial: str | None = None
    cost_usd: Number | None = None
    tokens: int | None = None
    """All that passed, cached or not; of an agent that does not say there are none."""

    output_tokens: int | None = None
    simulated: bool | None = None
    tags: Items[str] = ()


class EvaluationStarted(Document):
    """The answer to a start."""

    run_id: str
    status: RunStatus
    selected_cases: Items[str]


class SkippedCase(Document):
    """A case that cannot be done."""

    case_id: str
    missing_tools: Items[str]


class EvaluationPlanned(Document):
    """What a start would do, without doing it."""

    model_name: str
    language: str
    case_set: str
    simulated: bool
    case_count: int
    dimensions: dict[Dimension, int]
    skipped: Items[SkippedCase]
    tools: Items[str] | None
    """What the agent has; null where nobody knows."""

    paid_runs: int
    cost_usd: Number | None
    """What those will probably cost; null where nothing is on record that tells it."""

    rough_cost_usd: Number | None = None
    """An order of magnitude by list prices, where ``cost_usd`` is null."""

    needs_confirmation: bool


class EvaluationRuns(Document):
    """The answer to a query for runs."""

    runs: Items[EvaluationRun]


class EvaluationDetail(Document):
    """A run with its items."""

    run: EvaluationRun
    items: Items[EvaluationItem]


class EvaluationProgress(Document):
    """The ``eval_progress`` event: how far a run is, and what it comes to so far."""

    run_id: str
    completed: int
    total: int
    passed: int
    failed: int
    skipped: int
    errors: int
    counts: dict[str, int] | None = None
    measured_cases: int | None = None
    dimension_scores: dict[Dimension, Number | None] | None = None
    total_score: Number | None = None
    total_score_measured: Number | None = None
    seconds_left: Number | None = None


class EvaluationLog(Document):
    """The ``eval_log`` event."""

    run_id: str
    message: str
    case_id: str | None = None

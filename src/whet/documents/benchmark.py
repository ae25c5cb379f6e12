"""Skill-eval format: all runs of an iteration, summed up."""

from typing import Literal

from whet.documents.base import Document, Items, Number, Written
from whet.documents.eval_statistics import EvalStatistics
from whet.documents.grading import Expectation
from whet.documents.verdict import Verdict


class BenchmarkMetadata(Document):
    """What was run, when, and by what."""

    skill_name: str
    skill_path: str
    executor_model: str
    analyzer_model: str
    timestamp: str
    evals_run: Items[int | str]
    runs_per_configuration: int

    engine: str | None = None
    engine_version: str | None = None
    sandbox: str | None = None
    simulated: bool | None = None
    efficiency_weights: dict[str, Number] | None = None
    """How much each part counts in ``overall_efficiency``: ``pass_rate``, the share of all
    expectations that were met, checked or judged, and ``rubric_normalized``. Older files call the
    parts ``structural`` and ``rubric``."""

    eval_id: str | None = None
    """The id of the run of the suite, as the API has it."""

    iteration: int | None = None
    plan_digest: str | None = None
    judges: Items[str] | None = None
    status: Literal["completed", "partial"] | None = None
    """Partial when runs are missing (``missing`` says which and why), or a grader failed."""

    adaptive: bool | None = None
    series: int | None = None

    def score_weights(self) -> dict[str, Number]:
        """``efficiency_weights`` under the present names of the parts."""
        older = {"structural": "pass_rate", "rubric": "rubric_normalized"}
        weights = self.efficiency_weights or {}
        return {older.get(name, name): share for name, share in weights.items()}


class RunResult(Document):
    """One run in numbers; a rubric part that was not scored is null."""

    pass_rate: Number
    passed: int
    failed: int
    total: int
    time_seconds: Number
    tokens: Number | None
    """Null where the engine reports none."""

    tool_calls: int
    errors: int

    rubric_normalized: Number | None = None
    overall_efficiency: Number | None = None
    gate_passed: bool | None = None
    cost_usd: Number | None = None
    status: Literal["completed", "failed"] | None = None
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    trial_address: str | None = None
    failure: str | None = None


class BenchmarkRun(Document):
    """One run of one eval in one configuration."""

    eval_id: int | str
    eval_name: str | None = None
    configuration: str
    run_number: int
    result: RunResult
    expectations: Items[Expectation]
    notes: Items[str] = ()


class Stats(Document):
    """A measure over all runs of a configuration."""

    mean: Number
    stddev: Number
    min: Number
    max: Number


class ConfigurationSummary(Document):
    """One configuration over all its runs."""

    pass_rate: Stats
    rubric_normalized: Stats | None = None
    overall_efficiency: Stats | None = None
    consistency: Written[Number | None] = None
    """1 − stddev / mean of ``overall_efficiency``, below 0 where the spread exceeds the mean; null
    where the mean is 0 or no run has a score."""

    time_seconds: Stats
    tokens: Stats | None
    """Of the runs whose engine reports any; null where none does."""

    rubric_dimensions: dict[str, Stats] | None = None

    cost_usd: Stats | None = None
    rubric_unscored: int | None = None
    """Runs without a rubric score."""


class RunSummary(Document):
    """The configurations side by side; ``delta`` is with_skill minus the other, signed."""

    with_skill: ConfigurationSummary | None = None
    without_skill: ConfigurationSummary | None = None
    old_skill: ConfigurationSummary | None = None
    new_skill: ConfigurationSummary | None = None
    delta: dict[str, str | Number] | None = None


class MissingRun(Document):
    """A run that was planned and has no result: it counts neither as passed nor as failed."""

    eval_id: int | str
    configuration: str
    run_number: int
    reason: str


class Benchmark(Document):
    """``benchmark.json`` of an iteration."""

    metadata: BenchmarkMetadata
    runs: Items[BenchmarkRun]
    run_summary: RunSummary
    notes: Items[str] = ()

    verdict: Verdict | None = None
    statistics: EvalStatistics | None = None
    missing: Items[MissingRun] | None = None

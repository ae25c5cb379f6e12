"""What people look at of an experiment: skills compared in a project, or a suite run for a skill.

Made by queries, never stored. Every number is one of ``summary.json`` or ``benchmark.json``, or is
counted as they count; null is what nobody knows, and never 0.
"""

from typing import Literal

from whet.core.value import Value
from whet.documents.eval_statistics import EvalStatistics
from whet.documents.verdict import Label

Kind = Literal["project", "eval"]
Status = Literal["pending", "running", "completed", "partial", "interrupted"]
Unit = Literal["points", "seconds", "tokens", "usd"]


class IntervalView(Value):
    """A range that covers the truth with the stated confidence."""

    low: float
    high: float
    level: float
    method: str


class EngineView(Value):
    """Who worked."""

    engine: str
    model: str
    version: str | None
    sandbox: str | None


class ProgressView(Value):
    """How far the latest run is, in trials."""

    total: int
    settled: int
    """Those that have come to something since it began."""

    reused: int
    """Those that were there when it began."""

    seconds: float
    seconds_left: float | None
    """At the pace so far; null where it is not running, or nobody can know yet."""


class CostView(Value):
    """What agents are known to have cost."""

    usd: float | None
    """Null where nobody knows of any."""

    unknown: int
    """Answers whose price nobody knows: the sum is at least so much."""


class OnTheseView(Value):
    """What may be said of these cases and no others; the difference is that of the card."""

    label: Label
    interval: IntervalView | None
    p_value: float | None
    smallest_effect: float | None
    needs: Literal["repeats"] | None
    runs_needed: int | None


class VerdictCard(Value):
    """Whether the first arm is better than the second; differences are first minus second."""

    first: str
    second: str
    label: Label
    delta: float | None
    interval: IntervalView | None
    n_cases: int
    n_runs: int | None
    trials: int | None
    cost_usd: float | None
    smallest_effect: float | None
    """The true effect that would have been found with a chance of 80 %, on cases like these."""

    p_value: float | None
    needs: Literal["cases"] | None
    """Whether there are too few cases to say anything of others like them."""

    cases_needed: int | None
    """Cases that would settle an effect of the size that was seen, where that is open."""

    on_these: OnTheseView | None
    """The same question for these cases alone; null in results of older versions."""

    words: dict[str, str]
    """The same for people, by language; empty where the numbers say it all."""

    excluded: tuple[str, ...]


class ArmView(Value):
    """One side of the comparison."""

    id: str
    name: str
    version: str | None
    rank: int | None
    mean: float | None
    interval: IntervalView | None
    """Of the mean, over cases."""

    deviation: float | None
    """Of the scores of single runs, where that is known instead."""

    mean_failed_as_zero: float | None
    order_differs: bool
    """Whether its place would be another one if failed cases counted as zero."""

    completed_cases: int | None
    failed_cases: int | None
    unscored_cases: int | None
    dimensions: dict[str, float | None]
    """Each on its own scale."""

    check_pass_rate: float | None = None
    """The average share of checks that passed, 0 to 1; null where no case has checks."""

    gate_failed_cases: int | None = None
    """Cases in which a critical check failed."""

    mixed_rubrics: tuple[str, ...] = ()
    """What its cases are scored by, where that is not the same for all; ``none`` is by checks."""


class DimensionScale(Value):
    """The scale of a dimension; null where cases do not agree on it."""

    name: str
    minimum: float | None
    maximum: float | None
    weight: float | None


class CellView(Value):
    """One arm on one case: how many attempts came to what."""

    mean: float | None
    """Over the attempts that have a score."""

    scored: int
    failed: int
    """The agent failed. In a suite such a run has the score 0, in a project none."""

    unscored: int
    """There is an answer, and nobody could score it."""

    missing: int
    """Not run, or not yet."""

    flaky: bool
    """Whether attempts differ so much that one alone says little."""

    check_pass_rate: float | None = None
    """In a project: the average share of checks that passed, 0 to 1; null where none were made."""

    gate_failed: int = 0
    """In a project: attempts in which a critical check failed."""


class CaseView(Value):
    """A row of the matrix; its cells are in the order of the arms."""

    set: str
    id: str
    name: str
    category: str
    delta: float | None
    """First arm minus second over whole pairs of runs, where that was worked out."""

    cells: tuple[CellView, ...]


class SpreadView(Value):
    """A mean, and the standard deviation where there is one."""

    mean: float
    deviation: float | None


class MeasureView(Value):
    """Something that was measured of every arm."""

    name: str
    unit: Unit
    by_arm: dict[str, SpreadView | None]
    delta: float | None


class SetView(Value):
    """The ranking on one of several baselines."""

    id: str
    name: str
    version: str
    total_cases: int
    arms: tuple[ArmView, ...]


class FindingView(Value):
    """Something that a person should know before believing the numbers."""

    kind: str
    case: str | None
    arm: str | None
    check: str | None
    text: str


class MissingView(Value):
    """A run that was planned and has no result."""

    case: str
    arm: str
    attempt: int
    reason: str


class LegView(Value):
    """A comparison by one engine and model: the one of a project, one of several of a suite."""

    engine: EngineView
    iteration: int | None
    status: str
    attempts: int
    """Planned for each arm and case."""

    scale: float
    """What a perfect score is: 1 or 100. Means, differences and intervals are on it."""

    weights: dict[str, float]
    """How much the parts of the score count, where it has parts."""

    verdicts: tuple[VerdictCard, ...]
    """Neighbours in the ranking; empty while it is under way: who looks again and again sees one
    by chance."""

    arms: tuple[ArmView, ...]
    """Best first where they are ranked; else the skill, then what it is held against."""

    sets: tuple[SetView, ...]
    measures: tuple[MeasureView, ...]
    dimensions: tuple[DimensionScale, ...]
    columns: tuple[str, ...]
    """The arms in the order of the cells."""

    cases: tuple[CaseView, ...]
    total_cases: int
    findings: tuple[FindingView, ...]
    missing: tuple[MissingView, ...]
    notes: tuple[str, ...]
    statistics: EvalStatistics | None


class ExperimentView(Value):
    """All of an experiment that a person sees at once; its cases come in pages."""

    kind: Kind
    id: str
    name: str
    description: str
    status: Status
    control: str | None
    error: str | None
    simulated: bool | None
    partial: bool
    """Whether something is still to come, or is lost."""

    failed: Literal["all", "some"] | None = None
    """Marks a completed project in which every trial failed, or some came to no answer."""

    started_at: str | None
    ended_at: str | None
    judges: tuple[str, ...]
    repeats: int | None
    progress: ProgressView | None
    cost: CostView
    legs: tuple[LegView, ...]
    warnings: tuple[str, ...]
    page: int
    """Of the cases of every leg; pages begin with 1."""

    page_size: int

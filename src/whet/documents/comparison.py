"""Two skills, or two versions of one, on the same cases; made by queries, never stored.

A difference is always left minus right. Scores are points of 100.
"""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.environment import FieldDifference
from whet.documents.verdict import Interval, Verdict

LeftOutReason = Literal[
    "only_left",
    "only_right",
    "other_input",
    "other_expected_output",
    "other_grading",
    "no_weight",
]
"""Why a case is not compared: one side does not have it, the two projects have it in different
words, with other checks or another rubric, or it counts for nothing."""


class ComparedSide(Document):
    """A version of a skill in a project."""

    project_id: str
    project_name: str
    skill_id: str
    skill_name: str
    skill_version: str


class CaseStanding(Document):
    """What the attempts of one skill at one case came to."""

    average: Number | None
    """Over the attempts with a score; null without any."""

    scored: int
    failed: int
    unscored: int
    """Completed, but without a usable score."""

    missing: int
    """Skipped, or without a result so far."""


class ComparedCase(Document):
    """One case on both sides."""

    baseline_id: str
    case_id: str
    name: str
    category: str
    weight: Number
    left: CaseStanding
    right: CaseStanding
    delta: Number | None
    outcome: Literal["win", "loss", "tie", "unpaired"]
    """For the left side; unpaired where a side has no score."""


class LeftOutCase(Document):
    """A case that is not compared, and why."""

    baseline_id: str
    case_id: str
    name: str
    reason: LeftOutReason


class ScoreDifference(Document):
    """Averages over the cases that both sides have a score for, and what that allows to say."""

    left: Number | None
    right: Number | None
    verdict: Verdict


class DimensionDifference(ScoreDifference):
    """One dimension of a rubric, on its own scale.

    All dimensions are one family: the label is what stands after Holm's correction and the
    p-value is the adjusted one. The interval is that of the dimension by itself.
    """

    name: str
    maximum: Number


class ResourceDifference(Document):
    """What a case takes on average, over the cases for which both sides know it.

    All cases count alike, failed attempts too. There is no label: less is not always better.
    """

    left: Number
    right: Number
    delta: Number
    interval: Interval | None
    n_cases: int


class SkillComparison(Document):
    """Everything that two sides have to say about each other."""

    left: ComparedSide
    right: ComparedSide
    simulated: bool
    """Whether an agent or a judge of either side was a simulated one."""

    score: ScoreDifference
    failed_as_zero: ScoreDifference
    """The same with every failed attempt as a zero: over all cases that were tried by both."""

    wins: int
    losses: int
    ties: int
    unpaired: int
    same_trials: int
    """Cases in which both sides are the very same trials, so that nothing was compared."""

    dimensions: Items[DimensionDifference]
    duration_ms: ResourceDifference | None
    tokens: ResourceDifference | None
    """Read and written, without those from a cache."""

    cost_usd: ResourceDifference | None
    cases: Items[ComparedCase]
    left_out: Items[LeftOutCase]
    environment: Items[FieldDifference]
    """What else differs between the two projects; empty within one."""

    problems: Items[str]
    """Results that could not be read or believed, each with the reason."""

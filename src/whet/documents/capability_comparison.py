"""Capability runs side by side; made by queries, never stored.

The first run is the reference. A difference is always the other run minus the reference, so that
what got better is positive. Scores are points of 100.
"""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.capability import Dimension, ItemStatus, RunStatus
from whet.documents.environment import FieldDifference
from whet.documents.verdict import Verdict

Change = Literal[
    "newly_passed",
    "newly_failed",
    "still_passed",
    "still_failed",
    "not_measured",
    "other_prompt",
    "only_reference",
    "only_run",
]
"""What became of a case. ``not_measured`` was skipped or cancelled on a side; ``other_prompt`` has
the same id and asks for something else. An error is no pass."""


class ComparedRun(Document):
    """A run, and what it came to."""

    run_id: str
    model_name: str
    language: str | None
    status: RunStatus
    case_set: str
    case_set_digest: str | None
    started_at: str
    total_score: Number | None
    dimension_scores: dict[Dimension, Number | None]
    counts: dict[str, int] | None
    measured_cases: int | None = None
    """How many of the ``total`` of ``counts`` the scores rest on."""

    simulated: bool | None


class Standing(Document):
    """A case in one run."""

    status: ItemStatus
    score: Number | None
    session_id: str | None = None


class ComparedItem(Document):
    """One case on both sides; null where a side does not have it."""

    case_id: str
    dimension: Dimension
    weight: Number
    change: Change
    reference: Standing | None
    run: Standing | None


class CapabilityDifference(Document):
    """Weighted means over the cases that both runs measured, and what they allow to say."""

    reference: Number | None
    run: Number | None
    verdict: Verdict


class DimensionDifference(CapabilityDifference):
    """One dimension.

    All dimensions are one family: the label is what stands after Holm's correction and the p-value
    is the adjusted one. The interval is that of the dimension by itself.
    """

    dimension: Dimension


class RunDifference(Document):
    """One run against the reference."""

    run_id: str
    reference_id: str
    total: CapabilityDifference
    """Each case with its share of the total, by the dimension weights of the reference."""

    dimensions: Items[DimensionDifference]
    changes: dict[Change, int]
    """How many cases there are of each."""

    cases: Items[ComparedItem]
    environment: Items[FieldDifference]
    """What else differs: ``left`` is the reference, ``right`` the run."""

    warnings: Items[str]
    """Why the two may not be alike enough to be compared."""


class RunComparison(Document):
    """Two or more runs."""

    runs: Items[ComparedRun]
    """The reference comes first."""

    differences: Items[RunDifference]

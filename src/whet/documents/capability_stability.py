"""The same cases run several times: what comes out alike, and what does not; never stored."""

from whet.documents.base import Document, Items, Number
from whet.documents.capability import Dimension, ItemStatus
from whet.documents.capability_comparison import ComparedRun


class ScoreRange(Document):
    """Scores of several runs, in points of 100; null where none has one."""

    low: Number | None
    high: Number | None
    mean: Number | None


class UnstableCase(Document):
    """A case that did not come to the same in every run; lists are in the order of the runs."""

    case_id: str
    dimension: Dimension
    flips: bool
    """Whether it passed in some and not in others; else only its score differs."""

    statuses: Items[ItemStatus]
    scores: Items[Number | None]


class Agreement(Document):
    """How many cases came to the same in every run; only those count that every run measured."""

    cases: int
    flips: int
    same_score: int
    """Cases with the same score every time."""

    agreement: Number | None
    """The share of cases that pass every time or never; null without cases."""

    score: ScoreRange
    """Of the runs as they tell it."""


class DimensionAgreement(Agreement):
    """One dimension."""

    dimension: Dimension


class Stability(Document):
    """Several runs of the same set."""

    runs: Items[ComparedRun]
    stable: bool
    """Whether every case that was compared has the same score every time."""

    total: Agreement
    dimensions: Items[DimensionAgreement]
    unstable: Items[UnstableCase]
    left_out: Items[str]
    """Cases that not every run measured, or that asked for something else."""

    warnings: Items[str]
    """Why the runs may not be alike enough to be compared."""

"""What a comparison allows us to say, wherever a document says it."""

from typing import Literal

from whet.documents.base import Document, Items, Number

Label = Literal["better", "worse", "no_difference", "inconclusive"]


class Interval(Document):
    """A range that covers the truth with the stated confidence."""

    low: Number
    high: Number
    level: Number
    method: str


class Verdict(Document):
    """Whether one side is better than the other, and how sure that is."""

    label: Label
    delta: Number | None
    interval: Interval | None
    n_cases: int
    n_runs: int | None = None
    """The runs that count, on both sides together."""

    trials: int | None = None
    """All runs with a result, also those of pairs that do not count."""

    cost_usd: Number | None = None
    smallest_detectable_effect: Number | None = None
    """The true effect that a run like this one would have called with a chance of 80 %."""

    p_value: Number | None = None
    words: str | None = None
    """The same for people, in one or two sentences."""

    excluded: Items[str] | None = None
    """The pairs of runs that count for neither side, each with the reason."""

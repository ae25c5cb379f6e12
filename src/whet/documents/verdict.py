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


class VerdictOnThese(Document):
    """What may be said of these cases and no others: the cases are fixed, their runs the sample.

    The difference is that of the verdict it stands in.
    """

    label: Label
    interval: Interval | None
    p_value: Number | None = None
    smallest_detectable_effect: Number | None = None
    needs: Literal["repeats"] | None = None
    """What is missing to say anything: every case has to be run more often."""

    runs_needed: int | None = None
    """Runs of each case that would settle an effect of the size that was seen, where that is
    open."""


class Verdict(Document):
    """Whether one side is better than the other on cases like these, and how sure that is."""

    label: Label
    delta: Number | None
    interval: Interval | None
    n_cases: int
    n_fixtures: int | None = None
    """What the cases share, where they are not independent: the units of chance."""

    n_runs: int | None = None
    """The runs that count, on both sides together."""

    trials: int | None = None
    """All runs with a result, also those of pairs that do not count."""

    cost_usd: Number | None = None
    smallest_detectable_effect: Number | None = None
    """The true effect that a run like this one finds with a chance of 80 %, on cases like these."""

    p_value: Number | None = None
    needs: Literal["cases"] | None = None
    """What is missing to say anything of cases like these: more of them, and not more runs."""

    cases_needed: int | None = None
    """Cases that would settle an effect of the size that was seen, where that is open."""

    on_these: VerdictOnThese | None = None
    """The same question for these cases alone; null where documents of older versions lack it."""

    words: str | None = None
    """The same for people, in a few sentences."""

    excluded: Items[str] | None = None
    """The pairs of runs that count for neither side, each with the reason."""

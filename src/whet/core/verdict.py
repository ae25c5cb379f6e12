"""Verdicts: what a comparison allows us to say."""

from typing import Literal

from whet.core.value import Value

Label = Literal["better", "worse", "no_difference", "inconclusive"]


class Interval(Value):
    """A range that covers the truth with the stated confidence."""

    low: float
    high: float
    level: float
    method: str


class VerdictOnThese(Value):
    """What may be said of these cases and no others: the cases are fixed, their runs the sample.

    ``needs`` is "repeats" where cases were run too seldom to say anything. ``runs_needed`` is how
    many runs of each case would settle an effect of the size that was seen, where that is open.
    """

    label: Label
    interval: Interval | None
    p_value: float | None = None
    smallest_effect: float | None = None
    needs: Literal["repeats"] | None = None
    runs_needed: int | None = None


class Verdict(Value):
    """Whether one arm is better than another on cases like these, and how sure that is.

    ``on_these`` says the same of these cases only; the difference is the same in both scopes.
    ``smallest_effect`` is the true effect that such a comparison finds with a chance of 80 %.
    ``needs`` is "cases" where there are too few to say anything in this scope. ``cases_needed`` is
    how many would settle an effect of the size that was seen, where that is open.
    """

    label: Label
    delta: float | None
    interval: Interval | None
    n_cases: int
    n_fixtures: int | None = None
    """What the cases share, where they are not independent: the units of chance."""

    p_value: float | None = None
    smallest_effect: float | None = None
    needs: Literal["cases"] | None = None
    cases_needed: int | None = None
    on_these: VerdictOnThese | None = None

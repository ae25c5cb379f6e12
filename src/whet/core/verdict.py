"""Verdicts: what a comparison allows us to say."""

from typing import Literal

from whet.core.value import Value


class Interval(Value):
    """A range that covers the truth with the stated confidence."""

    low: float
    high: float
    level: float
    method: str


class Verdict(Value):
    """Whether one arm is better than another, and how sure that is.

    ``smallest_effect`` is the true effect that such a comparison calls with a chance of 80 %:
    None where no effect could have been called.
    """

    label: Literal["better", "worse", "no_difference", "inconclusive"]
    delta: float | None
    interval: Interval | None
    n_cases: int
    p_value: float | None = None
    smallest_effect: float | None = None

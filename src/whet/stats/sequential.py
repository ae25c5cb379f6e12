"""Looking while an experiment runs, and stopping when it is clear, without fooling oneself.

A bettor starts with 1 and bets against "the mean is μ". If that is so, the capital is a
nonnegative martingale: it ever reaches x with a chance of 1 / x at most, whenever one looks
(Ville). The values of μ against which it has not reached 2 / α form the confidence sequence
(Waudby-Smith and Ramdas). It holds for any distribution within the bounds.
"""

import math
from collections.abc import Sequence

from whet.stats.intervals import Range
from whet.stats.paired import Label

_BETS = tuple(0.95 * 0.6**k for k in range(5))
"""Shares of the capital, from bold to timid."""

_STAKES = (0.4, 0.2, 0.15, 0.15, 0.1)
"""What each bet gets of the capital to start with. Scores differ little beside their bound, and
the boldest bet is then the best one."""

_HALVINGS = 40


class Wager:
    """The capital of a bettor who thinks that the mean of *x* exceeds *against*.

    Each bet c multiplies its part by 1 + c (x − μ) / (bound + μ), which cannot be negative for
    −bound ≤ x ≤ bound. Bet on −x for the other side. ``capital`` is what 1 has become (the
    e-value), ``best`` the most it was at any look. Much is evidence that the mean is larger.
    """

    def __init__(self, against: float, bound: float) -> None:
        if not -bound < against < bound:
            raise ValueError(f"a mean of {against} does not lie within ±{bound}")
        self._against, self._bound = against, bound
        self._purses = list(_STAKES)
        self.best = self.capital = 1.0

    def add(self, x: float, weight: float = 1.0, *, look: bool = True) -> None:
        """See one more value; *weight* is the part of the usual bet that it is worth."""
        gain = weight * (x - self._against) / (self._bound + self._against)
        self._purses = [
            purse * (1 + bet * gain) for purse, bet in zip(self._purses, _BETS, strict=True)
        ]
        self.capital = math.fsum(self._purses)
        if look:
            self.best = max(self.best, self.capital)


class Sequential:
    """Paired differences, one after another; every look is allowed, and any time to stop.

    *bound* is the largest difference there can be: 1 for rates, 100 for scores of 0 to 100.
    *margin* is the difference that does not matter; without it there is no "no difference".
    Add one difference for each new case, in an order that does not depend on the results. For
    further runs of cases that were chosen for their results, see ``weighted``.

    Further runs of *all* cases can be added without weighing, round by round, with a look after
    each whole round of all cases (``look=False`` before that). If the effects δ of the cases are
    zero on average, a round multiplies each bet by Π (1 + c δ) in expectation, which is 1 at most:
    a geometric mean never exceeds the arithmetic one. From the end of the first round on, the
    statement is then about these cases, and what was won before may stay in the game: whichever
    of the two statements is made, it is wrong one time in twenty at most (see
    ``docs/statistics.md``).

    Not for values without known bounds, and not for tiny effects on a wide scale: a t interval
    at a fixed number of cases sees those with less.
    """

    def __init__(self, bound: float, *, margin: float = 0.0, level: float = 0.95) -> None:
        if not 0 < level < 1:
            raise ValueError(f"a level strictly between 0 and 1 is needed, not {level}")
        if not (0 < bound < math.inf and 0 <= margin < bound):
            raise ValueError(f"needs 0 <= margin < bound, not margin {margin}, bound {bound}")
        self._bound, self._margin = bound, margin
        self._limit = 2 / (1 - level)
        self._values: list[tuple[float, float]] = []
        self._up, self._down = Wager(0.0, bound), Wager(0.0, bound)
        self._not_below, self._not_above = Wager(-margin, bound), Wager(-margin, bound)

    def add(self, difference: float, weight: float = 1.0, *, look: bool = True) -> Label:
        """See one more difference; the verdict at the last look.

        Cases that share a fixture are one unit of chance: add their mean difference, with their
        number by the largest number of any fixture as the *weight*.
        """
        if not abs(difference) <= self._bound:
            raise ValueError(f"a difference of {difference} is beyond the bound {self._bound}")
        if not 0 < weight <= 1:
            raise ValueError(f"a weight must lie above 0 and not above 1, not {weight}")
        self._values.append((difference, weight))
        self._up.add(difference, weight, look=look)
        self._down.add(-difference, weight, look=look)
        if self._margin > 0:
            self._not_below.add(difference, weight, look=look)
            self._not_above.add(-difference, weight, look=look)
        return self.label

    @property
    def label(self) -> Label:
        """What may be said; once it is better or worse, it stays so."""
        if self._up.best >= self._limit or self._down.best >= self._limit:
            return "better" if self._up.best >= self._down.best else "worse"
        inside = min(self._not_below.best, self._not_above.best) >= self._limit
        return "no_difference" if self._margin > 0 and inside else "inconclusive"

    @property
    def p_value(self) -> float:
        """A p-value of "no difference" that is valid at every look; it never rises."""
        return min(1.0, 2 / max(self._up.best, self._down.best))

    def interval(self) -> Range:
        """The confidence sequence now: covers the truth at all looks together."""
        low = self._least(self._values)
        high = -self._least([(-value, weight) for value, weight in self._values])
        # What an earlier look has excluded stays excluded.
        if self._up.best >= self._limit:
            low = max(low, 0.0)
        if self._down.best >= self._limit:
            high = min(high, 0.0)
        return Range(min(low, high), max(low, high))

    def _least(self, values: Sequence[tuple[float, float]]) -> float:
        """The smallest mean that is not excluded; the capital falls as the mean grows."""
        low, high = -self._bound, self._bound
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self._excluded(values, middle):
                low = middle
            else:
                high = middle
        return low

    def _excluded(self, values: Sequence[tuple[float, float]], mean: float) -> bool:
        gains = [weight * (value - mean) / (self._bound + mean) for value, weight in values]
        purses = (
            stake * math.prod(1 + bet * gain for gain in gains)
            for stake, bet in zip(_STAKES, _BETS, strict=True)
        )
        return math.fsum(purses) >= self._limit


def sampling_shares(spreads: Sequence[float], even: float = 0.5) -> list[float]:
    """How often each case should get the next run: more where the noise is.

    A share *even* of all runs goes to all cases alike, the rest in proportion to *spreads* (the
    standard deviations so far). Draw the next case by these shares and pass its difference
    through ``weighted``: then any choice of spreads stays valid.
    """
    if not spreads or not all(0 <= spread < math.inf for spread in spreads):
        raise ValueError("every case needs a spread of 0 or more")
    if not 0 < even <= 1:
        raise ValueError(f"the even share must lie above 0 and not above 1, not {even}")
    total, n = math.fsum(spreads), len(spreads)
    if total == 0:
        return [1 / n] * n
    return [even / n + (1 - even) * spread / total for spread in spreads]


def weighted(difference: float, share: float, cases: int) -> float:
    """A difference of a case that was drawn with *share*, as an unbiased view of all cases.

    difference / (cases · share), at most difference / even in size: that is the ``bound`` to
    give to ``Sequential``. What it then speaks of are these cases, not others like them.
    """
    if not (0 < share <= 1 and cases >= 1):
        raise ValueError(f"a share of {share} among {cases} cases is impossible")
    return difference / (cases * share)

"""Which of many candidates is best: drop those that are clearly beaten, then measure anew."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from whet.stats.describe import mean

T = TypeVar("T")

_BETS = tuple(0.95 * 0.6**k for k in range(5))
"""Shares of the capital, from bold to timid."""

_STAKES = (0.4, 0.2, 0.15, 0.15, 0.1)
"""What each bet gets of the capital to start with. Scores differ little beside their bound, and
the boldest bet is then the best one."""


class Wager:
    """The capital of a bettor who thinks that the mean of *x* exceeds *against*.

    Each bet c multiplies its part by 1 + c (x − μ) / (bound + μ), which cannot be negative for
    −bound ≤ x ≤ bound. Bet on −x for the other side. ``capital`` is what 1 has become (the
    e-value). If the mean is *against*, it ever reaches x with a chance of 1 / x at most,
    whenever one looks (Ville), for any distribution within the bounds.
    """

    def __init__(self, against: float, bound: float) -> None:
        if not -bound < against < bound:
            raise ValueError(f"a mean of {against} does not lie within ±{bound}")
        self._against, self._bound = against, bound
        self._purses = list(_STAKES)
        self.capital = 1.0

    def add(self, x: float) -> None:
        """See one more value."""
        gain = (x - self._against) / (self._bound + self._against)
        self._purses = [
            purse * (1 + bet * gain) for purse, bet in zip(self._purses, _BETS, strict=True)
        ]
        self.capital = math.fsum(self._purses)


class Race:
    """Candidates that all get the same cases, one case after another.

    For each pair a bettor wagers that one beats the other. A candidate is dropped when the
    capital against it has reached (candidates − 1) / α. So the best one is dropped at any time
    with a chance of α at most, over the whole race. Candidates that are equal all stay:
    set a limit of cases.

    The winner's average here is flattered, as it was picked for being high. Report a new
    measurement on cases that were held out (``hold_out``), never this one.
    """

    def __init__(self, candidates: Sequence[str], bound: float, level: float = 0.95) -> None:
        if len(candidates) < 2 or len(set(candidates)) != len(candidates):
            raise ValueError("a race needs at least two candidates with different names")
        if not 0 < level < 1:
            raise ValueError(f"a level strictly between 0 and 1 is needed, not {level}")
        self._limit = (len(candidates) - 1) / (1 - level)
        self._bound = bound
        self._scores: dict[str, list[float]] = {name: [] for name in candidates}
        self._wagers = {(a, b): Wager(0.0, bound) for a in candidates for b in candidates if a != b}
        self.running = list(candidates)

    def add(self, scores: Mapping[str, float]) -> list[str]:
        """Give the scores of all running candidates at one case; those dropped by it."""
        missing = [name for name in self.running if name not in scores]
        if missing:
            raise ValueError(f"the case has no score of {', '.join(missing)}")
        gaps = {(a, b): scores[a] - scores[b] for a in self.running for b in self.running if a != b}
        if not all(abs(gap) <= self._bound for gap in gaps.values()):
            raise ValueError(f"a difference of scores is beyond the bound {self._bound}")
        for name in self.running:
            self._scores[name].append(scores[name])
        for pair, gap in gaps.items():
            self._wagers[pair].add(gap)
        beaten = {b for a, b in gaps if self._wagers[a, b].capital >= self._limit}
        dropped = [name for name in self.running if name in beaten]
        self.running = [name for name in self.running if name not in beaten]
        return dropped

    @property
    def leader(self) -> str | None:
        """The running candidate with the highest average so far; None before the first case."""
        if not self._scores[self.running[0]]:
            return None
        return max(self.running, key=lambda name: mean(self._scores[name]))


def hold_out(cases: Sequence[T], share: float = 0.5, seed: int = 0) -> tuple[list[T], list[T]]:
    """Split cases by chance into those to pick by and those to report by, in their order.

    The same cases and seed give the same split. Both parts get at least one case.
    """
    if len(cases) < 2 or not 0 < share < 1:
        raise ValueError("needs two cases, and a share strictly between 0 and 1")
    kept = min(max(round(len(cases) * share), 1), len(cases) - 1)
    held = set(Random(seed).sample(range(len(cases)), kept))
    picking = [case for index, case in enumerate(cases) if index not in held]
    return picking, [cases[index] for index in sorted(held)]

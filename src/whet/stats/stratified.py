"""The cases as they are: what their runs say of two arms on these cases, and no others.

Each case is a stratum. Its runs are exchangeable between the arms if the arms are the same there.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from whet.stats.describe import mean
from whet.stats.intervals import Range
from whet.stats.quantiles import normal_quantile, t_quantile, t_two_sided
from whet.stats.signflip import share_of_draws

_MOST_SUMS = 50_000
_POOL = 4096
_STEPS = 10**9
_HALVINGS = 30


class Stratum(NamedTuple):
    """One case: the runs of both arms, and the share of the whole that it counts for."""

    first: Sequence[float]
    second: Sequence[float]
    weight: float


class Estimate(NamedTuple):
    """An interval of the weighted mean difference, with the p-value that goes with it."""

    interval: Range
    p_value: float
    method: str


def can_convince(strata: Sequence[Stratum], level: float) -> bool:
    """Whether any outcome of so many runs could have a p-value of 1 − *level* or less."""
    ways = math.prod(math.comb(len(s.first) + len(s.second), len(s.first)) for s in strata)
    return 2 / ways <= 1 - level


def permutation_p(strata: Sequence[Stratum], *, seed: int = 0) -> float:
    """How often the mean difference is this far from zero if runs swap arms inside their case.

    Every way to share out the runs counts where that can be counted, otherwise drawn ones, 9,999
    where it is close.
    """
    seen = abs(math.fsum(s.weight * (mean(s.first) - mean(s.second)) for s in strata))
    scale = max((abs(x) for s in strata for x in (*s.first, *s.second)), default=0.0)
    if scale == 0:
        return 1.0
    # Each case's part is rounded to a step, so equal sums may be that many steps apart.
    limit = round(seen / scale * _STEPS) - len(strata) - 1
    outcomes = [_outcomes(s, scale, Random(f"{seed} {i}")) for i, s in enumerate(strata)]
    if all(is_whole for _, is_whole in outcomes):
        sums = _convolved([Counter(found) for found, _ in outcomes])
        if sums is not None:
            reached = sum(ways for total, ways in sums.items() if abs(total) >= limit)
            return reached / sum(sums.values())
    chance = Random(seed)

    def hits(draws: int) -> int:
        drawn = [chance.choices(found, k=draws) for found, _ in outcomes]
        return sum(abs(sum(draw)) >= limit for draw in zip(*drawn, strict=True))

    return share_of_draws(hits)


def score_estimate(strata: Sequence[Stratum], padding: float, level: float) -> Estimate:
    """For scores and shares: Student's interval with the noise of runs inside cases.

    The error is the sum of the cases' own variances. The degrees of freedom are Satterthwaite's,
    a little raised because the variances of few runs differ by chance, too. *padding* > 0 is for
    shares of expectations, whose runs may agree by chance: so much noise is always left.
    """
    delta = math.fsum(s.weight * (mean(s.first) - mean(s.second)) for s in strata)
    parts = _variances(strata)
    variance = math.fsum(part for part, _ in parts)
    df = float(sum(len(runs) - 1 for s in strata for runs in (s.first, s.second)))
    if variance > 0:
        df = min(df, 1 / math.fsum((part / variance) ** 2 / (free + 1) for part, free in parts))
    added = math.fsum(s.weight**2 / min(len(s.first), len(s.second)) for s in strata) / len(strata)
    variance += padding / 4 * added
    error = math.sqrt(variance)
    half = t_quantile((1 + level) / 2, max(1.0, df)) * error
    p_value = t_two_sided(delta / error, max(1.0, df)) if error > 0 else float(delta == 0)
    return Estimate(Range(delta - half, delta + half), p_value, "stratified t over runs")


def _variances(strata: Sequence[Stratum]) -> list[tuple[float, int]]:
    """What each case and arm adds to the variance of the difference, with its degrees of freedom.
    A case that was run once is taken to be as noisy as the others."""
    every = [(s.weight, runs) for s in strata for runs in (s.first, s.second)]
    squares = [math.fsum((x - mean(runs)) ** 2 for x in runs) for _, runs in every]
    freedom = [len(runs) - 1 for _, runs in every]
    pooled = math.fsum(squares) / max(1, sum(freedom))
    return [
        (weight**2 * (square / free if free else pooled) / len(runs), free or sum(freedom))
        for (weight, runs), square, free in zip(every, squares, freedom, strict=True)
    ]


def pass_estimate(strata: Sequence[Stratum], level: float) -> Estimate:
    """For runs that pass or fail: the stratified score interval of Miettinen and Nurminen."""
    counts = [_Counts.of(stratum) for stratum in strata]
    delta = math.fsum(c.weight * (c.first / c.n_first - c.second / c.n_second) for c in counts)
    limit = normal_quantile((1 + level) / 2)

    def distance(shift: float) -> float:
        variance = math.fsum(c.weight**2 * c.variance(shift) for c in counts)
        gap = abs(delta - shift)
        return gap / math.sqrt(variance) if variance > 0 else math.inf if gap else 0.0

    def end(far: float) -> float:
        return _boundary(lambda shift: distance(shift) <= limit, delta, far)

    p_value = math.erfc(distance(0.0) / math.sqrt(2))
    return Estimate(Range(end(-1.0), end(1.0)), p_value, "stratified score interval over runs")


class _Counts(NamedTuple):
    """How many runs of one case pass in both arms."""

    first: float
    n_first: int
    second: float
    n_second: int
    weight: float

    @classmethod
    def of(cls, stratum: Stratum) -> "_Counts":
        return cls(
            sum(stratum.first),
            len(stratum.first),
            sum(stratum.second),
            len(stratum.second),
            stratum.weight,
        )

    def variance(self, shift: float) -> float:
        """Of the difference of both rates, at the likeliest rates that are *shift* apart."""
        second = self._likeliest(shift)
        first = min(1.0, max(0.0, second + shift))
        n = self.n_first + self.n_second
        noise = first * (1 - first) / self.n_first + second * (1 - second) / self.n_second
        return noise * n / (n - 1)

    def _likeliest(self, shift: float) -> float:
        """The second rate: the root of a cubic, by the formula of its authors."""
        n, hits = self.n_first + self.n_second, self.first + self.second
        square = (self.n_first + 2 * self.n_second) * shift - n - hits
        linear = (self.n_second * shift - n - 2 * self.second) * shift + hits
        constant = self.second * shift * (1 - shift)
        third = square / (3 * n)
        q = third**3 - square * linear / (6 * n * n) + constant / (2 * n)
        p = math.copysign(math.sqrt(max(0.0, third**2 - linear / (3 * n))), q)
        ratio = q / p**3 if p else 0.0
        angle = (math.pi + math.acos(min(1.0, max(-1.0, ratio)))) / 3
        return min(1.0, max(0.0, 2 * p * math.cos(angle) - third))


def _boundary(inside: Callable[[float], bool], near: float, far: float) -> float:
    """Where a range that holds *near* ends on the way to *far*."""
    if inside(far):
        return far
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (middle, far) if inside(middle) else (near, middle)
    return near


def _outcomes(stratum: Stratum, scale: float, chance: Random) -> tuple[list[int], bool]:
    """What the case adds to the mean difference, for each way to share out its runs; drawn ones
    where there are too many, which is the second value."""
    runs, size = (*stratum.first, *stratum.second), len(stratum.first)
    total, rest = math.fsum(runs), len(stratum.second)
    step = stratum.weight / scale * _STEPS

    def outcome(chosen: Sequence[float]) -> int:
        part = math.fsum(chosen)
        return round((part / size - (total - part) / rest) * step)

    if math.comb(len(runs), size) <= _POOL:
        return [outcome(chosen) for chosen in combinations(runs, size)], True
    return [outcome(chance.sample(runs, size)) for _ in range(_POOL)], False


def _convolved(parts: Sequence[Counter[int]]) -> dict[int, int] | None:
    """The sums of one outcome of each part with the ways to get them; None if too many."""
    sums = {0: 1}
    for part in parts:
        if len(sums) * len(part) > _MOST_SUMS:
            return None
        grown: Counter[int] = Counter()
        for total, ways in sums.items():
            for more, times in part.items():
                grown[total + more] += ways * times
        sums = dict(grown)
    return sums

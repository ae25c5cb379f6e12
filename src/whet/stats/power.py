"""What an experiment can see, before it is run and after, by the rule that decides.

The smallest effect of a scope is the one that ``comparison.compare_runs`` finds in 80 % of
experiments. Before an experiment the spread is an assumption, after it an estimate; the sums are
the same.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from whet.stats.quantiles import t_quantile

POWER = 0.8
_CELLS = 400
_MOST_CASES = 1_000_000
_MOST_RUNS = 1_000
_MOST_STEPS = 100
_NORMAL = NormalDist()
_VETO = {6: 1.25, 7: 1.075, 8: 1.045, 9: 1.03, 10: 1.02, 11: 1.015, 12: 1.01}
"""How much larger an effect must be for the sign-flip test to agree with Student's, by the number
of cases: six cases all have to point the same way. By simulation, see ``bench/verdicts.py``."""


class Spread(NamedTuple):
    """How much is left to chance in a comparison.

    ``effect`` is the variance of the true effect between cases, ``noise`` that of one pair of
    runs (None if no case has two runs in both arms; it is then part of ``effect``). With R runs
    for each arm, a case's difference has the variance effect + noise / R. ``grain`` is how
    coarse the value of one run is (``comparison.grain_of``). ``runs`` and ``units`` are what was
    measured: runs of each case and arm, and independent cases or clusters.
    """

    effect: float
    noise: float | None
    grain: float = 0.0
    runs: float = 1.0
    units: int = 0

    def of_a_case(self, runs: float) -> float:
        """The variance of a case's difference with that many runs for each arm."""
        return self.effect + (self.noise or 0.0) / runs

    def padding(self, runs: float | None = None) -> float:
        """The variance that a coarse value of one of so many runs always leaves to chance.

        Expectations of one run may all stand and fall together, and a single run does not show
        whether they do. By simulation: with it intervals cover 93 to 98 % of three runs, and not
        less of one. See ``bench/verdicts.py``.
        """
        return self.grain ** (1.5 - 1 / (runs or self.runs))

    def with_grain(self, variance: float, units: int, runs: float | None = None) -> float:
        """A variance of so many units, and what coarse values always leave to chance."""
        return variance + self.padding(runs) / (2 * (runs or self.runs) * (units - 1))

    def single_runs(self, units: int) -> float:
        """The variance that intervals of coarse values leave to chance besides where cases were run
        once: values of −1, 0 and 1 alone say little of their spread. It costs no power, as the
        sign-flip test is the stricter one there. Reckoned, see ``tests/stats/test_single_runs.py``.
        """
        once = max(0.0, 2 - self.runs) * self.grain
        return once * self.padding() / (2 * self.runs * (units - 1))


class Design(NamedTuple):
    """Cases by runs for each arm, the trials of both arms, and what they can see in each scope."""

    cases: int
    runs: int
    trials: int
    like_these: float | None
    on_these: float | None


def power(effect: float, deviation: float, cases: int, level: float = 0.95) -> float:
    """The chance that Student's paired test calls a true *effect* (on its own side).

    P(T > t) for the noncentral t with n − 1 degrees of freedom and the shift effect / (sd / √n).
    *deviation* is the standard deviation of the case differences.
    """
    if not deviation > 0:
        raise ValueError(f"a standard deviation of {deviation} leaves nothing to chance")
    if cases < 2:
        return 0.0
    return _beyond(abs(effect) / deviation * math.sqrt(cases), cases - 1, (1 + level) / 2)


def smallest_like_these(
    spread: Spread, units: int, runs: float, level: float = 0.95
) -> float | None:
    """The smallest true effect that is found four times in five on cases like these.

    None with fewer cases than the sign-flip test needs, and where nothing is left to chance.
    """
    if 2.0 ** (1 - units) > 1 - level:
        return None
    variance = spread.with_grain(spread.of_a_case(runs), units, runs)
    if variance == 0:
        return None
    shift = _shift(units - 1, (1 + level) / 2, POWER) * _VETO.get(units, 1.0)
    # A tie does not point the same way, and of six cases all have to: by simulation two steps.
    steps = 2 if units == min(_VETO) else 1
    return shift * math.sqrt(variance / units) + steps * _step(spread, units, runs)


def smallest_on_these(spread: Spread, cases: int, runs: float, level: float = 0.95) -> float | None:
    """The smallest true effect that is found four times in five on these very cases.

    None without repeats, with so few runs that the permutation test cannot agree, and where
    runs never differ.
    """
    whole = int(runs)
    if whole < 2 or spread.noise is None:
        return None
    ways = math.comb(2 * whole, whole) ** min(cases, 20)
    if 2 / ways > 1 - level:
        return None
    variance = (spread.noise + spread.padding(runs) / (4 * cases)) / (cases * runs)
    if variance == 0:
        return None
    df = max(1, round(2 * cases * (runs - 1)))
    # By simulation: what the permutation test and the noise of the noise cost with few runs.
    veto = 1.2 if ways < 100 else 1.08 if ways < 500 or whole < 3 else 1.0
    shift = _shift(df, (1 + level) / 2, POWER) * veto
    return shift * math.sqrt(variance) + _step(spread, cases, runs)


def _step(spread: Spread, cases: int, runs: float) -> float:
    """By how much coarse values move the difference: a test counts the whole step it reached."""
    return spread.grain / (cases * runs)


def cases_needed(spread: Spread, effect: float, runs: float, level: float = 0.95) -> int | None:
    """The fewest cases like these with which *effect* is found four times in five; None if a
    million are too few, as for an effect of 0."""

    def finds(cases: int) -> bool:
        found = smallest_like_these(spread, cases, runs, level)
        return found is not None and found <= abs(effect)

    return _fewest(finds, 8, _MOST_CASES) if effect else None


def runs_needed(spread: Spread, effect: float, cases: int, level: float = 0.95) -> int | None:
    """The fewest runs of each of these cases with which *effect* is found four times in five;
    None where a thousand are too few."""

    def finds(runs: int) -> bool:
        found = smallest_on_these(spread, cases, runs, level)
        return found is not None and found <= abs(effect)

    return _fewest(finds, 2, _MOST_RUNS) if effect and spread.noise is not None else None


def _fewest(finds: Callable[[int], bool], guess: int, most: int) -> int | None:
    """The smallest number that *finds* accepts, as it does all larger ones; None above *most*."""
    low, high = 1, guess
    while not finds(high):
        if high >= most:
            return None
        low, high = high, min(high * 2, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if finds(middle) else (middle, high)
    return high


def design_table(spread: Spread, cases: Sequence[int], runs: Sequence[int]) -> list[Design]:
    """The smallest effects that each number of cases by runs can see."""
    return [
        Design(n, r, 2 * n * r, smallest_like_these(spread, n, r), smallest_on_these(spread, n, r))
        for n in cases
        for r in runs
    ]


@lru_cache(maxsize=4096)
def _shift(df: int, upper: float, wanted: float) -> float:
    """The shift of the noncentral t that exceeds the limit with the *wanted* chance.

    By Newton's rule: the chance grows with the shift, and ever more slowly beyond its middle.
    """
    if not 0 < wanted < 1:
        raise ValueError(f"a chance strictly between 0 and 1 is needed, not {wanted}")
    limit, cells = t_quantile(upper, df), _cells(df)
    shift = limit
    for _ in range(_MOST_STEPS):
        slope = math.fsum(_NORMAL.pdf(shift - limit * at) * weight for at, weight in cells)
        missing = wanted - math.fsum(
            _NORMAL.cdf(shift - limit * at) * weight for at, weight in cells
        )
        # A step from a flat place would lead far away.
        step = max(-limit, min(limit, missing / max(slope, 1e-12)))
        shift = max(0.0, shift + step)
        if abs(step) <= 1e-10 * limit:
            break
    return shift


def _beyond(shift: float, df: int, upper: float) -> float:
    """P(noncentral t > the t quantile of *upper*), by Simpson's rule over the spread.

    T = (Z + shift) / S with df · S² chi-squared, so P = ∫ Φ(shift − t s) f(s) ds.
    """
    limit = t_quantile(upper, df)
    return min(
        1.0, math.fsum(_NORMAL.cdf(shift - limit * at) * weight for at, weight in _cells(df))
    )


def _cells(df: int) -> list[tuple[float, float]]:
    """Places of the spread S, each with its density times its weight in Simpson's rule."""
    reach = 10 / math.sqrt(2 * df)
    low, high = max(0.0, 1 - reach), 1 + reach
    step = (high - low) / _CELLS
    constant = math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)

    def density(spread: float) -> float:
        if spread == 0:
            return math.exp(constant) if df == 1 else 0.0
        return math.exp(constant + (df - 1) * math.log(spread) - df * spread**2 / 2)

    places = [low + i * step for i in range(_CELLS + 1)]
    weights = [1 if i in (0, _CELLS) else 4 if i % 2 else 2 for i in range(_CELLS + 1)]
    return [
        (at, density(at) * weight * step / 3) for at, weight in zip(places, weights, strict=True)
    ]

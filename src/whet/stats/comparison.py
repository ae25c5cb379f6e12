"""Two arms over the same cases: what may be said of these cases, and of cases like these.

Two scopes, one difference. *On these cases* the cases are fixed and their runs are the sample, so
repeats are needed. *On cases like these* the cases are the sample, and repeats only make each of
them steadier: fewer than six cases say nothing, however often they are run.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple

from whet.stats.clustered import clustered_mean
from whet.stats.describe import mean, weighted_mean
from whet.stats.intervals import Range, weighted_error
from whet.stats.paired import Label, paired_differences, verdict
from whet.stats.power import Spread, smallest_like_these, smallest_on_these
from whet.stats.quantiles import t_quantile, t_two_sided
from whet.stats.signflip import sign_flip_p
from whet.stats.stratified import (
    Estimate,
    Stratum,
    can_convince,
    pass_estimate,
    permutation_p,
    score_estimate,
)
from whet.stats.variance import pair_noise

Runs = Sequence[Sequence[float]]
"""The values of one arm: for each case those of its runs."""

Needs = Literal["cases", "repeats"]

COMFORTABLE_CASES = 12
"""Cases with which the sign-flip test hardly costs anything any more."""

_EXACT = 9
"""Decimals of a mean of whole numbers, so that the mean of fives is five."""

PASS_OR_FAIL = 1.0
"""The grain of a run that either passes or fails."""


class Finding(NamedTuple):
    """What may be said in one scope.

    ``needs`` is what the design lacks to say anything at all in this scope. ``smallest_effect`` is
    the true effect that this rule finds in 80 % of such experiments: None where it finds none,
    or where runs that never differ leave nothing to reckon by.
    """

    label: Label
    interval: Range | None
    p_value: float | None
    smallest_effect: float | None
    method: str
    needs: Needs | None = None


class Comparison(NamedTuple):
    """Both scopes of one comparison; a positive difference is in favour of the first arm.

    ``discordant`` cases have a difference.
    """

    n_cases: int
    discordant: int
    delta: float
    like_these: Finding
    on_these: Finding
    spread: Spread


def fewest_cases(level: float = 0.95) -> int:
    """How many cases, or fixtures, "cases like these" needs: fewer never convince the test."""
    return math.ceil(1 - math.log2(1 - level))


def fewest_runs(cases: int) -> int:
    """Runs of each case without which nothing can be said of so many cases by themselves."""
    return {1: 4, 2: 3}.get(cases, 2)


def grain_of(expectations: float) -> float:
    """How coarse the value of a run is that is the share of so many expectations met: its step."""
    return PASS_OR_FAIL / max(1.0, expectations)


class Rule(NamedTuple):
    """What is asked of both scopes.

    *grain* is 0 for scores. It is 1 for runs that pass or fail and less for shares of several
    expectations (``grain_of``): such values agree by chance, so some spread is always left.
    *margin* is the difference that does not matter; without one nothing is "no difference".
    *share* is the part of the error that the interval of this look may use up: see ``looks``. The
    test has to agree at the whole level: few cases could never convince it of less.
    """

    grain: float = 0.0
    margin: float = 0.0
    share: float = 1.0
    level: float = 0.95

    @property
    def strict_level(self) -> float:
        """The level of an interval that may use up a share of the error."""
        return 1 - self.share * (1 - self.level)

    def finding(
        self,
        found: Estimate,
        exact_p: Callable[[], float],
        smallest_effect: float | None,
        name: str,
    ) -> Finding:
        """Let the test named *name* decide: without its consent the interval touches zero. It is
        asked only where the interval excludes zero."""
        interval = found.interval
        p_value = min(1.0, found.p_value / self.share)
        if p_value <= 1 - self.level:
            p_value = min(1.0, max(p_value, exact_p()))
        if p_value > 1 - self.level:
            interval = Range(min(interval.low, 0.0), max(interval.high, 0.0))
        return Finding(
            label=verdict(interval, self.margin),
            interval=interval,
            p_value=p_value,
            smallest_effect=smallest_effect,
            method=f"{found.method}, {name}",
        )


SCORES = Rule()
RATES = Rule(grain=PASS_OR_FAIL)


def compare_runs(
    first: Runs,
    second: Runs,
    rule: Rule = SCORES,
    *,
    weights: Sequence[float] | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Comparison:
    """Compare two arms, ``first[i]`` and ``second[i]`` being the runs of one case.

    One rule for every kind of value. *Like these*: Student's interval over case differences (the
    jackknife's with *weights*, cluster-robust with *clusters*) and the exact sign-flip test have
    to agree. *On these*: an interval over runs inside cases and the stratified permutation test
    have to agree. Where the test does not, the interval is stretched to touch zero, and the
    p-value is the test's, so label, interval and p-value never contradict each other.
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True)]
    if not pairs or not all(a and b for a, b in pairs):
        raise ValueError("every case needs a run in both arms, and there must be a case")
    if rule.grain and not all(0 <= x <= 1 for a, b in pairs for x in (*a, *b)):
        raise ValueError("shares must lie between 0 and 1")
    weights = None if weights is None or len(set(weights)) == 1 else weights
    if weights is not None and clusters is not None:
        raise ValueError("weights and clusters cannot be combined")
    differences = paired_differences([mean(a) for a, _ in pairs], [mean(b) for _, b in pairs])
    error = _error_over_cases(differences, weights, clusters)
    runs = round(len(pairs) / math.fsum(1 / min(len(a), len(b)) for a, b in pairs), _EXACT)
    noise = pair_noise(first, second)
    seen = error.deviation**2
    spread = Spread(max(0.0, seen - (noise or 0.0) / runs), noise, rule.grain, runs, error.units)
    return Comparison(
        n_cases=len(pairs),
        discordant=sum(d != 0 for d in differences),
        delta=error.delta,
        like_these=_like_these(error, spread, rule),
        on_these=_on_these(pairs, weights, spread, rule),
        spread=spread,
    )


def compare_cases(
    first: Sequence[float],
    second: Sequence[float],
    rule: Rule = SCORES,
    *,
    weights: Sequence[float] | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Comparison:
    """``compare_runs`` for cases that have one value in each arm."""
    one, other = [[x] for x in first], [[x] for x in second]
    return compare_runs(one, other, rule, weights=weights, clusters=clusters)


class _Error(NamedTuple):
    """The standard error of the difference over cases, and the units that it counts."""

    delta: float
    deviation: float
    """Of one unit: the error is this by the root of their number."""

    df: float
    signed: Sequence[float]
    """What each unit adds to the difference; their signs are chance if the arms are the same."""

    method: str

    @property
    def units(self) -> int:
        return len(self.signed)


def _error_over_cases(
    differences: Sequence[float],
    weights: Sequence[float] | None,
    clusters: Sequence[Hashable] | None,
) -> _Error:
    n = len(differences)
    if clusters is not None:
        return _error_over_clusters(differences, clusters)
    if weights is not None:
        delta, signed = (
            weighted_mean(differences, weights),
            [w * d for w, d in zip(weights, differences, strict=True)],
        )
        error = weighted_error(differences, weights) if n > 1 else 0.0
        return _Error(delta, error * math.sqrt(n), n - 1, signed, "weighted t over cases")
    delta = mean(differences)
    squares = math.fsum((d - delta) ** 2 for d in differences)
    deviation = math.sqrt(squares / (n - 1)) if n > 1 else 0.0
    return _Error(delta, deviation, n - 1, differences, "paired t over cases")


def _error_over_clusters(differences: Sequence[float], clusters: Sequence[Hashable]) -> _Error:
    """The cluster is the unit: its differences are added up, and flip their signs together."""
    sums: dict[Hashable, float] = defaultdict(float)
    for difference, cluster in zip(differences, clusters, strict=True):
        sums[cluster] += difference
    found = clustered_mean(differences, clusters)
    return _Error(
        delta=found.mean,
        deviation=(found.error or 0.0) * math.sqrt(len(sums)),
        df=found.df or 0,
        signed=list(sums.values()),
        method="cluster-robust paired t over cases",
    )


def _like_these(error: _Error, spread: Spread, rule: Rule) -> Finding:
    """The cases, or their clusters, are the sample."""
    if error.units < 2:
        return Finding("inconclusive", None, None, None, error.method, "cases")
    variance = spread.with_grain(error.deviation**2, error.units) + spread.single_runs(error.units)
    sigma = math.sqrt(variance / error.units)
    half = t_quantile((1 + rule.strict_level) / 2, error.df) * sigma
    p_value = t_two_sided(error.delta / sigma, error.df) if sigma else float(error.delta == 0)
    interval = Range(error.delta - half, error.delta + half)
    smallest = smallest_like_these(spread, error.units, spread.runs, rule.level)
    found = rule.finding(
        Estimate(interval, p_value, error.method),
        lambda: sign_flip_p(error.signed),
        smallest,
        "exact sign-flip test",
    )
    if error.units < fewest_cases(rule.level):
        return found._replace(label="inconclusive", needs="cases")
    return found


def _on_these(
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]],
    weights: Sequence[float] | None,
    spread: Spread,
    rule: Rule,
) -> Finding:
    """The cases are fixed; their runs are the sample."""
    method = "stratified permutation test"
    total = math.fsum(weights) if weights else len(pairs)
    counted = weights or [1.0] * len(pairs)
    strata = [Stratum(a, b, weight / total) for (a, b), weight in zip(pairs, counted, strict=True)]
    if spread.noise is None:
        return Finding("inconclusive", None, None, None, method, "repeats")
    is_binary = spread.grain > 0 and all(x in (0, 1) for a, b in pairs for x in (*a, *b))
    if is_binary:
        found = pass_estimate(strata, rule.strict_level)
    else:
        found = score_estimate(strata, spread.padding(), rule.strict_level)
    smallest = smallest_on_these(spread, len(pairs), spread.runs, rule.level)
    finding = rule.finding(found, lambda: permutation_p(strata), smallest, method)
    if not can_convince(strata, rule.level):
        return finding._replace(label="inconclusive", needs="repeats")
    return finding

"""Two arms over the same cases: the verdict, and how sure it is.

The case is the unit: repeats are averaged inside a case before anything here sees them.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

from whet.stats.clustered import clustered_mean
from whet.stats.describe import mean, standard_deviation
from whet.stats.intervals import Range, t_interval
from whet.stats.paired import Label, paired_difference, paired_differences, verdict
from whet.stats.power import smallest_effect
from whet.stats.signflip import sign_flip_p

Kind = Literal["score", "rate"]

_DIGITS = 9
"""To which sizes are the same, as parts of the largest."""


class Comparison(NamedTuple):
    """What two arms over the same cases allow us to say; positive is in favour of the first.

    ``discordant`` cases have a difference. ``smallest_effect`` is the true effect that a run
    like this one calls with a chance of 80 %: None where no effect could have been called.
    """

    label: Label
    n_cases: int
    discordant: int
    delta: float
    interval: Range | None
    p_value: float | None
    smallest_effect: float | None
    method: str


def compare_cases(
    first: Sequence[float],
    second: Sequence[float],
    *,
    kind: Kind = "score",
    margin: float = 0.0,
    level: float = 0.95,
    clusters: Sequence[Hashable] | None = None,
) -> Comparison:
    """Compare the case averages of two arms, ``first[i]`` and ``second[i]`` being one case.

    *Scores* get Student's paired interval. *Rates* (passes between 0 and 1) get it after one
    made-up case won by each side is added (the rule of Bonett and Price), so that few cases
    which happen to agree make no certainty. With *clusters* the interval is cluster-robust.

    Where most differences repeat, as rates and whole-number scores do, the exact sign-flip test has
    to agree: if its p-value exceeds 1 − level, the interval is stretched to touch zero. So
    neither better nor worse is said of fewer than six such cases that differ, and nothing at all
    of fewer than six cases.

    No difference is said only if the interval lies within the *margin* that does not matter.
    Not for arms that were tried on different cases, nor to look again and again while an
    experiment runs: see ``sequential``.
    """
    differences = paired_differences(first, second)
    if kind == "rate" and not all(0 <= rate <= 1 for rate in (*first, *second)):
        raise ValueError("rates must lie between 0 and 1")
    found = _estimate(differences, kind, level, clusters)
    return _comparison(differences, found, kind, margin, level)


def compare_rates(
    first: Sequence[float],
    second: Sequence[float],
    weights: Sequence[float],
    *,
    level: float = 0.95,
) -> Comparison:
    """Compare rates of cases that do not all count alike: what is said is about weighted averages.

    As ``compare_cases`` does; the case that is made up for each side has the average weight.
    """
    if not all(0 <= rate <= 1 for rate in (*first, *second)):
        raise ValueError("rates must lie between 0 and 1")
    share = len(weights) / sum(weights)
    plain = paired_differences(first, second)
    differences = [d * weight * share for d, weight in zip(plain, weights, strict=True)]
    return _comparison(differences, _estimate(differences, "rate", level, None), "rate", 0.0, level)


def in_points(found: Comparison, points: float) -> Comparison:
    """What was said of rates, where 1 is so many *points*."""
    interval, effect = found.interval, found.smallest_effect
    return found._replace(
        delta=found.delta * points,
        interval=interval and Range(interval.low * points, interval.high * points),
        smallest_effect=None if effect is None else effect * points,
    )


def _comparison(
    differences: Sequence[float], found: "_Estimate", kind: Kind, margin: float, level: float
) -> Comparison:
    if kind == "rate" or _repeats(found.units):
        found = _exact(found, kind, level)
    return Comparison(
        label="inconclusive" if found.too_few else verdict(found.interval, margin),
        n_cases=len(differences),
        discordant=sum(d != 0 for d in differences),
        delta=mean(differences),
        interval=found.interval,
        p_value=found.p_value,
        smallest_effect=_could_see(found, kind, level),
        method=found.method,
    )


class _Estimate(NamedTuple):
    """An interval with what it rests on: the independent units, and their spread."""

    interval: Range | None
    p_value: float | None
    deviation: float
    units: Sequence[float]
    method: str
    too_few: bool = False


def _estimate(
    differences: Sequence[float],
    kind: Kind,
    level: float,
    clusters: Sequence[Hashable] | None,
) -> _Estimate:
    if clusters is not None:
        return _clustered(differences, clusters, kind, level)
    if kind == "score":
        found = paired_difference(differences, [0.0] * len(differences), level)
        return _Estimate(found.interval, found.p_value, found.spread, differences, "paired t")
    mean(differences)
    padded = [*differences, 1.0, -1.0]
    interval = _cut(t_interval(padded, level)) if len(differences) > 1 else None
    deviation = standard_deviation(padded)
    return _Estimate(interval, None, deviation, differences, "paired t with a case for each side")


def _clustered(
    differences: Sequence[float], clusters: Sequence[Hashable], kind: Kind, level: float
) -> _Estimate:
    """The cluster is the unit: its differences are added up, and flip their signs together."""
    sums: dict[Hashable, float] = defaultdict(float)
    for difference, cluster in zip(differences, clusters, strict=True):
        sums[cluster] += difference
    units = list(sums.values())
    method = "cluster-robust paired t"
    found = clustered_mean(differences, clusters, level)
    if found.error is None:
        return _Estimate(None, None, 0.0, units, method)
    deviation, interval = found.error * math.sqrt(len(units)), found.interval
    if kind == "rate":
        labels = [*((True, cluster) for cluster in clusters), (False, 1), (False, -1)]
        padded = clustered_mean([*differences, 1.0, -1.0], labels, level)
        interval = _cut(padded.interval)
        method += " with a case for each side"
    return _Estimate(interval, found.p_value, deviation, units, method)


def _exact(found: _Estimate, kind: Kind, level: float) -> _Estimate:
    """Let the sign-flip test decide: without its consent the interval touches zero."""
    if found.interval is None:
        return found
    flipped = sign_flip_p(found.units)
    interval = found.interval
    if flipped > 1 - level:
        interval = Range(min(interval.low, 0.0), max(interval.high, 0.0))
    return found._replace(
        interval=interval,
        p_value=flipped if kind == "rate" else max(flipped, found.p_value or 0.0),
        method=f"{found.method}, exact sign-flip test",
        too_few=2.0 ** (1 - len(found.units)) > 1 - level,
    )


def _could_see(found: _Estimate, kind: Kind, level: float) -> float | None:
    if found.too_few or found.interval is None:
        return None
    effect = smallest_effect(found.deviation, len(found.units), level)
    return None if kind == "rate" and effect is not None and effect > 1 else effect


def _repeats(differences: Sequence[float]) -> bool:
    """Whether most sizes occur twice, as they hardly do where differences are continuous.

    One point of 1 to 5 is not the same number from 4 to 5 as from 3 to 4, in the last digits.
    """
    largest = max(map(abs, differences)) or 1.0
    sizes = {round(abs(difference) / largest, _DIGITS) for difference in differences}
    return 2 * len(sizes) <= len(differences) + 1


def _cut(interval: Range | None) -> Range | None:
    """Differences of rates end at −1 and 1."""
    return interval and Range(max(-1.0, interval.low), min(1.0, interval.high))

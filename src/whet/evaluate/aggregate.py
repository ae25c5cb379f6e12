"""From settled places to standings: average inside a case first, then over cases.

A failed attempt is not a score, and it is not forgotten: it counts in ``failed_cases`` and as
zero in ``failed_as_zero``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from whet.core.arm import Arm
from whet.core.verdict import Interval, Verdict
from whet.evaluate.case_score import CaseScore, case_score, deciding_checks, scale
from whet.evaluate.experiment import Row
from whet.evaluate.verdict_values import LEVEL, NOTHING, as_verdict
from whet.stats.comparison import Rule, Runs, compare_runs, grain_of
from whet.stats.describe import mean, weighted_mean
from whet.stats.intervals import Range, weighted_interval

PERCENT = 100
_EXACT = 9
"""Decimals of points."""

CaseKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """What is counted of a settled place."""

    arm: Arm
    case: CaseKey
    attempt: int
    status: str
    weight: float
    scored: CaseScore
    scale: str = ""
    """What the score is made of: the name of a rubric, or ``none`` for checks alone."""

    deciding_checks: int = 0
    """How many checks the score is the share of; 0 where a rubric decides."""


def placed(row: Row) -> Placed:
    """A row as it is counted."""
    case = row.cell.case
    return Placed(
        arm=row.cell.arm,
        case=(case.set, case.id),
        attempt=row.cell.attempt,
        status=row.status,
        weight=case.standard.weight,
        scored=case_score(row.grade, case.standard),
        scale=scale(case.standard),
        deciding_checks=deciding_checks(case.standard),
    )


@dataclass
class _CaseTally:
    """What the attempts of one arm at one case came to."""

    scores: dict[int, float] = field(default_factory=dict[int, float])
    dimensions: dict[int, dict[str, float]] = field(default_factory=dict[int, dict[str, float]])
    completed: int = 0
    failed: int = 0
    settled: int = 0
    weight: float = 1
    scale: str = ""
    deciding_checks: int = 0
    check_rates: dict[int, float] = field(default_factory=dict[int, float])
    has_failed_gate: bool = False

    def add(self, place: Placed) -> None:
        self.weight, self.scale = place.weight, place.scale
        self.deciding_checks = place.deciding_checks
        self.settled += 1
        if place.status == "completed":
            self.completed += 1
        elif place.status == "failed":
            self.failed += 1
        found = place.scored
        if found.check_pass_rate is not None:
            self.check_rates[place.attempt] = found.check_pass_rate
            self.has_failed_gate |= found.gate_passed is False
        if found.score is not None:
            self.scores[place.attempt] = found.score * PERCENT
            self.dimensions[place.attempt] = {**found.dimensions}

    def all_scores(self) -> list[float]:
        return [self.scores[attempt] for attempt in sorted(self.scores)]

    def average(self) -> float:
        return mean(self.all_scores())

    def average_with_failures(self) -> float:
        return mean([*self.scores.values(), *[0.0] * self.failed])


@dataclass(frozen=True)
class Standing:
    """Where an arm stands; averages are on a scale of 0 to 100, None without any score."""

    rank: int
    arm: Arm
    average: float | None
    interval: Interval | None
    breakdown: dict[str, float]
    completed_cases: int
    failed_cases: int
    unscored_cases: int
    failed_as_zero: float | None
    versus_next: Verdict | None
    case_scores: Mapping[CaseKey, Sequence[float]]
    """Of each case those of its attempts."""

    weights: Mapping[CaseKey, float]
    """Of those cases; one without any weight is not among them."""

    deciding_checks: Mapping[CaseKey, int]
    """Of those cases; 0 where a rubric decides."""

    checks: "CheckStanding"
    scales: tuple[str, ...]
    """What the scores of its cases are made of; more than one where these are mixed."""


@dataclass(frozen=True)
class CheckStanding:
    """What the checks of an arm's cases found; None where no case was checked."""

    pass_rate: float | None = None
    """Averaged inside a case first, 0 to 1."""

    gate_failed_cases: int | None = None


class Tally:
    """Collects rows, in any order; the standings do not depend on it."""

    def __init__(self) -> None:
        self._arms: dict[str, Arm] = {}
        self._cases: dict[str, dict[CaseKey, _CaseTally]] = {}

    def add(self, row: Row) -> None:
        """Count a settled place."""
        self.take(placed(row))

    def take(self, place: Placed) -> None:
        """Count a place that somebody has looked up."""
        self._arms[place.arm.id] = place.arm
        cases = self._cases.setdefault(place.arm.id, {})
        cases.setdefault(place.case, _CaseTally()).add(place)

    def pairs(self, attempts: int = 1) -> tuple[int, int]:
        """How many pairs of arm and case are completed, and how many have only failed; those that
        *attempts* have been settled of, as before that nobody knows."""
        every = (tally for cases in self._cases.values() for tally in cases.values())
        tallies = [tally for tally in every if tally.settled >= attempts]
        completed = sum(1 for tally in tallies if tally.completed)
        return completed, sum(1 for tally in tallies if tally.failed and not tally.completed)

    def standings(self, *, compared: bool = True) -> list[Standing]:
        """All arms, best first; equals share a rank. Unless *compared*, nothing is said of whether
        one is better than the next."""
        unranked = [self._standing(arm) for arm in self._arms.values()]
        unranked.sort(key=lambda s: (*_merit(s), s.arm.id))
        ranked: list[Standing] = []
        for place, standing in enumerate(unranked, start=1):
            tied = ranked and _merit(ranked[-1]) == _merit(standing)
            rank = ranked[-1].rank if tied else place
            following = unranked[place] if place < len(unranked) else None
            against = compare(standing, following) if following and compared else None
            ranked.append(replace(standing, rank=rank, versus_next=against))
        return ranked

    def _standing(self, arm: Arm) -> Standing:
        cases = self._cases[arm.id]
        counted = {key: cases[key] for key in sorted(cases) if cases[key].weight}
        scored = {key: tally for key, tally in counted.items() if tally.scores}
        averages = {key: tally.average() for key, tally in scored.items()}
        weights = {key: tally.weight for key, tally in scored.items()}
        tried = [tally for tally in counted.values() if tally.scores or tally.failed]
        with_failures = [tally.average_with_failures() for tally in tried]
        given = [*averages.values()], [*weights.values()]
        return Standing(
            rank=0,
            arm=arm,
            average=_average(*given) if averages else None,
            interval=_interval(*given),
            breakdown=_breakdown(list(scored.values())),
            completed_cases=sum(1 for tally in cases.values() if tally.completed),
            failed_cases=sum(1 for t in cases.values() if t.failed and not t.completed),
            unscored_cases=sum(1 for t in cases.values() if t.completed and not t.scores),
            failed_as_zero=(
                _average(with_failures, [tally.weight for tally in tried]) if tried else None
            ),
            versus_next=None,
            case_scores={key: tally.all_scores() for key, tally in scored.items()},
            weights=weights,
            deciding_checks={key: tally.deciding_checks for key, tally in scored.items()},
            checks=_checks(list(counted.values())),
            scales=tuple(sorted({tally.scale for tally in counted.values()})),
        )


def compare(first: Standing, second: Standing) -> Verdict:
    """Whether *first* is better than *second*, over the cases that both have scores for."""
    shared = sorted(first.case_scores.keys() & second.case_scores.keys())
    if not shared:
        return NOTHING
    return compare_points(
        [first.case_scores[key] for key in shared],
        [second.case_scores[key] for key in shared],
        [first.weights[key] for key in shared],
        [first.deciding_checks[key] for key in shared],
    )


def compare_points(
    first: Runs, second: Runs, weights: Sequence[float], deciding_checks: Sequence[int] = ()
) -> Verdict:
    """Compare scores of 0 to 100. Where all of them are shares of *deciding_checks*, of each case
    so many, they are coarse: the coarser the fewer checks there are."""
    if not deciding_checks or not all(deciding_checks):
        return as_verdict(compare_runs(first, second, weights=weights), PERCENT)
    rule = Rule(grain_of(mean(deciding_checks)))
    one, other = ([[x / PERCENT for x in runs] for runs in arm] for arm in (first, second))
    return as_verdict(compare_runs(one, other, rule, weights=weights), PERCENT, PERCENT)


def _average(values: Sequence[float], weights: Sequence[float]) -> float:
    return mean(values) if len(set(weights)) == 1 else weighted_mean(values, weights)


def _merit(standing: Standing) -> tuple[float, int]:
    """What the order is by; smaller is better. What only rounding makes differ is equal."""
    average = standing.average if standing.average is not None else float("-inf")
    return -round(average, _EXACT), -standing.completed_cases


def _interval(averages: Sequence[float], weights: Sequence[float]) -> Interval | None:
    if not averages or (found := weighted_interval(averages, weights, LEVEL)) is None:
        return None
    # Scores end at 0 and at 100, and so does what they can be on average.
    inside = Range(max(found.low, 0.0), min(found.high, float(PERCENT)))
    return _as_interval(inside, "t over cases")


def _as_interval(found: Range | None, method: str) -> Interval | None:
    if found is None:
        return None
    return Interval(low=found.low, high=found.high, level=LEVEL, method=method)


def _checks(cases: Sequence[_CaseTally]) -> CheckStanding:
    checked = [case for case in cases if case.check_rates]
    if not checked:
        return CheckStanding()
    rates = [mean([case.check_rates[a] for a in sorted(case.check_rates)]) for case in checked]
    return CheckStanding(
        _average(rates, [case.weight for case in checked]),
        sum(case.has_failed_gate for case in checked),
    )


def _breakdown(cases: Sequence[_CaseTally]) -> dict[str, float]:
    """The average of each dimension that every scored attempt has, on its own scale."""
    attempts = [case.dimensions[attempt] for case in cases for attempt in sorted(case.dimensions)]
    if not attempts:
        return {}
    names = [name for name in attempts[0] if all(name in scores for scores in attempts)]
    weights = [case.weight for case in cases]
    return {
        name: _average(
            [mean([s[name] for s in case.dimensions.values()]) for case in cases], weights
        )
        for name in names
    }

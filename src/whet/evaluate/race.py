"""Which of several skills is best, cheaply: drop who is clearly beaten, then measure anew.

The candidates race on one part of the cases. The winner's average there is flattered, as it was
picked for being high. What is reported is a new measurement: the winner and the baseline on the
cases that were held out, in a series of their own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from whet.core.arm import Arm
from whet.core.budget import Purse
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.core.verdict import Verdict
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.plan import Design
from whet.evaluate.rounds import (
    Rows,
    Unit,
    batches,
    plan_digest,
    settle,
    shuffled_units,
    whole,
)
from whet.evaluate.verdict import Pairs, verdict_of
from whet.stats.describe import mean
from whet.stats.racing import Race, hold_out

LEVEL = 0.95

REPORT_SERIES = 1 << 20
"""How far the series of the report lies from that of the race: no fresh measurement of the same
skill, which takes the next one, may find it done already."""


class RaceRule(Value):
    """How to race, and how to report."""

    held_out: float = Field(default=0.5, gt=0, lt=1)
    """The share of cases that the winner is measured by."""

    batch: int = Field(default=4, ge=1)
    """Cases between two decisions."""

    grain: float = 0.0
    """How coarse the score of one run is (``verdict.grain_of_suite``)."""

    margin: float = Field(default=0.0, ge=0, lt=1)
    clusters: dict[str, str] | None = None
    """The fixture of each case, by its id, where cases share one."""


@dataclass(frozen=True)
class Raced:
    """What a race came to; ``report`` is what may be said of the winner."""

    winner: Arm | None
    """None if nothing could be scored."""

    dropped: tuple[str, ...]
    """The ids of those who were clearly beaten, in the order in which they were."""

    flattered: Mapping[str, float]
    """The averages of all candidates over the cases they ran in the race. They were picked by
    these numbers: do not report them as results."""

    picked_by: tuple[str, ...]
    """The cases of the race that count."""

    report: Verdict
    """The winner against the baseline, on the cases that were held out."""

    pairs: Pairs
    """What the report rests on."""

    excluded: tuple[str, ...]
    """Runs of the race that count for nobody, each with the reason."""

    trials: int
    """Places that were filled, in the race and after it."""

    is_cut_off: bool
    """Whether the budget ended it."""


async def race(
    experiment: Experiment,
    design: Design,
    baseline: Arm,
    purse: Purse,
    settled: Callable[[Row], None],
    rule: RaceRule,
) -> Raced:
    """Let the arms of *design* race, and measure the winner against *baseline*.

    Every attempt of the design is run for each case, and averaged. Cases that share a fixture stay
    together on one side of the split, and count as one in the race.
    """
    picking, reporting = _split(design, baseline, rule)
    track = _Track(design)
    for batch in batches(picking, rule.batch):
        part = _part(design, track.running, batch)
        track.see(batch, await settle(experiment, part, purse, settled))
        if track.is_over:
            break
    rows: Rows = {}
    pairs = Pairs("", baseline.id, {})
    if track.winner is not None:
        part = _report(design, track.winner, baseline, reporting)
        rows = await settle(experiment, part, purse, settled)
        pairs = _pairs(part, rows, rule)
    return Raced(
        winner=track.winner,
        dropped=tuple(track.dropped),
        flattered={name: mean(scores) for name, scores in track.scores.items() if scores},
        picked_by=tuple(track.picked_by),
        report=verdict_of(pairs, rule.grain, rule.margin),
        pairs=pairs,
        excluded=tuple(track.excluded),
        trials=track.trials + _filled(rows),
        is_cut_off=track.is_cut_off or _is_cut_off(rows),
    )


def most_places(design: Design, baseline: Arm, rule: RaceRule) -> int:
    """How many places a race has if nobody is dropped."""
    picking, reporting = _split(design, baseline, rule)
    final = _report(design, design.arms[0], baseline, reporting)
    return _part(design, design.arms, picking).size + final.size


def most_missing(experiment: Experiment, design: Design, baseline: Arm, rule: RaceRule) -> int:
    """How many trials a race may have to run: those of everybody, if nobody is dropped."""
    picking, reporting = _split(design, baseline, rule)
    reports = [_report(design, arm, baseline, reporting) for arm in design.arms]
    raced = experiment.extent(_part(design, design.arms, picking)).missing
    return raced + max(experiment.extent(report).missing for report in reports)


def held_out_units(design: Design, baseline: Arm, rule: RaceRule) -> list[Unit]:
    """The cases, by fixture, that are held out for the verdict."""
    return _split(design, baseline, rule)[1]


def _split(design: Design, baseline: Arm, rule: RaceRule) -> tuple[list[Unit], list[Unit]]:
    """The cases to pick by, and those to report by."""
    names = [arm.id for arm in (*design.arms, baseline)]
    if len(design.arms) < 2 or len(set(names)) != len(names):
        raise UsageError("a race needs two candidates or more, and a baseline that is none of them")
    units = shuffled_units(design, rule.clusters)
    if len(units) < 2:
        raise UsageError("a race needs cases to pick by and others to report by")
    return hold_out(units, rule.held_out, int(plan_digest(design), 16))


def _report(design: Design, winner: Arm, baseline: Arm, units: Sequence[Unit]) -> Design:
    fresh = design.model_copy(update={"series": design.series + REPORT_SERIES})
    return _part(fresh, (winner, baseline), units)


def _part(design: Design, arms: Sequence[Arm], units: Sequence[Unit]) -> Design:
    cases = tuple(case for unit in units for case in unit)
    return design.model_copy(update={"arms": tuple(arms), "cases": cases})


def _attempts(design: Design) -> range:
    return range(design.first, design.first + design.repeats)


def _pairs(design: Design, rows: Rows, rule: RaceRule) -> Pairs:
    """The whole pairs of the measurement after the race."""
    first, second = design.arms
    excluded: list[str] = []
    scores: dict[str, list[tuple[float, float]]] = {}
    for case in design.cases:
        for one, other in whole(rows, design.arms, case, _attempts(design), excluded):
            scores.setdefault(case.id, []).append((one, other))
    return Pairs(first.id, second.id, scores, tuple(excluded), rule.clusters or {})


def _filled(rows: Rows) -> int:
    return sum(not row.skipped for row in rows.values())


def _is_cut_off(rows: Rows) -> bool:
    return any(row.skipped for row in rows.values())


class _Track:
    """The race: sees whole rounds, in plan order."""

    def __init__(self, design: Design) -> None:
        self._arms = {arm.id: arm for arm in design.arms}
        self._attempts = _attempts(design)
        self._race = Race(list(self._arms), 1, LEVEL)
        self.scores: dict[str, list[float]] = {name: [] for name in self._arms}
        self.dropped: list[str] = []
        self.picked_by: list[str] = []
        self.excluded: list[str] = []
        self.trials = 0
        self.is_cut_off = False

    @property
    def running(self) -> list[Arm]:
        """Who is not beaten."""
        return [self._arms[name] for name in self._race.running]

    @property
    def is_over(self) -> bool:
        """Whether one is left, or no money."""
        return self.is_cut_off or len(self._race.running) == 1

    @property
    def winner(self) -> Arm | None:
        """The best of those who run."""
        leader = self._race.leader
        return None if leader is None else self._arms[leader]

    def see(self, units: Sequence[Unit], rows: Rows) -> None:
        """Take a round that is settled; everybody in it has run all its cases."""
        self.trials += _filled(rows)
        self.is_cut_off = _is_cut_off(rows)
        arms = self.running
        for unit in units:
            averages: list[list[float]] = []
            for case in unit:
                if found := whole(rows, arms, case, self._attempts, self.excluded):
                    averages.append([mean(scores) for scores in zip(*found, strict=True)])
                    self.picked_by.append(case.id)
            if averages:
                self._add(arms, [mean(scores) for scores in zip(*averages, strict=True)])

    def _add(self, arms: Sequence[Arm], averages: Sequence[float]) -> None:
        scores = {arm.id: average for arm, average in zip(arms, averages, strict=True)}
        for name, score in scores.items():
            self.scores[name].append(score)
        self.dropped += self._race.add(scores)

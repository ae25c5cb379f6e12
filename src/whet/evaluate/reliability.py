"""How dependable a configuration is, where its noise comes from, and what could be seen."""

import math
from collections.abc import Iterator, Sequence

from whet.documents.base import Number
from whet.documents.eval_statistics import PassAt, PowerRow, Reliability, VarianceParts
from whet.documents.verdict import Interval
from whet.evaluate.opinion import Reading, combined
from whet.evaluate.run_result import Run, Table, rounded
from whet.evaluate.verdict import Pairs, compare_pairs
from whet.evaluate.verdict_values import LEVEL, told
from whet.stats.describe import spread_band, standard_deviation
from whet.stats.intervals import Range
from whet.stats.passk import CaseRuns, mean_pass_at_k, mean_pass_hat_k
from whet.stats.power import Spread, smallest_like_these, smallest_on_these
from whet.stats.variance import nested_split

ASSUMED = Spread(effect=0.25**2, noise=0.3**2)
"""What is assumed before anything is measured: the effect of a skill differs between evals with a
standard deviation of 25 points, and one pair of runs is off by 30."""

RUNS = (1, 2, 3, 5)
GROWTH = (1, 2, 4)
METHOD = "t over cases, two passes and two failures added"


def reliability(table: Table, configuration: str) -> Reliability | None:
    """One configuration; None where it has no run."""
    groups = [table.of(configuration, case.id) for case in table.cases]
    if not any(groups):
        return None
    deviation = _inside([_scores(runs) for runs in groups])
    return Reliability(
        stddev=rounded(deviation),
        band=None if deviation is None else spread_band(deviation),
        pass_at=tuple(_pass_at([_counted(runs) for runs in groups])),
        variance=_variance(groups),
    ).lean()


def power_before(evals: int, runs: int, grain: float, units: int) -> tuple[PowerRow, ...]:
    """What this many evals and runs could see, if the noise is as assumed; *units* of them are
    independent, and *grain* is how coarse the score of a run is."""
    return _power(ASSUMED._replace(grain=grain, units=units), evals, runs, 2 * evals * runs)


def power_after(pairs: Pairs, grain: float) -> tuple[PowerRow, ...]:
    """What more evals or runs could see, by the noise that was measured; () if that cannot be
    told. Rough where evals are few."""
    found = compare_pairs(pairs, grain)
    if found is None or found.n_cases < 2:
        return ()
    spread = found.spread
    if spread.effect == 0 and not spread.noise:
        return ()  # runs that never differ say nothing of how much others would
    return _power(spread, found.n_cases, spread.runs, pairs.runs)


def _power(spread: Spread, evals: int, runs: float, trials: int) -> tuple[PowerRow, ...]:
    """So many *evals* and *runs*, which took so many *trials*, and multiples of them."""
    # Without a second run the noise of runs is not known apart, nor what more of them would do.
    several = (1, 2) if spread.noise is not None else (1,)
    units = spread.units or evals
    return tuple(
        PowerRow(
            evals=evals * times,
            runs=_whole(runs * more),
            trials=trials * times * more,
            smallest_effect=_possible(smallest_like_these(spread, units * times, runs * more)),
            smallest_effect_on_these=_possible(
                smallest_on_these(spread, evals * times, runs * more)
            ),
        )
        for times in GROWTH
        for more in several
    )


def _whole(runs: float) -> Number:
    return int(runs) if runs == int(runs) else round(runs, 2)


def _possible(effect: float | None) -> float | None:
    return None if effect is None or effect > 1 else told(effect)


def _scores(runs: Sequence[Run]) -> list[float]:
    return [run.score for run in runs if run.score is not None]


def _inside(groups: Sequence[Sequence[float]]) -> float | None:
    """The standard deviation inside groups, all of them together."""
    several = [group for group in groups if len(group) > 1]
    freedom = sum(len(group) - 1 for group in several)
    if not freedom:
        return None
    squares = math.fsum(standard_deviation(group) ** 2 * (len(group) - 1) for group in several)
    return math.sqrt(squares / freedom)


def _counted(runs: Sequence[Run]) -> CaseRuns:
    outcomes = [run.passes for run in runs if run.passes is not None]
    return CaseRuns(sum(outcomes), len(outcomes))


def _pass_at(cases: Sequence[CaseRuns]) -> Iterator[PassAt]:
    for k in RUNS:
        one, every = mean_pass_at_k(cases, k, LEVEL), mean_pass_hat_k(cases, k, LEVEL)
        if one is not None and every is not None:
            yield PassAt(
                k=k,
                pass_at_k=round(one.rate, 4),
                pass_at_k_interval=_interval(one.interval),
                pass_hat_k=round(every.rate, 4),
                pass_hat_k_interval=_interval(every.interval),
                n_evals=one.cases,
            )


def _interval(found: Range) -> Interval:
    return Interval(low=round(found.low, 4), high=round(found.high, 4), level=LEVEL, method=METHOD)


def _variance(groups: Sequence[Sequence[Run]]) -> VarianceParts | None:
    """Between evals, between runs of an eval, between readings of a run."""
    cases = [[_readings(run) for run in runs if run.score is not None] for runs in groups]
    cases = [case for case in cases if case]
    if len(cases) < 2:
        return None
    split = nested_split(cases)
    return VarianceParts(
        between_evals=round(split.case, 6),
        between_runs=None if split.run is None else round(split.run, 6),
        between_readings=None if split.judge is None else round(split.judge, 6),
    )


def _readings(run: Run) -> list[float]:
    """The score that each reading alone would have led to."""
    grade, standard = run.row.grade, run.case.standard
    assert run.score is not None
    if run.has_failed or grade is None or len(grade.opinions) < 2:
        return [run.score]
    scores = [
        combined(Reading(standard, standard.rubric, grade.checks, (opinion,)))["score"]
        for opinion in grade.opinions
    ]
    return [score for score in scores if isinstance(score, float)] or [run.score]

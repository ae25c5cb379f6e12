"""Worlds with a known truth: how often the intervals cover it, and how often chance fools us.

Each share comes from at least 2,000 experiments, so its standard error is 0.5 % at 95 %, and 0.35 %
for 4,000. The limits are three of those or more away from what is expected: another seed
does not change the outcome.
"""

import math
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from whet.stats.bootstrap import bca_interval
from whet.stats.comparison import Kind, compare_cases
from whet.stats.describe import standard_deviation
from whet.stats.intervals import rate_interval, t_interval
from whet.stats.multiple import holm_labels
from whet.stats.power import cases_needed, smallest_effect
from whet.stats.sequential import Sequential, Wager, sampling_shares, weighted

pytestmark = pytest.mark.slow

Arms = tuple[NDArray[np.float64], NDArray[np.float64]]
World = Callable[[np.random.Generator, tuple[int, int], float], Arms]

EXPERIMENTS = 4000
CASES = [5, 10, 30, 100]


def normal(rng: np.random.Generator, shape: tuple[int, int], effect: float) -> Arms:
    """Scores of 0 to 100 around a level that differs by case; so does the effect."""
    level = rng.normal(60, 20, shape)
    gain = rng.normal(8 * effect, 4 * effect, shape)
    return level + gain + rng.normal(0, 6, shape), level + rng.normal(0, 6, shape)


def skewed(rng: np.random.Generator, shape: tuple[int, int], effect: float) -> Arms:
    """Most answers are good and some are terrible."""
    return 100 * rng.beta(8 if effect else 5, 2, shape), 100 * rng.beta(5, 2, shape)


def whole(rng: np.random.Generator, shape: tuple[int, int], effect: float) -> Arms:
    """One judge's whole number from 1 to 5."""
    level = rng.normal(3.2, 0.8, shape)

    def read(true: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.clip(np.rint(true + rng.normal(0, 0.7, shape)), 1, 5)

    return read(level + 0.5 * effect), read(level)


@cache
def passing(runs: int, spread: float) -> World:
    """Shares of runs that pass, for cases between easy and hopeless."""

    def world(rng: np.random.Generator, shape: tuple[int, int], effect: float) -> Arms:
        level = rng.normal(0.3, spread, shape)
        first, second = (1 / (1 + np.exp(-(level + shift))) for shift in (1.2 * effect, 0))
        return rng.binomial(runs, first) / runs, rng.binomial(runs, second) / runs

    return world


@cache
def truth(world: World, effect: float) -> float:
    """The mean difference, from two million cases."""
    first, second = world(np.random.default_rng(99), (2000, 1000), effect)
    return float(np.mean(first - second))


def coverage(world: World, kind: Kind, cases: int, seed: int) -> float:
    rng, true = np.random.default_rng(seed), truth(world, 1)
    experiments = EXPERIMENTS if world in (normal, skewed) or cases < 100 else 2000
    first, second = world(rng, (experiments, cases), 1)
    hits = 0
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        interval = compare_cases(a, b, kind=kind).interval
        assert interval is not None
        hits += interval.low <= true <= interval.high
    return hits / experiments


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("world", [normal, skewed], ids=["normal", "skewed"])
def test_scores_are_covered(world: World, cases: int):
    assert 0.935 <= coverage(world, "score", cases, 10 + cases) <= 0.965


@pytest.mark.parametrize("cases", CASES)
def test_whole_numbers_are_covered(cases: int):
    # With few whole numbers no interval can be exact; zero is added where the test demands it.
    assert coverage(whole, "score", cases, 20 + cases) >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(("runs", "spread"), [(1, 1.0), (1, 3.0), (3, 1.0), (5, 3.0)])
def test_rates_are_covered(runs: int, spread: float, cases: int):
    # Cautious below some thirty cases, and never under its level.
    assert coverage(passing(runs, spread), "rate", cases, 30 + cases) >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(("runs", "spread"), [(1, 1.0), (3, 3.0)])
def test_one_rate_is_covered(runs: int, spread: float, cases: int):
    world = passing(runs, spread)
    true = float(np.mean(world(np.random.default_rng(98), (2000, 1000), 1)[0]))
    hits = 0
    for rates in world(np.random.default_rng(40 + cases), (EXPERIMENTS, cases), 1)[0].tolist():
        low, high = rate_interval(rates)
        hits += low <= true <= high
    assert hits / EXPERIMENTS >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(
    ("world", "kind"),
    [
        (normal, "score"),
        (skewed, "score"),
        (whole, "score"),
        (passing(1, 1.0), "rate"),
        (passing(3, 1.0), "rate"),
    ],
    ids=["normal", "skewed", "whole", "pass", "pass of 3"],
)
def test_the_same_arm_twice_is_called_different_one_time_in_twenty(
    world: World, kind: Kind, cases: int
):
    first, second = world(np.random.default_rng(50 + cases), (2000, cases), 0)
    alarms = sum(
        compare_cases(a, b, kind=kind).label != "inconclusive"
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    )
    assert alarms / 2000 <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


def test_students_interval_alone_would_be_too_sure_of_passes():
    # Why compare_cases does more: five cases, one run, an effect of 25 points.
    world = passing(1, 3.0)
    true, hits = truth(world, 1), 0
    first, second = world(np.random.default_rng(60), (EXPERIMENTS, 5), 1)
    for differences in (first - second).tolist():
        interval = t_interval(differences)
        assert interval is not None
        hits += interval.low <= true <= interval.high
    assert hits / EXPERIMENTS < 0.85


def test_a_strongly_skewed_quantity_needs_thirty_values():
    rng = np.random.default_rng(61)
    covered = {
        n: sum(
            found is not None and found.low <= 10 <= found.high
            for found in map(t_interval, rng.exponential(10, (EXPERIMENTS, n)).tolist())
        )
        / EXPERIMENTS
        for n in (5, 30)
    }
    assert covered[5] == pytest.approx(0.88, abs=0.02)
    assert covered[30] >= 0.91


def test_the_bootstrap_is_no_better_than_its_docstring():
    rng = np.random.default_rng(62)
    hits = sum(
        found.low <= 10 <= found.high
        for values in rng.exponential(10, (1000, 40)).tolist()
        for found in [bca_interval(values, resamples=299)]
    )
    assert 0.9 <= hits / 1000 <= 0.96


def test_many_comparisons_err_together_one_time_in_twenty():
    rng, families = np.random.default_rng(63), 1000
    alone = together = 0
    for _ in range(families):
        first, second = normal(rng, (6, 10), 0)
        found = [compare_cases(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
        alone += any(one.label != "inconclusive" for one in found)
        kept = holm_labels([one.label for one in found], [one.p_value for one in found])
        together += any(label != "inconclusive" for label in kept)
    assert alone / families > 0.2
    assert together / families <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / families)


def test_the_smallest_effect_is_called_four_times_in_five():
    smallest = smallest_effect(10, 20)
    assert smallest is not None
    rng = np.random.default_rng(64)
    called = sum(
        compare_cases(a, [0.0] * 20).label == "better"
        for a in rng.normal(smallest, 10, (EXPERIMENTS, 20)).tolist()
    )
    assert called / EXPERIMENTS == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / EXPERIMENTS))


def watch(differences: list[float], process: Sequential) -> int | None:
    """After how many cases the process decides."""
    for seen, difference in enumerate(differences, start=1):
        if process.add(difference) != "inconclusive":
            return seen
    return None


@pytest.mark.parametrize("world", [passing(1, 1.0), passing(3, 3.0)], ids=["1 run", "3 runs"])
def test_looking_after_every_case_raises_no_more_false_alarms(world: World):
    first, second = world(np.random.default_rng(70), (2000, 200), 0)
    alarms = sum(watch(row, Sequential(1)) is not None for row in (first - second).tolist())
    assert alarms / 2000 <= 0.05


def test_looking_at_students_interval_after_every_case_would():
    differences = np.subtract(*normal(np.random.default_rng(71), (1000, 100), 0))
    alarms = sum(
        any(compare_cases(row[:n], [0.0] * n).label != "inconclusive" for n in range(10, 101, 5))
        for row in differences[:400].tolist()
    )
    assert alarms / 400 > 0.12


def test_the_sequence_covers_at_all_looks_together():
    # The truth is outside the sequence as soon as a bettor against it has won forty times.
    world = passing(1, 1.0)
    true, missed = truth(world, 1), 0
    first, second = world(np.random.default_rng(72), (2000, 200), 1)
    for row in (first - second).tolist():
        above, below = Wager(true, 1), Wager(-true, 1)
        for difference in row:
            above.add(difference)
            below.add(-difference)
        missed += max(above.best, below.best) >= 40
    assert missed / 2000 <= 0.05


def test_stopping_early_takes_fewer_cases_at_equal_error():
    world = passing(1, 1.0)
    first, second = world(np.random.default_rng(73), (2000, 300), 1.2)
    differences = first - second
    ends = [watch(row, Sequential(1)) for row in differences.tolist()]
    power = sum(end is not None for end in ends) / len(ends)
    used = sum(end or 300 for end in ends) / len(ends)
    effect, deviation = float(differences.mean()), float(differences.std())
    assert power > 0.95
    fixed = cases_needed(effect, deviation, wanted=min(power, 0.999))
    assert fixed is not None
    # A fixed design that errs as rarely in both ways, and knows the effect beforehand.
    assert used < 0.75 * fixed


def test_runs_may_go_where_the_noise_is():
    # Ten cases; on three of them both arms are a coin, on seven both are sure. The next run goes
    # by the noise seen so far, and the verdict is looked at each time: no more false alarms.
    chance, alarms = Random(74), 0
    rates = [0.5] * 3 + [1.0] * 4 + [0.0] * 3
    for _ in range(2000):
        process, seen, spreads = Sequential(2.0), [[0.5, -0.5] for _ in rates], [0.7] * len(rates)
        for _ in range(60):
            shares = sampling_shares(spreads)
            case = chance.choices(range(len(rates)), shares)[0]
            first, second = (float(chance.random() < rates[case]) for _ in range(2))
            seen[case].append(first - second)
            spreads[case] = standard_deviation(seen[case])
            if process.add(weighted(first - second, shares[case], len(rates))) != "inconclusive":
                alarms += 1
                break
    assert alarms / 2000 <= 0.05

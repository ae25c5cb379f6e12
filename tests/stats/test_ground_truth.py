"""Worlds with a known truth: how often the intervals cover it, and how often chance fools us.

Each share comes from at least 2,000 experiments, so its standard error is 0.5 % at 95 %, and 0.35 %
for 4,000. The limits are three of those or more away from what is expected: another seed
does not change the outcome.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from whet.stats.bootstrap import bca_interval
from whet.stats.comparison import (
    RATES,
    SCORES,
    Comparison,
    Rule,
    compare_cases,
    compare_runs,
    grain_of,
)
from whet.stats.intervals import rate_interval, t_interval
from whet.stats.multiple import holm_labels
from whet.stats.power import Spread, smallest_like_these, smallest_on_these

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


def compare(first: list[Any], second: list[Any], rule: Rule) -> Comparison:
    """Case averages, or the runs of each case: their average is so much less coarse."""
    if isinstance(first[0], list):
        first, second = ([sum(runs) / len(runs) for runs in arm] for arm in (first, second))
    return compare_cases(first, second, rule)


@cache
def passing(runs: int, spread: float) -> World:
    """Runs that pass or fail, for cases between easy and hopeless."""

    def world(rng: np.random.Generator, shape: tuple[int, int], effect: float) -> Arms:
        level = rng.normal(0.3, spread, shape)
        first, second = (1 / (1 + np.exp(-(level + shift))) for shift in (1.2 * effect, 0))
        every = (*shape, runs)
        return (
            (rng.random(every) < first[..., None]).astype(float),
            (rng.random(every) < second[..., None]).astype(float),
        )

    return world


@cache
def truth(world: World, effect: float) -> float:
    """The mean difference, from two million cases."""
    first, second = world(np.random.default_rng(99), (2000, 1000), effect)
    return float(np.mean(first - second))


def coverage(world: World, rule: Rule, cases: int, seed: int) -> float:
    rng, true = np.random.default_rng(seed), truth(world, 1)
    experiments = EXPERIMENTS if cases < 30 else 2000
    first, second = world(rng, (experiments, cases), 1)
    hits = 0
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        interval = compare(a, b, rule).like_these.interval
        assert interval is not None
        hits += interval.low <= true <= interval.high
    return hits / experiments


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("world", [normal, skewed], ids=["normal", "skewed"])
def test_scores_are_covered(world: World, cases: int):
    # Of five cases nothing may be said, so their interval always touches zero and covers more.
    assert 0.935 <= coverage(world, SCORES, cases, 10 + cases) <= (0.985 if cases < 6 else 0.965)


@pytest.mark.parametrize("cases", CASES)
def test_whole_numbers_are_covered(cases: int):
    # With few whole numbers no interval can be exact; zero is added where the test demands it.
    assert coverage(whole, SCORES, cases, 20 + cases) >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(("runs", "spread"), [(1, 1.0), (1, 3.0), (3, 1.0), (5, 3.0)])
def test_rates_are_covered(runs: int, spread: float, cases: int):
    # Cautious below some thirty cases, and never under its level.
    assert coverage(passing(runs, spread), Rule(1 / runs), cases, 30 + cases) >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(("runs", "spread"), [(1, 1.0), (3, 3.0)])
def test_one_rate_is_covered(runs: int, spread: float, cases: int):
    world = passing(runs, spread)
    true = float(np.mean(world(np.random.default_rng(98), (2000, 1000), 1)[0]))
    hits = 0
    first = world(np.random.default_rng(40 + cases), (EXPERIMENTS, cases), 1)[0]
    for rates in first.mean(2).tolist():
        low, high = rate_interval(rates)
        hits += low <= true <= high
    assert hits / EXPERIMENTS >= 0.935


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize(
    ("world", "rule"),
    [
        (normal, SCORES),
        (skewed, SCORES),
        (whole, SCORES),
        (passing(1, 1.0), RATES),
        (passing(3, 1.0), Rule(1 / 3)),
    ],
    ids=["normal", "skewed", "whole", "pass", "pass of 3"],
)
def test_the_same_arm_twice_is_called_different_one_time_in_twenty(
    world: World, rule: Rule, cases: int
):
    first, second = world(np.random.default_rng(50 + cases), (2000, cases), 0)
    alarms = sum(
        compare(a, b, rule).like_these.label != "inconclusive"
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    )
    assert alarms / 2000 <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


def test_students_interval_alone_would_be_too_sure_of_passes():
    # Why compare_cases does more: five cases, one run, an effect of 25 points.
    world = passing(1, 3.0)
    true, hits = truth(world, 1), 0
    first, second = world(np.random.default_rng(60), (EXPERIMENTS, 5), 1)
    for differences in (first - second)[..., 0].tolist():
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
        found = [
            compare_cases(a, b).like_these
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ]
        alone += any(one.label != "inconclusive" for one in found)
        kept = holm_labels([one.label for one in found], [one.p_value for one in found])
        together += any(label != "inconclusive" for label in kept)
    assert alone / families > 0.2
    assert together / families <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / families)


@pytest.mark.parametrize("cases", [6, 7, 8, 10, 12, 20, 30])
def test_the_smallest_effect_is_found_four_times_in_five(cases: int):
    """By the very rule that decides: Student's formula alone would promise 80 % and find 62 % of
    them with six cases."""
    smallest = smallest_like_these(Spread(100.0, None), cases, 1)
    assert smallest is not None
    rng, experiments = np.random.default_rng(64), 2000
    called = sum(
        compare_cases(a, [0.0] * cases).like_these.label == "better"
        for a in rng.normal(smallest, 10, (experiments, cases)).tolist()
    )
    assert called / experiments == pytest.approx(0.8, abs=0.035)


DESIGNS = [(3, 2), (3, 5), (4, 3), (6, 3), (10, 2), (10, 5)]


@pytest.mark.parametrize(("cases", "runs"), DESIGNS)
def test_the_smallest_effect_on_these_cases_is_found_four_times_in_five(cases: int, runs: int):
    smallest = smallest_on_these(Spread(0.0, 200.0), cases, runs)
    assert smallest is not None
    rng, experiments = np.random.default_rng(65), 400
    shape = experiments, cases, runs
    levels = rng.normal(60, 20, (experiments, cases, 1))
    first = (levels + rng.normal(smallest, 10, shape)).tolist()
    second = (levels + rng.normal(0, 10, shape)).tolist()
    called = sum(
        compare_runs(a, b).on_these.label == "better" for a, b in zip(first, second, strict=True)
    )
    assert called / experiments == pytest.approx(0.8, abs=0.07)


def runs_of(kind: str, rng: np.random.Generator, shape: tuple[int, int, int], effect: float) -> Any:
    """Both arms of many experiments, and the true differences of their cases."""
    experiments, cases, _ = shape
    if kind == "score":
        levels, noise = rng.random((experiments, cases)), rng.uniform(0.02, 0.2, (*shape[:2], 1))
        gains = rng.normal(0.15, 0.2, (experiments, cases)) * effect
        arms = [
            (level[..., None] + noise * rng.normal(0, 1, shape)).tolist()
            for level in (levels + gains, levels)
        ]
        return arms, gains
    levels = rng.normal(0.3, 1.0, (experiments, cases))
    moved = levels + rng.normal(1.2, 0.5, (experiments, cases)) * effect
    rates = [1 / (1 + np.exp(-one)) for one in (moved, levels)]
    arms = [(rng.random(shape) < rate[..., None]).astype(float).tolist() for rate in rates]
    return arms, rates[0] - rates[1]


@pytest.mark.parametrize("kind", ["score", "pass"])
@pytest.mark.parametrize(("cases", "runs"), [(3, 2), (3, 5), (4, 3), (6, 3), (10, 3), (30, 2)])
def test_both_scopes_cover_and_do_not_cry_wolf(kind: str, cases: int, runs: int):
    rule, experiments = (RATES if kind == "pass" else SCORES), 600
    slack = 3 * math.sqrt(0.05 * 0.95 / experiments)
    _, many = runs_of(kind, np.random.default_rng(1), (2000, 500, 1), 1)
    (first, second), gains = runs_of(kind, np.random.default_rng(2), (experiments, cases, runs), 1)
    missed = {"like": 0, "these": 0}
    for a, b, true in zip(first, second, gains.mean(1).tolist(), strict=True):
        found = compare_runs(a, b, rule)
        for name, one, value in (
            ("like", found.like_these, float(many.mean())),
            ("these", found.on_these, true),
        ):
            assert one.interval is not None
            missed[name] += not one.interval.low <= value <= one.interval.high
    assert max(missed.values()) / experiments <= 0.05 + slack
    (first, second), _ = runs_of(kind, np.random.default_rng(3), (experiments, cases, runs), 0)
    both = [compare_runs(a, b, rule) for a, b in zip(first, second, strict=True)]
    for one in ("like_these", "on_these"):
        alarms = sum(getattr(found, one).label != "inconclusive" for found in both)
        assert alarms / experiments <= 0.05 + slack


def test_suites_without_a_rubric_find_large_effects():
    """Eight evals of five runs: a true gain of 32 points is found; it used not to be."""
    rng, experiments = np.random.default_rng(66), 300
    shape = experiments, 8, 5
    first = (rng.random(shape) < 0.66).astype(float).tolist()
    second = (rng.random(shape) < 0.34).astype(float).tolist()
    found = [compare_runs(a, b, RATES).like_these for a, b in zip(first, second, strict=True)]
    assert sum(one.label == "better" for one in found) / experiments > 0.55
    for one in found:
        assert one.p_value is not None
        assert (one.p_value <= 0.05) == (one.label == "better")


def shares(
    rng: np.random.Generator, shape: tuple[int, int, int], expectations: int, rate: float
) -> Any:
    """Runs that meet so many expectations each at this rate."""
    return (rng.binomial(expectations, rate, shape) / expectations).tolist()


@pytest.mark.parametrize(("expectations", "runs"), [(3, 3), (8, 2)])
def test_shares_of_expectations_are_covered_and_not_by_far(expectations: int, runs: int):
    rng, experiments = np.random.default_rng(67), 2000
    shape = experiments, 6, runs
    first, second = (shares(rng, shape, expectations, rate) for rate in (0.65, 0.4))
    rule, held = Rule(grain_of(expectations)), 0
    for a, b in zip(first, second, strict=True):
        one = compare_runs(a, b, rule).like_these
        assert one.interval is not None
        held += one.interval.low <= 0.25 + 1e-9 and one.interval.high >= 0.25 - 1e-9
    assert 0.93 <= held / experiments <= 0.98


@pytest.mark.parametrize(("expectations", "cases", "runs"), [(1, 8, 3), (1, 10, 2), (3, 6, 3)])
def test_the_smallest_effect_of_coarse_values_is_found_four_times_in_five(
    expectations: int, cases: int, runs: int
):
    """Values that come in steps tie, and a tie speaks for neither side."""
    low, effect = 0.25, 0.4
    for _ in range(30):  # the noise of passes depends on their rate
        noise = sum(p * (1 - p) / expectations for p in (low, low + effect))
        spread = Spread(0.0, noise, grain_of(expectations), runs, cases)
        smallest = smallest_like_these(spread, cases, runs)
        assert smallest is not None
        effect = (effect + smallest) / 2
    rng, experiments = np.random.default_rng(68), 500
    shape = experiments, cases, runs
    first, second = (shares(rng, shape, expectations, rate) for rate in (low + effect, low))
    rule = Rule(grain_of(expectations))
    both = zip(first, second, strict=True)
    called = sum(compare_runs(a, b, rule).like_these.label == "better" for a, b in both)
    assert called / experiments == pytest.approx(0.8, abs=0.07)

"""What verdicts are worth, in worlds with a known truth: make bench ARGS=verdicts

One table alone: ``python -m bench.verdicts coverage``, ``power``, ``promises`` or ``looks``. With
``small`` beside it there are a tenth as many experiments: enough to see that nothing is far off.

Four tables. How often 95 % intervals cover the truth and how often the same arm twice is called
different, in both scopes. How often suites without a rubric find a true effect. What the smallest
effect that is promised finds. What looking after every round costs beside a fixed run of the
same size, on the very same scores.
"""

import random
import sys
import time
from collections.abc import Callable
from statistics import median

from tests.evaluate.drawn import GRAINS, WORLDS, both, plan_of
from whet.evaluate.adaptive import StopRule
from whet.stats.comparison import RATES, SCORES, Comparison, Rule, compare_runs, grain_of
from whet.stats.describe import mean
from whet.stats.power import Spread, smallest_like_these, smallest_on_these

IS_SMALL = "small" in sys.argv[1:]
EXPERIMENTS = 100 if IS_SMALL else 1000
LOOKED_AT = 20 if IS_SMALL else 200
EVALS = (3, 4, 6, 10, 30)
RUNS = (2, 3, 5)

Arms = tuple[list[list[float]], list[list[float]]]
Draw = Callable[[random.Random], float]
World = Callable[[random.Random, float], tuple[Draw, Draw, float]]
"""A new eval: what a run scores with and without the skill, and the true difference."""


def scores(chance: random.Random, moved: float) -> tuple[Draw, Draw, float]:
    """Scores of 0 to 1 with noise that differs between evals; so does the effect."""
    level, noise = chance.random(), chance.uniform(0.02, 0.2)
    gain = moved * chance.gauss(0.15, 0.2)
    return lambda c: c.gauss(level + gain, noise), lambda c: c.gauss(level, noise), gain


def passes(chance: random.Random, moved: float) -> tuple[Draw, Draw, float]:
    """Runs that pass or fail; evals are between easy and hard."""
    level = chance.uniform(0.15, 0.65)
    gain = moved * chance.choice((0.1, 0.3))
    return (
        lambda c: float(c.random() < level + gain),
        lambda c: float(c.random() < level),
        gain,
    )


KINDS: dict[str, tuple[World, Rule, float]] = {
    "scores": (scores, SCORES, 0.15),
    "pass or fail": (passes, RATES, 0.2),
}


def experiment(
    world: World, rule: Rule, design: tuple[int, int], chance: random.Random, moved: float
) -> tuple[Comparison, float]:
    evals = [world(chance, moved) for _ in range(design[0])]
    first = [[one(chance) for _ in range(design[1])] for one, _, _ in evals]
    second = [[other(chance) for _ in range(design[1])] for _, other, _ in evals]
    return compare_runs(first, second, rule), mean([gain for _, _, gain in evals])


def coverage() -> None:
    print(f"Covered, and called different with the same arm twice; {EXPERIMENTS} experiments each")
    print(f"{'':14}{'design':>8}{'like these':>12}{'A/A':>7}{'on these':>11}{'A/A':>7}")
    for name, (world, rule, everywhere) in KINDS.items():
        for evals in EVALS:
            for runs in RUNS:
                chance = random.Random(f"{name} {evals} {runs}")
                hits, alarms = [0, 0], [0, 0]
                for _ in range(EXPERIMENTS):
                    found, here = experiment(world, rule, (evals, runs), chance, 1.0)
                    truths = everywhere, here
                    for place, one in enumerate((found.like_these, found.on_these)):
                        assert one.interval is not None
                        hits[place] += one.interval.low <= truths[place] <= one.interval.high
                    same, _ = experiment(world, rule, (evals, runs), chance, 0.0)
                    for place, one in enumerate((same.like_these, same.on_these)):
                        alarms[place] += one.label != "inconclusive"
                shares = [100 * n / EXPERIMENTS for n in (hits[0], alarms[0], hits[1], alarms[1])]
                cells = "{:12.1f}{:7.1f}{:11.1f}{:7.1f}".format(*shares)
                print(f"{name:14}{f'{evals} × {runs}':>8}{cells}", flush=True)


def power() -> None:
    print(f"\nFound without a rubric; three expectations a run, {EXPERIMENTS} experiments each")
    print(f"{'design':>8}{'effect':>8}{'like these':>12}{'on these':>10}")
    rule = Rule(grain_of(3))
    for evals, runs in ((6, 3), (8, 5), (10, 3), (20, 3)):
        for effect in (0.25, 0.34):
            chance, found = random.Random(f"{evals} {runs} {effect}"), list[Comparison]()
            for _ in range(EXPERIMENTS):
                levels = [chance.uniform(0.2, 0.6) for _ in range(evals)]
                arms = [
                    [[_share(chance, level + gain) for _ in range(runs)] for level in levels]
                    for gain in (effect, 0.0)
                ]
                found.append(compare_runs(arms[0], arms[1], rule))
            like = sum(one.like_these.label == "better" for one in found) / EXPERIMENTS
            here = sum(one.on_these.label == "better" for one in found) / EXPERIMENTS
            print(f"{f'{evals} × {runs}':>8}{effect:8}{like:12.1%}{here:10.1%}", flush=True)


def _share(chance: random.Random, rate: float) -> float:
    return sum(chance.random() < rate for _ in range(3)) / 3


def promises() -> None:
    print("\nThe smallest effect: how often it is found (promised: 80 %)")
    print(f"{'design':>8}{'like these':>12}{'on these':>10}")
    spread = Spread(effect=0.25**2, noise=0.3**2)
    for evals, runs in ((4, 3), (6, 1), (6, 3), (8, 3), (10, 3), (12, 3), (20, 2), (30, 1)):
        like = smallest_like_these(spread, evals, runs)
        here = smallest_on_these(spread, evals, runs)
        chance = random.Random(f"{evals} {runs}")
        told = [
            _found(chance, effect, spread, (evals, runs), place)
            for place, effect in enumerate((like, here))
        ]
        print(f"{f'{evals} × {runs}':>8}{told[0]:>12}{told[1]:>10}", flush=True)


def _found(
    chance: random.Random,
    effect: float | None,
    spread: Spread,
    design: tuple[int, int],
    place: int,
) -> str:
    if effect is None:
        return "–"
    noise, hits = (spread.noise or 0.0) ** 0.5 / 2**0.5, 0
    for _ in range(EXPERIMENTS):
        unlike = spread.effect**0.5 if place == 0 else 0.0
        gains = [chance.gauss(effect, unlike) for _ in range(design[0])]
        first = [[chance.gauss(gain, noise) for _ in range(design[1])] for gain in gains]
        second = [[chance.gauss(0.0, noise) for _ in range(design[1])] for _ in gains]
        found = compare_runs(first, second)
        hits += (found.like_these, found.on_these)[place].label == "better"
    return f"{hits / EXPERIMENTS:.1%}"


def looks() -> None:
    print(f"\nLooking after every round; {LOOKED_AT} experiments each, at most 3 runs")
    print(f"{'':19}{'evals':>6}{'effect':>8}{'fixed':>8}{'adaptive':>10}{'trials':>8}{'of all':>8}")
    for name, world in WORLDS.items():
        rule = StopRule(grain=GRAINS.get(name, 0.0))
        for evals in (6, 10, 20):
            plan = plan_of(evals, 3)
            for effect in (0.0, 0.13, 0.2, 0.35, 0.5):
                chance = random.Random(f"{name} {evals} {effect}")
                found, fixed, trials = 0, 0, list[int]()
                for _ in range(LOOKED_AT):
                    drawn_evals = {case.id: world(chance, effect) for case in plan.cases}
                    one, other = both(drawn_evals, plan, rule, chance)
                    found += one.verdict.label != "inconclusive"
                    fixed += other != "inconclusive"
                    trials.append(one.trials)
                middle = median(trials)
                print(
                    f"{name:19}{evals:6}{effect:8}{fixed / LOOKED_AT:8.1%}{found / LOOKED_AT:10.1%}"
                    f"{middle:8.0f}{middle / plan.size:8.0%}",
                    flush=True,
                )


def main() -> None:
    begun = time.perf_counter()
    wanted = {*sys.argv[1:]} - {"small"}
    for table in (coverage, power, promises, looks):
        if not wanted or table.__name__ in wanted:
            table()
    print(f"\n{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()

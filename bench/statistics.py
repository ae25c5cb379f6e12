"""What the statistics are worth, in worlds with a known truth: python -m bench.statistics

Three tables: how often 95 % intervals cover the truth, how often the same arm twice is called
different, and how many cases an experiment takes that stops when it is clear.
"""

import math
import random
import time
from collections.abc import Callable

from whet.stats.comparison import Kind, compare_cases
from whet.stats.describe import mean, standard_deviation
from whet.stats.intervals import t_interval
from whet.stats.power import cases_needed
from whet.stats.sequential import Sequential

Pair = tuple[float, float]
World = Callable[[random.Random, float], Pair]

EXPERIMENTS = 2000
PLANNED = 300


def scores(chance: random.Random, effect: float) -> Pair:
    """Scores of 0 to 100; cases differ much more than arms."""
    level = chance.gauss(60, 20)
    return chance.gauss(level + 30 * effect, 6), chance.gauss(level, 6)


def whole(chance: random.Random, effect: float) -> Pair:
    """One judge's whole number from 1 to 5."""
    level = chance.gauss(3.2, 0.8)
    first, second = (chance.gauss(level + shift, 0.7) for shift in (2 * effect, 0))
    return float(min(5, max(1, round(first)))), float(min(5, max(1, round(second))))


def passes(chance: random.Random, effect: float) -> Pair:
    """One run of each arm that passes or not; cases are between easy and hard."""
    level = min(0.95, max(0.05, chance.gauss(0.45, 0.2)))
    return float(chance.random() < min(1, level + effect)), float(chance.random() < level)


WORLDS: list[tuple[str, World, Kind]] = [
    ("scores", scores, "score"),
    ("whole numbers", whole, "score"),
    ("pass or fail", passes, "rate"),
]


def truth(world: World, effect: float) -> float:
    chance = random.Random(0)
    return mean([a - b for a, b in (world(chance, effect) for _ in range(200_000))])


def coverage(world: World, kind: Kind, cases: int) -> tuple[float, float, float]:
    """Coverage of ours, of Student's interval alone, and the false alarms of ours."""
    chance, true = random.Random(cases), truth(world, 0.25)
    ours = student = alarms = 0
    for _ in range(EXPERIMENTS):
        first, second = zip(*(world(chance, 0.25) for _ in range(cases)), strict=True)
        found = compare_cases(first, second, kind=kind).interval
        plain = t_interval([a - b for a, b in zip(first, second, strict=True)])
        assert found is not None
        assert plain is not None
        ours += found.low <= true <= found.high
        student += plain.low <= true <= plain.high
        first, second = zip(*(world(chance, 0) for _ in range(cases)), strict=True)
        alarms += compare_cases(first, second, kind=kind).label != "inconclusive"
    return ours / EXPERIMENTS, student / EXPERIMENTS, alarms / EXPERIMENTS


def stopping(effect: float) -> tuple[float, float, int | None]:
    """The share of experiments that decide, the cases they take, and a fixed design's cases.

    The fixed design has the same share of decisions, and knows the effect beforehand.
    """
    chance, decided = random.Random(1), 0
    used: list[float] = []
    for _ in range(EXPERIMENTS):
        process = Sequential(1)
        count = 0
        while count < PLANNED:
            count += 1
            first, second = passes(chance, effect)
            if process.add(first - second) != "inconclusive":
                decided += 1
                break
        used.append(count)
    power = decided / EXPERIMENTS
    fixed = None
    if effect > 0:
        # Stopped experiments are short when lucky: the spread is taken from fresh cases.
        fresh = [a - b for a, b in (passes(chance, effect) for _ in range(100_000))]
        fixed = cases_needed(mean(fresh), standard_deviation(fresh), wanted=min(power, 0.999))
    return power, mean(used), fixed


def main() -> None:
    begun = time.perf_counter()
    error = math.sqrt(0.05 * 0.95 / EXPERIMENTS)
    print(f"{EXPERIMENTS} experiments each; the standard error of 95 % is {100 * error:.1f} points")
    print(f"\n{'':16}{'cases':>6}{'covered':>9}{'Student':>9}{'A/A alarms':>12}")
    for name, world, kind in WORLDS:
        for cases in (5, 10, 30, 100):
            ours, student, alarms = coverage(world, kind, cases)
            print(f"{name:16}{cases:6}{ours:9.1%}{student:9.1%}{alarms:12.1%}")
    print(f"\nA look after every case, at most {PLANNED}, pass or fail")
    print(f"{'effect':>8}{'decided':>9}{'cases used':>12}{'fixed design':>14}{'saved':>8}")
    for effect in (0.0, 0.1, 0.15, 0.2, 0.3, 0.4):
        power, used, fixed = stopping(effect)
        saved = f"{1 - used / fixed:8.0%}" if fixed else ""
        print(f"{effect:8}{power:9.1%}{used:12.0f}{fixed or '':>14}{saved}")
    print(f"\n{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()

"""What stopping early saves, and how often it errs, in worlds with a known truth.

    make bench ARGS=adaptive

Suites of 30 evals with at most 5 runs each. *All runs* is what the same suite takes without
``--adaptive``. *Sized* is a fixed design that decides equally often by Student's test: it must know
effect and spread beforehand, and have as many evals as it takes.
"""

import random
import time
from statistics import median

from tests.evaluate.drawn import WORLDS, Eval, drawn, plan_of
from whet.stats.describe import mean, standard_deviation
from whet.stats.power import cases_needed

EXPERIMENTS = 400
EVALS, RUNS = 30, 5
EFFECTS = (0.0, 0.1, 0.2, 0.3)


def main() -> None:
    begun = time.perf_counter()
    plan = plan_of(EVALS, RUNS)
    print(f"{EXPERIMENTS} experiments each, {EVALS} evals, at most {RUNS} runs: {plan.size} trials")
    print(f"{'':16}{'effect':>7}{'decided':>9}{'wrong':>7}{'trials':>8}{'of all':>8}{'sized':>7}")
    for name, world in WORLDS.items():
        for effect in EFFECTS:
            chance = random.Random(1)
            found = [drawn(world, effect, plan, chance) for _ in range(EXPERIMENTS)]
            decided = sum(one.label in ("better", "worse") for one in found) / EXPERIMENTS
            wrong = (
                sum(
                    one.label == "worse" or not effect
                    for one in found
                    if one.stopped_because == "decided"
                )
                / EXPERIMENTS
            )
            trials = median(one.trials for one in found)
            fixed = sized(world, effect, decided) or ""
            print(
                f"{name:16}{effect:7}{decided:9.1%}{wrong:7.1%}{trials:8.0f}"
                f"{trials / plan.size:8.0%}{fixed:>7}"
            )
    print(f"{time.perf_counter() - begun:.0f} s")


def sized(world: Eval, effect: float, power: float) -> int | None:
    """Trials of a fixed design with one run of each eval that decides as often."""
    if not effect:
        return None
    chance, differences = random.Random(2), list[float]()
    for _ in range(20_000):
        first, second = world(chance, effect)
        differences.append(first(chance) - second(chance))
    spread = standard_deviation(differences)
    needed = cases_needed(mean(differences), spread, wanted=min(power, 0.999))
    return needed and 2 * needed


if __name__ == "__main__":
    main()

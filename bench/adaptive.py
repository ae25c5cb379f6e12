"""What stopping early saves, and how often it errs, in worlds with a known truth.

    make bench ARGS=adaptive

Suites of 30 evals with at most 5 runs each. *Trials* is the median, *of all* its share of what the
same suite takes without ``--adaptive``, and *all decide* how often Student's test over all those
runs calls the effect. *Sized* is a fixed design that decides as often as the adaptive one by
Student's test: it must know effect and spread beforehand, and have as many evals as it takes.
"""

import random
import time
from statistics import median

from tests.evaluate.drawn import WORLDS, Eval, drawn, plan_of
from whet.stats.describe import mean, standard_deviation
from whet.stats.power import cases_needed, power

EXPERIMENTS = 400
EVALS, RUNS = 30, 5
EFFECTS = (0.0, 0.1, 0.2, 0.3)


def main() -> None:
    begun = time.perf_counter()
    plan = plan_of(EVALS, RUNS)
    print(f"{EXPERIMENTS} experiments each, {EVALS} evals, at most {RUNS} runs: {plan.size} trials")
    print(
        f"{'':15}{'effect':>7}{'decided':>9}{'wrong':>7}{'trials':>8}{'of all':>8}"
        f"{'all decide':>12}{'sized':>7}"
    )
    for name, world in WORLDS.items():
        for effect in EFFECTS:
            chance = random.Random(1)
            found = [drawn(world, effect, plan, chance) for _ in range(EXPERIMENTS)]
            labels = [one.label for one in found]
            better, worse = (labels.count(label) / EXPERIMENTS for label in ("better", "worse"))
            trials = median(one.trials for one in found)
            wrong = worse if effect else better + worse
            fixed = f"{power(*spread(world, effect, RUNS), EVALS):12.1%}" if effect else ""
            print(
                f"{name:15}{effect:7}{better + worse:9.1%}{wrong:7.1%}{trials:8.0f}"
                f"{trials / plan.size:8.0%}{fixed:12}{sized(world, effect, better) or '':>7}"
            )
    print(f"{time.perf_counter() - begun:.0f} s")


def spread(world: Eval, effect: float, runs: int) -> tuple[float, float]:
    """The mean of eval differences, and their standard deviation."""
    chance, differences = random.Random(2), list[float]()
    for _ in range(10_000):
        first, second = world(chance, effect)
        differences.append(mean([first(chance) - second(chance) for _ in range(runs)]))
    return mean(differences), standard_deviation(differences)


def sized(world: Eval, effect: float, wanted: float) -> int | None:
    """Trials of a fixed design with one run of each eval that decides as often."""
    if not effect:
        return None
    needed = cases_needed(*spread(world, effect, 1), wanted=min(wanted, 0.999))
    return needed and 2 * needed


if __name__ == "__main__":
    main()

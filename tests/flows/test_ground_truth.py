"""Whole experiments in a world with a known truth, on the simulated agent and judge.

From the plan to the verdict in the benchmark, nothing is left out. ``tests/stats`` has thousands of
experiments on the statistics alone; here a hundred each show that nothing on the way spoils them.
The limits are such that chance alone would break one in a thousand times.
"""

import math
from collections.abc import Sequence

import pytest

from bench.ground_truth import World, alarms, covered
from whet.documents.verdict import Interval, Verdict
from whet.stats.comparison import fewest_cases

pytestmark = pytest.mark.slow

EXPERIMENTS = 100


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("world"))


def most(share: float) -> int:
    """What a count of experiments, each with this chance, exceeds one time in a thousand."""
    below = 0.0
    for count in range(EXPERIMENTS + 1):
        ways = math.comb(EXPERIMENTS, count)
        below += ways * share**count * (1 - share) ** (EXPERIMENTS - count)
        if below >= 0.999:
            return count
    return EXPERIMENTS


MOST_WRONG = most(0.05)


def narrowed(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The same with intervals of half their width."""
    changed: list[Verdict] = []
    for verdict in verdicts:
        assert verdict.interval is not None
        centre = (verdict.interval.low + verdict.interval.high) / 2
        quarter = (verdict.interval.high - verdict.interval.low) / 4
        half = Interval(low=centre - quarter, high=centre + quarter, level=0.95, method="")
        changed.append(verdict.model_copy(update={"interval": half}))
    return changed


def test_the_world_has_a_skill_that_helps(world: World) -> None:
    assert 0.1 < world.truth.score < 0.3
    assert 0.2 < world.truth.rate < 0.5


@pytest.mark.parametrize("evals", [5, 10, 30])
def test_scores_are_covered(world: World, evals: int) -> None:
    verdicts = [world.experiment(evals) for _ in range(EXPERIMENTS)]
    assert covered(world.truth.score, verdicts) >= EXPERIMENTS - MOST_WRONG
    assert all(verdict.excluded is None for verdict in verdicts)
    # Intervals that promise too much would be found out. Five evals say nothing of others, so their
    # interval touches zero, and is wider than it has to be.
    if evals >= fewest_cases():
        assert covered(world.truth.score, narrowed(verdicts)) < EXPERIMENTS - MOST_WRONG


def test_rates_are_covered(world: World) -> None:
    verdicts = [world.experiment(10, rubric=False) for _ in range(EXPERIMENTS)]
    assert covered(world.truth.rate, verdicts) >= EXPERIMENTS - MOST_WRONG


@pytest.mark.parametrize(("evals", "rubric"), [(5, True), (10, True), (10, False)])
def test_the_same_skill_twice_is_seldom_called_different(
    world: World,
    evals: int,
    rubric: bool,  # noqa: FBT001
) -> None:
    verdicts = [world.experiment(evals, rubric=rubric, same=True) for _ in range(EXPERIMENTS)]
    assert alarms(verdicts) <= MOST_WRONG
    # They are really tried apart: most do not come out the same. Shares of three expectations
    # over ten evals often do by chance, one time in five.
    assert sum(verdict.delta == 0 for verdict in verdicts) < EXPERIMENTS / 2

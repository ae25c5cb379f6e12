"""Experiments whose scores are drawn and not run: thousands of them, with a known truth."""

import asyncio
from collections.abc import Callable
from random import Random

from tests.evaluate.judges import design
from tests.evaluate.worlds import WITH, WITHOUT, cases
from whet.core.budget import Budget, Purse
from whet.core.grade import Grade
from whet.evaluate.adaptive import Outcome, StopRule, adaptive
from whet.evaluate.experiment import Experiment, Extent, Row
from whet.evaluate.plan import Design, cells
from whet.evaluate.verdict import Pairs, compare_pairs
from whet.testing.store import execution, record

Draw = Callable[[Random], float]
Arms = tuple[Draw, Draw]
"""What a run of an eval scores with and without the skill."""

Eval = Callable[[Random, float], Arms]
"""A new eval, at an average effect of the skill."""

DONE = record(execution(1))
GRADE = Grade(
    address="",
    trial="",
    generation=1,
    grader="drawn",
    grader_version="1",
    status="scored",
    score=0.0,
    evaluated_at="2024-01-01T00:00:00.000Z",
)


def scores(noise: float, unlike: float) -> Eval:
    """Scores with that much noise in a run; evals are *unlike* each other in the effect."""

    def new(chance: Random, effect: float) -> Arms:
        level = chance.gauss(0.5, 0.12)
        gain = chance.gauss(effect, unlike) if effect else 0.0

        def around(centre: float) -> Draw:
            return lambda chance: min(1.0, max(0.0, chance.gauss(centre, noise)))

        return around(level + gain), around(level)

    return new


def passes(chance: Random, effect: float) -> Arms:
    """Runs that pass or fail; evals are between easy and hard."""
    level = min(0.95, max(0.05, chance.gauss(0.45, 0.2)))
    rates = min(1.0, level + effect), level
    return (
        lambda chance: float(chance.random() < rates[0]),
        lambda chance: float(chance.random() < rates[1]),
    )


def shares(chance: Random, effect: float) -> Arms:
    """The share of three expectations that are met."""
    one, other = passes(chance, effect)
    return (
        lambda chance: sum(one(chance) for _ in range(3)) / 3,
        lambda chance: sum(other(chance) for _ in range(3)) / 3,
    )


WORLDS: dict[str, Eval] = {
    "steady scores": scores(0.1, 0.08),
    "noisy scores": scores(0.2, 0.12),
    "three expectations": shares,
    "pass or fail": passes,
}
GRAINS = {"pass or fail": 1.0, "three expectations": 1 / 3}
"""How coarse one run is; scores are not."""


class Drawn(Experiment):
    """Settles every place at once with a score by chance."""

    def __init__(self, evals: dict[str, Arms], chance: Random) -> None:
        object.__setattr__(self, "_evals", evals)
        object.__setattr__(self, "_chance", chance)

    _evals: dict[str, Arms]
    _chance: Random

    async def run(self, design: Design, purse: Purse, settled: Callable[[Row], None]) -> Extent:
        del purse
        for cell in cells(design):
            score = self._evals[cell.case.id][cell.arm is not WITH](self._chance)
            settled(Row(cell, "", DONE, GRADE.model_copy(update={"score": score})))
        return Extent(design.size, missing=design.size, ungraded=0)


def drawn(
    world: Eval, effect: float, plan: Design, chance: Random, rule: StopRule | None = None
) -> Outcome:
    """One adaptive run over new evals."""
    evals = {case.id: world(chance, effect) for case in plan.cases}
    experiment, purse = Drawn(evals, chance), Purse(Budget())

    def ignored(_row: Row) -> None:
        pass

    return asyncio.run(adaptive(experiment, plan, purse, ignored, rule or StopRule()))


def both(
    evals: dict[str, Arms], plan: Design, rule: StopRule, chance: Random
) -> tuple[Outcome, str]:
    """What an adaptive run comes to, and what a fixed run of the same size says of evals like these
    by the very same scores."""
    kept: dict[tuple[str, str, int], float] = {}
    for cell in cells(plan):
        score = evals[cell.case.id][cell.arm is not WITH](chance)
        kept[cell.arm.id, cell.case.id, cell.attempt] = score

    def ignored(_row: Row) -> None:
        pass

    found = asyncio.run(adaptive(Kept(kept), plan, Purse(Budget()), ignored, rule))
    attempts = range(plan.first, plan.first + plan.repeats)
    pairs = {
        case.id: [(kept[WITH.id, case.id, k], kept[WITHOUT.id, case.id, k]) for k in attempts]
        for case in plan.cases
    }
    fixed = compare_pairs(Pairs(WITH.id, WITHOUT.id, pairs), rule.grain)
    assert fixed is not None
    return found, fixed.like_these.label


class Kept(Experiment):
    """Settles every place with the score that was drawn for it before."""

    def __init__(self, kept: dict[tuple[str, str, int], float]) -> None:
        object.__setattr__(self, "_kept", kept)

    _kept: dict[tuple[str, str, int], float]

    async def run(self, design: Design, purse: Purse, settled: Callable[[Row], None]) -> Extent:
        del purse
        for cell in cells(design):
            score = self._kept[cell.arm.id, cell.case.id, cell.attempt]
            settled(Row(cell, "", DONE, GRADE.model_copy(update={"score": score})))
        return Extent(design.size, missing=design.size, ungraded=0)


def plan_of(count: int, runs: int) -> Design:
    return design([WITH, WITHOUT], cases(count), runs)

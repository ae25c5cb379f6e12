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


WORLDS: dict[str, Eval] = {
    "steady scores": scores(0.1, 0.08),
    "noisy scores": scores(0.2, 0.12),
    "pass or fail": passes,
}


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


def plan_of(count: int, runs: int) -> Design:
    return design([WITH, WITHOUT], cases(count), runs)

"""The judge: read the submission, look at every side, place it on the rubric's scales."""

import random
from collections.abc import Mapping

from whet.core.grade import DimensionScore
from whet.core.rubric import Rubric
from whet.judges.simulated.aspects import ASPECTS
from whet.judges.simulated.look import Look
from whet.judges.simulated.material import Material, read_material
from whet.judges.simulated.scale import on_scale, overall, side_of
from whet.judges.simulated.without_code import look_without_code
from whet.ports.judge import Submission


class SimulatedJudge:
    """Scores what was produced by static analysis, with a little seeded noise.

    It sees the case, the answer and the files. A dimension it cannot place by its name or
    description gets the overall impression.
    """

    name = "simulated"
    version = "1"
    simulated = True

    async def judge(
        self, submission: Submission, rubric: Rubric, seed: str
    ) -> Mapping[str, DimensionScore]:
        """Score every dimension of *rubric*."""
        material = read_material(submission)
        expected = submission.case.standard.expected or submission.case.stimulus.prompt
        looks = {side: _look(side, material, expected) for side in ASPECTS}
        general = overall({side: look.share for side, look in looks.items()})
        chance = random.Random(seed)
        scores: dict[str, DimensionScore] = {}
        for dimension in rubric.dimensions:
            side = side_of(dimension)
            share = general if side is None else looks[side].share
            evidence = looks["correctness" if side is None else side].evidence
            score = on_scale(dimension, share, chance)
            scores[dimension.name] = DimensionScore(score=score, evidence=evidence)
        return scores


def _look(side: str, material: Material, expected: str) -> Look:
    if material.facts is None:
        return look_without_code(side, material, expected)
    return ASPECTS[side](material, material.facts, expected)

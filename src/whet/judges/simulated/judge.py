"""The judge: read the submission, look at every side, place it on the rubric's scales."""

import random

from whet.core.grade import DimensionScore, JudgedExpectation, Judgement
from whet.core.rubric import Rubric
from whet.judges.simulated.advice import SIMULATED, suggestions
from whet.judges.simulated.aspects import ASPECTS
from whet.judges.simulated.expectation import coverage
from whet.judges.simulated.look import Look
from whet.judges.simulated.material import Material, read_material
from whet.judges.simulated.preference import preference
from whet.judges.simulated.scale import on_scale, overall, side_of
from whet.judges.simulated.without_code import look_without_code
from whet.ports.comparing import Preference
from whet.ports.judge import JudgeSetup, Submission


class SimulatedJudge:
    """Scores what was produced by static analysis, with a little seeded noise.

    It sees the case, the answer and the files. A dimension it cannot place by its name or
    description gets the overall impression. An expectation is met if most of what it names can
    be seen.
    """

    name = "simulated"
    version = "1"
    model = "simulated"
    simulated = True

    def __init__(self, _setup: JudgeSetup | None = None) -> None:
        pass

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        """See the port."""
        material = read_material(submission)
        standard = submission.case.standard
        looks = _looks(submission, material)
        general = overall({side: look.share for side, look in looks.items()})
        chance = random.Random(seed)
        scores: dict[str, DimensionScore] = {}
        for dimension in rubric.dimensions if rubric else ():
            side = side_of(dimension)
            share = general if side is None else looks[side].share
            evidence = looks["correctness" if side is None else side].evidence
            score = on_scale(dimension, share, chance)
            scores[dimension.name] = DimensionScore(score=score, evidence=evidence)
        expectations = tuple(_decided(text, material) for text in standard.expectations)
        return Judgement(
            scores=scores,
            expectations=expectations,
            suggestions=suggestions(submission, expectations, general),
            overall=SIMULATED if standard.needs_judge else "",
        )

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:  # noqa: ARG002
        """See the port. There is no chance in it."""
        return preference(*(_looks(one, read_material(one)) for one in (a, b)))


_MET = 0.75


def _looks(submission: Submission, material: Material) -> dict[str, Look]:
    expected = submission.case.standard.expected or submission.case.stimulus.prompt
    return {side: _look(side, material, expected) for side in ASPECTS}


def _look(side: str, material: Material, expected: str) -> Look:
    if material.facts is None:
        return look_without_code(side, material, expected)
    return ASPECTS[side](material, material.facts, expected)


def _decided(text: str, material: Material) -> JudgedExpectation:
    share, missing = coverage(text, material)
    language = 1 if material.chinese else 0
    lacking = ", ".join(label[language] for label in missing[:3])
    evidence = f"{share:.0%} of what it names can be seen" + (f"; not {lacking}" if lacking else "")
    return JudgedExpectation(text=text, passed=share >= _MET, evidence=evidence)

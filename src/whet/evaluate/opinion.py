"""What judges say, read with suspicion, and put together into a grade."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from whet.core.case import Standard
from whet.core.check import CheckResult, gate
from whet.core.grade import DimensionScore, JudgedExpectation, Judgement, Opinion
from whet.core.rubric import Rubric
from whet.core.text import storable
from whet.stats.describe import mean

EXPECTATIONS_SHARE = 0.4
RUBRIC_SHARE = 0.6
"""How much the two layers count where both are there."""

NOT_JUDGED = "not judged: a critical check failed"


class Reading(NamedTuple):
    """All that is known of one record."""

    standard: Standard
    rubric: Rubric | None
    checks: tuple[CheckResult, ...]
    opinions: tuple[Opinion, ...]


def read(judgement: Judgement, standard: Standard, rubric: Rubric | None) -> dict[str, object]:
    """The part of an opinion that the judge decides; totals are computed, ranges are checked."""
    scores = {name: dimension.score for name, dimension in judgement.scores.items()}
    # What it cost is told by what was asked, of whatever use that was.
    unscored = {"status": "unscored", "judgement": Judgement(asked=judgement.asked)}
    if rubric is not None and (misfit := rubric.misfit(scores)):
        return {**unscored, "error": f"the judge's scores do not fit: {misfit}"}
    if problem := _other_expectations(judgement, standard):
        return {**unscored, "error": f"the judge's answer does not fit: {problem}"}
    return {
        "status": "scored",
        "score": rubric.normalized(scores) if rubric is not None else None,
        "judgement": _clean(judgement, standard),
        **({"simulated": True} if judgement.simulated else {}),
    }


def combined(reading: Reading) -> dict[str, object]:
    """The part of a grade that its graders decide."""
    checked = gate(reading.checks)
    found: dict[str, object] = {
        "checks": reading.checks,
        "gate_passed": checked.gate_passed,
        "opinions": reading.opinions,
        "simulated": any(opinion.simulated for opinion in reading.opinions),
    }
    broken = [opinion for opinion in reading.opinions if opinion.status != "scored"]
    if broken:
        failed = any(opinion.status == "failed" for opinion in broken)
        return {**found, "status": "failed" if failed else "unscored", "error": broken[0].error}
    expectations = _majority(reading)
    dimensions = _averages(reading.rubric, reading.opinions)
    rubric_score = _rubric_score(reading)
    score = _score(reading, expectations, rubric_score)
    return {
        **found,
        "status": "unscored" if score is None else "scored",
        "score": score,
        "error": "nothing was checked or judged" if score is None else None,
        "dimensions": dimensions,
        "expectations": expectations,
        "rubric_score": rubric_score,
        "reasoning": _reasoning(reading.rubric, dimensions),
    }


def _score(
    reading: Reading, expectations: Sequence[JudgedExpectation], rubric_score: float | None
) -> float | None:
    checked = gate(reading.checks)
    total = checked.total + len(expectations)
    met = checked.passed + sum(expectation.passed for expectation in expectations)
    if reading.rubric is None:
        return met / total if total else None
    # A closed gate: the judges were not asked, and their part is not met.
    judged = rubric_score or 0.0
    if not total:
        return rubric_score
    return EXPECTATIONS_SHARE * met / total + RUBRIC_SHARE * judged


def _rubric_score(reading: Reading) -> float | None:
    scores = [opinion.score for opinion in reading.opinions if opinion.score is not None]
    return mean(scores) if scores else None


def _majority(reading: Reading) -> tuple[JudgedExpectation, ...]:
    """Each expectation as most opinions have it; a draw is not met."""
    texts = reading.standard.expectations
    if not reading.opinions:
        return tuple(JudgedExpectation(text=t, passed=False, evidence=NOT_JUDGED) for t in texts)
    decided: list[JudgedExpectation] = []
    for place, text in enumerate(texts):
        votes = [opinion.judgement.expectations[place] for opinion in reading.opinions]
        passed = 2 * sum(vote.passed for vote in votes) > len(votes)
        evidence = next(vote.evidence for vote in votes if vote.passed == passed)
        decided.append(JudgedExpectation(text=text, passed=passed, evidence=evidence))
    return tuple(decided)


def _averages(rubric: Rubric | None, opinions: Sequence[Opinion]) -> dict[str, DimensionScore]:
    if rubric is None or not opinions:
        return {}
    return {
        dimension.name: DimensionScore(
            score=mean([opinion.judgement.scores[dimension.name].score for opinion in opinions]),
            evidence=opinions[0].judgement.scores[dimension.name].evidence,
        )
        for dimension in rubric.dimensions
    }


def _reasoning(rubric: Rubric | None, scores: dict[str, DimensionScore]) -> str:
    if rubric is None or not scores:
        return ""
    return "; ".join(
        f"{d.name} {scores[d.name].score:g}/{d.maximum:g}: {scores[d.name].evidence}"
        for d in rubric.dimensions
    )


def _other_expectations(judgement: Judgement, standard: Standard) -> str | None:
    """Why the expectations that were decided are not those of the case, if they are not."""
    given, wanted = len(judgement.expectations), len(standard.expectations)
    if given != wanted:
        return f"{given} expectations are decided, the case has {wanted}"
    return None


def _clean(judgement: Judgement, standard: Standard) -> Judgement:
    """The same in text that can be stored; expectations are worded as the case has them."""
    plain = Judgement.model_validate(_storable(judgement.model_dump(mode="json")))
    decided = zip(plain.expectations, standard.expectations, strict=True)
    worded = tuple(one.model_copy(update={"text": text}) for one, text in decided)
    return plain.model_copy(update={"expectations": worded})


def _storable(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return storable(value)
        case list():
            return [_storable(item) for item in value]
        case dict():
            return {storable(name): _storable(item) for name, item in value.items()}
        case _:
            return value

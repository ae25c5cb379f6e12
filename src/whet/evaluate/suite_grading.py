"""``grading.json`` of one run: all that checks and judges found, structural results first."""

from collections.abc import Iterator
from pathlib import Path

from whet.core.grade import Grade, Opinion
from whet.core.rubric import Rubric
from whet.documents.grading import (
    Claim,
    EvalFeedback,
    Expectation,
    Grading,
    JudgeOpinion,
    PassSummary,
    RubricScore,
    RubricSummary,
    Suggestion,
)
from whet.evaluate.experiment import Row

DIGITS = 4

DECIDED = "grading.json"
UNDECIDED = "grading-undecided.json"
"""The grading of a run while some of its expectations are not decided: under another name, so that
no other tool takes what nobody decided for a failure, or for a pass."""


def grading_of(row: Row) -> Grading:
    """``grading.json`` of a run that has a record: also when gate, judge or agent failed."""
    expectations = tuple(expectations_of(row))
    passed = sum(expectation.passed for expectation in expectations)
    total = len(expectations)
    grade = row.grade
    rubric = row.cell.case.standard.rubric
    return Grading(
        expectations=expectations,
        summary=PassSummary(
            passed=passed,
            failed=total - passed,
            total=total,
            # Not rounded: whoever averages it comes to the numbers of the benchmark.
            pass_rate=passed / total if total else 0.0,
        ),
        rubric_scores=_rubric_scores(grade),
        rubric_summary=_rubric_summary(grade, rubric),
        claims=_claims(grade) or None,
        eval_feedback=_feedback(grade),
        gate_passed=grade.gate_passed if grade else None,
        grade_status=grade.status if grade else None,
        error=row.error or (grade.error if grade else None),
        simulated=is_simulated(row) or None,
        overall_efficiency=_rounded(efficiency(row)),
        run_status=row.record.status if row.record else None,
        judges=_opinions(grade) or None,
        trial_address=row.trial,
        grade_address=grade.address if grade else None,
    ).lean()


def pass_rate(row: Row) -> float | None:
    """The share of expectations that were met; None where there are none, or some are not decided
    because a judge gave no usable answer."""
    standard = row.cell.case.standard
    if row.status == "failed":
        return 0.0 if standard.checks or standard.expectations else None
    grade = row.grade
    if grade is None or len(grade.expectations) < len(standard.expectations):
        return None
    return grade.pass_rate


def find_grading(folder: Path) -> Path:
    """Where the grading of the run in *folder* lies, be it whole or not."""
    unfinished = folder / UNDECIDED
    return unfinished if unfinished.is_file() else folder / DECIDED


def efficiency(row: Row) -> float | None:
    """The score of a run: an agent that failed has 0, what nobody could score has none."""
    if row.record is None:
        return None
    if row.record.status == "failed":
        return 0.0
    return row.grade.score if row.grade else None


def expectations_of(row: Row) -> Iterator[Expectation]:
    """Those that were checked, then those that were judged; an agent that failed met none."""
    standard = row.cell.case.standard
    if row.grade is None:
        failed = row.status == "failed"
        why = f"the run failed: {row.error or 'no reason given'}" if failed else "not graded"
        for spec in standard.checks:
            yield Expectation(
                text=spec.description or spec.id,
                passed=False,
                evidence=why,
                id=spec.id,
                type=spec.type,
                critical=spec.critical,
            )
        for text in standard.expectations:
            yield Expectation(text=text, passed=False, evidence=why, judged=True)
        return
    for result in row.grade.checks:
        if not result.skipped:
            yield Expectation(
                text=result.text,
                passed=result.passed,
                evidence=result.evidence,
                id=result.id,
                type=result.type,
                critical=result.critical,
                vacuous=result.vacuous or None,
            ).lean()
    for one in row.grade.expectations:
        yield Expectation(text=one.text, passed=one.passed, evidence=one.evidence, judged=True)


def _rubric_scores(grade: Grade | None) -> dict[str, RubricScore] | None:
    if grade is None or not grade.dimensions:
        return None
    return {
        name: RubricScore(score=_number(each.score), evidence=each.evidence)
        for name, each in grade.dimensions.items()
    }


def _rubric_summary(grade: Grade | None, rubric: Rubric | None) -> RubricSummary | None:
    """The weighted mean on the scale of the rubric; null where nobody gave scores."""
    if grade is None or rubric is None:
        return None
    highest = max(dimension.maximum for dimension in rubric.dimensions)
    share = grade.rubric_score
    return RubricSummary(
        weighted_mean=_rounded(None if share is None else share * highest),
        max_possible=float(highest),
        normalized=_rounded(share),
    )


def _claims(grade: Grade | None) -> tuple[Claim, ...]:
    found: dict[str, Claim] = {}
    for opinion in grade.opinions if grade else ():
        for each in opinion.judgement.claims:
            claim = Claim.model_validate(each.model_dump())
            found.setdefault(claim.claim, claim)
    return tuple(found.values())


def _feedback(grade: Grade | None) -> EvalFeedback | None:
    opinions = grade.opinions if grade else ()
    suggestions = [
        Suggestion(assertion=one.assertion, reason=one.reason).lean()
        for opinion in opinions
        for one in opinion.judgement.suggestions
    ]
    overall = " ".join(filter(None, (opinion.judgement.overall for opinion in opinions)))
    if not suggestions and not overall:
        return None
    return EvalFeedback(suggestions=tuple(suggestions), overall=overall)


def _opinions(grade: Grade | None) -> tuple[JudgeOpinion, ...]:
    return tuple(map(_opinion, grade.opinions)) if grade else ()


def _opinion(opinion: Opinion) -> JudgeOpinion:
    scores = {name: _number(each.score) for name, each in opinion.judgement.scores.items()}
    return JudgeOpinion(
        judge=opinion.judge,
        model=opinion.model,
        reading=opinion.repeat,
        status=opinion.status,
        rubric_normalized=_rounded(opinion.score),
        rubric_scores=scores or None,
        error=opinion.error,
    ).lean()


def is_simulated(row: Row) -> bool:
    """Whether the agent or a judge behind it is a simulated one."""
    return any(source is not None and source.simulated for source in (row.record, row.grade))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _number(value: float) -> int | float:
    """Whole scores are written as whole numbers."""
    return int(value) if value.is_integer() else round(value, DIGITS)

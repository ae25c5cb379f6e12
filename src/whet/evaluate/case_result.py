"""A settled place of a project as the document that tells of it."""

from whet.core.case import Standard
from whet.core.check import CheckResult
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.documents.project import BaselineRef, ProjectConfig, SkillRef
from whet.documents.result import CaseResult, CheckOutcome, Scores
from whet.evaluate import context
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.case_score import DIGITS, CaseScore, case_score
from whet.evaluate.experiment import Row

RATE_DIGITS = 4


def file_name(case: str, attempt: int) -> str:
    """The name of the file for an attempt at a case."""
    return f"{case}.json" if attempt == 1 else f"{case}.run-{attempt}.json"


def case_result(
    row: Row, skill: SkillRef, baseline: BaselineRef, config: ProjectConfig
) -> CaseResult:
    """The document, in the project of that configuration."""
    record, grade, standard = row.record, row.grade, row.cell.case.standard
    found = case_score(grade, standard)
    tokens = record.estimated_tokens if record else None
    threshold = config.context_config.token_threshold
    usage = record.usage if record and _is_known(record) else None
    return CaseResult(
        case_id=row.cell.case.id,
        skill_id=skill.ref_id,
        skill_version=skill.version,
        baseline_id=baseline.ref_id,
        baseline_version=baseline.version,
        executed_at=record.started_at if record else None,
        status=row.status,
        input=row.cell.case.stimulus.prompt,
        expected_output=standard.expected,
        actual_output=record.answer if record else "",
        duration_ms=record.duration_ms if record else 0,
        cli_version=record.engine_version if record else None,
        model_version=record.model if record else config.cli_config.model,
        error=row.error or (grade.error if grade else None),
        scores=_scores(found, standard),
        score_reasoning=found.reasoning,
        score_evaluated_at=grade.evaluated_at if grade else None,
        trial_address=row.trial,
        attempt=row.cell.attempt,
        generation=record.generation if record else None,
        grade_status=grade.status if grade else None,
        simulated=is_simulated(row),
        engine=record.engine if record else None,
        sandbox=record.sandbox if record else None,
        input_tokens=usage.known(usage.input_tokens) if usage else None,
        output_tokens=usage.known(usage.output_tokens) if usage else None,
        cost_usd=usage.cost_usd if usage else None,
        estimated_tokens=tokens,
        context_risk=None if tokens is None else context.risk(tokens, threshold),
        session=record.session if record else None,
        check_pass_rate=rounded_rate(found.check_pass_rate),
        gate_passed=found.gate_passed,
        checks=tuple(map(_check, grade.checks)) if grade and grade.checks else None,
    ).lean()


def is_simulated(row: Row) -> bool:
    """Whether the agent or the judge behind it is a simulated one."""
    return any(source is not None and source.simulated for source in (row.record, row.grade))


def _is_known(record: TrialRecord) -> bool:
    """Whether its usage was measured; an imported answer may come without."""
    return record.generation != IMPORTED or record.usage != Usage()


def rounded_rate(rate: float | None) -> float | None:
    """A share of checks as documents have it."""
    return None if rate is None else round(rate, RATE_DIGITS)


def _check(result: CheckResult) -> CheckOutcome:
    return CheckOutcome(
        id=result.id,
        type=result.type,
        text=result.text,
        outcome=result.outcome,
        evidence=result.evidence,
        critical=result.critical,
        error=result.error,
    ).lean()


def _scores(found: CaseScore, standard: Standard) -> Scores:
    """Every dimension of the rubric, null where nobody scored it."""
    names = [one.name for one in standard.rubric.dimensions] if standard.rubric else []
    dimensions: dict[str, int | float | None] = dict.fromkeys(names)
    if found.score is None:
        return Scores.of(dimensions, None)
    dimensions |= {name: _number(score) for name, score in found.dimensions.items()}
    return Scores.of(dimensions, _number(round(found.score * PERCENT, DIGITS)))


def _number(value: float) -> int | float:
    """Whole scores are written as whole numbers."""
    return int(value) if value.is_integer() else value

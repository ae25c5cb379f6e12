"""A settled place of a project as the document that tells of it."""

from whet.core.grade import Grade
from whet.core.rubric import Rubric
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.documents.project import BaselineRef, ProjectConfig, SkillRef
from whet.documents.result import CaseResult, Scores
from whet.evaluate import context
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.experiment import Row

DIGITS = 2


def file_name(case: str, attempt: int) -> str:
    """The name of the file for an attempt at a case."""
    return f"{case}.json" if attempt == 1 else f"{case}.run-{attempt}.json"


def case_result(
    row: Row, skill: SkillRef, baseline: BaselineRef, config: ProjectConfig
) -> CaseResult:
    """The document, in the project of that configuration."""
    record, grade = row.record, row.grade
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
        expected_output=row.cell.case.standard.expected,
        actual_output=record.answer if record else "",
        duration_ms=record.duration_ms if record else 0,
        cli_version=record.engine_version if record else None,
        model_version=record.model if record else config.cli_config.model,
        error=row.error or (grade.error if grade else None),
        scores=_scores(grade, row.cell.case.standard.rubric),
        score_reasoning=grade.reasoning if grade else "",
        score_evaluated_at=grade.evaluated_at if grade else None,
        trial_address=row.trial,
        attempt=row.cell.attempt,
        generation=record.generation if record else None,
        grade_status=grade.status if grade else None,
        simulated=is_simulated(row),
        engine=record.engine if record else None,
        sandbox=record.sandbox if record else None,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        cost_usd=usage.cost_usd if usage else None,
        estimated_tokens=tokens,
        context_risk=None if tokens is None else context.risk(tokens, threshold),
        session=record.session if record else None,
    ).lean()


def is_simulated(row: Row) -> bool:
    """Whether the agent or the judge behind it is a simulated one."""
    return any(source is not None and source.simulated for source in (row.record, row.grade))


def _is_known(record: TrialRecord) -> bool:
    """Whether its usage was measured; an imported answer may come without."""
    return record.generation != IMPORTED or record.usage != Usage()


def _scores(grade: Grade | None, rubric: Rubric | None) -> Scores:
    """Every dimension of the rubric, null where nobody scored it."""
    found: dict[str, int | float | None] = {}
    if rubric is not None:
        found = dict.fromkeys(dimension.name for dimension in rubric.dimensions)
    if grade is None or grade.score is None:
        return Scores.of(found, None)
    found |= {name: _number(dimension.score) for name, dimension in grade.dimensions.items()}
    return Scores.of(found, _number(round(grade.score * PERCENT, DIGITS)))


def _number(value: float) -> int | float:
    """Whole scores are written as whole numbers."""
    return int(value) if value.is_integer() else value

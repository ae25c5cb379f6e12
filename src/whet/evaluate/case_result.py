"""A settled place of a project as the document that tells of it."""

from whet.core.grade import Grade
from whet.core.rubric import Rubric
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.documents.project import BaselineRef, ProjectConfig, SkillRef
from whet.documents.result import CaseResult, Scores
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.experiment import Row

DIGITS = 2
CONTEXTS = "contexts"
"""The folder of a project for the logs of long conversations."""


def file_name(case: str, attempt: int) -> str:
    """The name of the file for an attempt at a case."""
    return f"{case}.json" if attempt == 1 else f"{case}.run-{attempt}.json"


def place_of(row: Row, config: ProjectConfig) -> str:
    """Where a place of a project has its file, below the folder for files of that kind."""
    cell, several = row.cell, len(config.baselines) > 1
    folder = f"{cell.arm.id}/{cell.case.set}" if several else cell.arm.id
    return f"{folder}/{file_name(cell.case.id, cell.attempt)}"


def case_result(
    row: Row, skill: SkillRef, baseline: BaselineRef, config: ProjectConfig
) -> CaseResult:
    """The document of a place of the project with that configuration."""
    record, grade = row.record, row.grade
    is_long = exceeds(row, config)
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
        context_tokens=record.context_tokens if record else None,
        context_exceeded=is_long or None,
        context_export=(
            f"{CONTEXTS}/{place_of(row, config)}"
            if is_long and config.context_config.auto_export
            else None
        ),
        session=record.session if record else None,
    ).lean()


def exceeds(row: Row, config: ProjectConfig) -> bool:
    """Whether the conversation is longer than the project cares for."""
    tokens = row.record.context_tokens if row.record else None
    return tokens is not None and tokens > config.context_config.token_threshold


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

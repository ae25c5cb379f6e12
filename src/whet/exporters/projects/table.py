"""The results of a project as a table for spreadsheets: one row for each result."""

import csv
import io
from collections.abc import Iterator

from whet.core.case import Case
from whet.core.spreadsheet import guarded
from whet.documents.project import BaselineRef, SkillRef
from whet.documents.result import CaseResult, CheckOutcome
from whet.exporters.plain import page
from whet.ports.project_exporter import ProjectReport

KNOWN = (
    "project",
    "skill_id",
    "skill_name",
    "skill_version",
    "baseline_id",
    "baseline_name",
    "baseline_version",
    "case_id",
    "case_name",
    "category",
    "weight",
    "attempt",
    "status",
    "grade_status",
    "score",
    "check_pass_rate",
    "gate_passed",
)
MEASURED = (
    "error",
    "duration_ms",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "engine",
    "engine_version",
    "model",
    "sandbox",
    "simulated",
    "executed_at",
    "trial_address",
    "input",
    "expected_output",
    "answer",
    "reasoning",
    "checks",
)
BOM = "\ufeff"
"""Tells spreadsheets that it is UTF-8."""

LONGEST_CELL = 32_000
"""Characters; spreadsheets take 32,767 and break the row beyond."""

Cell = str | int | float | None
"""None is an empty cell; a number stays a number."""


class CsvExporter:
    """``ports.project_exporter.ProjectExporter``. Long texts are cut: no cell may be longer."""

    name = "csv"
    suffix = ".csv"

    def export(self, report: ProjectReport, language: str) -> str:  # noqa: ARG002 - for machines
        """See the port."""
        found = [result for _, result in _rows(report)]
        dimensions = list(dict.fromkeys(name for one in found for name in one.scores.dimensions))
        buffer = io.StringIO(newline="")
        buffer.write(BOM)
        writer = csv.writer(buffer)
        writer.writerow([*KNOWN, *(_text(f"score_{name}") for name in dimensions), *MEASURED])
        for before, result in _rows(report):
            writer.writerow([*before, *_measured(result, dimensions)])
        return buffer.getvalue()


def _rows(report: ProjectReport) -> Iterator[tuple[list[Cell], CaseResult]]:
    """Every result, with the cells that say what it is a result of."""
    for one in report.cases:
        for skill, attempts in zip(report.config.skills, one.results, strict=True):
            for result in attempts:
                before = _place(report.config.name, skill, one.baseline, one.case)
                yield [*before, *_outcome(result)], result


def _place(project: str, skill: SkillRef, baseline: BaselineRef, case: Case) -> list[Cell]:
    texts = (
        project,
        skill.ref_id,
        skill.name,
        skill.version,
        baseline.ref_id,
        baseline.name,
        baseline.version,
        case.id,
        case.name,
        case.category,
    )
    return [*map(_text, texts), case.standard.weight]


def _outcome(result: CaseResult) -> list[Cell]:
    return [
        result.attempt,
        result.status,
        result.grade_status,
        result.scores.total,
        result.check_pass_rate,
        _flag(result.gate_passed),
    ]


def _measured(result: CaseResult, dimensions: list[str]) -> list[Cell]:
    scores = result.scores.dimensions
    return [
        *(scores.get(name) for name in dimensions),
        _text(result.error or ""),
        result.duration_ms if result.executed_at is not None else None,
        result.input_tokens,
        result.output_tokens,
        result.cost_usd,
        _text(result.engine or ""),
        _text(result.cli_version or ""),
        _text(result.model_version),
        _text(result.sandbox or ""),
        _flag(result.simulated),
        _text(result.executed_at or ""),
        _text(result.trial_address or ""),
        _text(result.input),
        _text(result.expected_output),
        _text(result.actual_output),
        _text(result.score_reasoning),
        _text("; ".join(map(_check, result.checks or ()))),
    ]


def _check(check: CheckOutcome) -> str:
    because = check.error or check.evidence
    return f"{check.id} {check.outcome}{f': {because}' if because else ''}"


def _flag(value: bool | None) -> str | None:  # noqa: FBT001 - a cell has one value
    return None if value is None else str(value).lower()


def _text(text: str) -> str:
    return guarded(page(text, LONGEST_CELL))

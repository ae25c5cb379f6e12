"""The items of a capability run as a table for spreadsheets: one row for each case."""

import csv
import io
import json

from pydantic import JsonValue

from whet.core.spreadsheet import guarded
from whet.documents.capability import EvaluationItem, EvaluationRun
from whet.exporters.plain import page
from whet.exporters.projects.table import BOM, LONGEST_CELL, Cell
from whet.ports.capability_exporter import CapabilityReport

COLUMNS = (
    "run_id",
    "model_name",
    "engine",
    "engine_version",
    "language",
    "case_set",
    "case_id",
    "dimension",
    "tags",
    "status",
    "score",
    "max_score",
    "weight",
    "skip_reason",
    "error",
    "elapsed_s",
    "cost_usd",
    "simulated",
    "started_at",
    "finished_at",
    "session_id",
    "trial",
    "prompt",
    "final_answer",
    "tool_calls",
    "checker_detail",
)


class CsvExporter:
    """``ports.capability_exporter.CapabilityExporter``. Long texts are cut to what cells hold."""

    name = "csv"
    suffix = ".csv"

    def export(self, report: CapabilityReport, language: str) -> str:  # noqa: ARG002 - for machines
        """See the port."""
        buffer = io.StringIO(newline="")
        buffer.write(BOM)
        writer = csv.writer(buffer)
        writer.writerow(COLUMNS)
        for item in report.detail.items:
            writer.writerow([*_of_run(report.detail.run), *_of_item(item)])
        return buffer.getvalue()


def _of_run(run: EvaluationRun) -> list[Cell]:
    told = (run.run_id, run.model_name, run.engine, run.engine_version, run.language, run.case_set)
    return [_text(text) for text in told]


def _of_item(item: EvaluationItem) -> list[Cell]:
    calls: list[JsonValue] = [call.to_data() for call in item.tool_calls]
    return [
        _text(item.case_id),
        item.dimension,
        _text(" ".join(item.tags)),
        item.status,
        item.score,
        item.max_score,
        item.weight,
        _text(item.skip_reason),
        _text(item.error),
        item.elapsed_s,
        item.cost_usd,
        None if item.simulated is None else str(item.simulated).lower(),
        *map(_text, (item.started_at, item.finished_at, item.session_id, item.trial)),
        _text(item.prompt),
        _text(item.final_answer),
        _json(calls) if calls else None,
        _json(item.checker_detail) if item.checker_detail is not None else None,
    ]


def _json(value: JsonValue) -> str:
    return _text(json.dumps(value, ensure_ascii=False))


def _text(text: str | None) -> str:
    return guarded(page(text or "", LONGEST_CELL))

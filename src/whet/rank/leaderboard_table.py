"""The leaderboard as a table for spreadsheets, row by row."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping

from whet.core.spreadsheet import guarded
from whet.core.text import storable
from whet.ports.board_row import BoardRow
from whet.rank.leaderboard import staleness_of

COLUMNS = (
    *("skill_id", "skill_name", "skill_version_tested", "skill_version_current"),
    *("baseline_id", "baseline_name", "baseline_version_tested", "baseline_version_current"),
    *("avg_score", "interval_low", "interval_high", "interval_level", "score_breakdown"),
    *("project_id", "project_name", "tested_at", "case_count", "completed_cases"),
    *("failed_cases", "staleness", "simulated"),
    *("check_pass_rate", "gate_failed_cases", "mixed_rubrics"),
)
MARK = "\ufeff"
"""By which spreadsheets know that it is UTF-8."""


def as_csv(rows: Iterable[BoardRow]) -> Iterator[bytes]:
    """A header, and one line for each row; empty cells are unknown."""
    yield (MARK + _line(COLUMNS)).encode()
    for row in rows:
        cells = _cells(row)
        yield _line(_cell(cells[column]) for column in COLUMNS).encode()


def _cells(row: BoardRow) -> dict[str, object]:
    cells: dict[str, object] = {
        column: getattr(row, column) for column in COLUMNS if column in BoardRow.__slots__
    }
    interval = row.interval or {}
    return cells | {
        "interval_low": interval.get("low"),
        "interval_high": interval.get("high"),
        "interval_level": interval.get("level"),
        "staleness": staleness_of(row),
        "mixed_rubrics": ", ".join(row.mixed_rubrics) if row.mixed_rubrics else None,
    }


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guarded(storable(value))
    return json.dumps(value) if isinstance(value, Mapping | bool | int | float) else str(value)


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()

"""Results as the index keeps them."""

import json
import sqlite3
from collections.abc import Sequence

from whet.ports.board_row import BoardRow

_ROWS = """
SELECT results.number, record, skill.version, baseline.version
FROM results JOIN records USING (number)
JOIN tested AS s ON s.number = results.skill
JOIN tested AS b ON b.number = results.baseline
LEFT JOIN assets AS skill ON skill.kind = 'skill' AND skill.id = s.id
LEFT JOIN assets AS baseline ON baseline.kind = 'baseline' AND baseline.id = b.id
WHERE results.number IN (SELECT value FROM json_each(?))
"""
_LIVE = ("skill_version_current", "baseline_version_current")
"""What the library says, not the project."""

_SAID = tuple(name for name in BoardRow.__slots__ if name not in _LIVE)


def as_record(row: BoardRow) -> str:
    """All that a project says of a result."""
    return json.dumps({name: getattr(row, name) for name in _SAID})


def rows(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[BoardRow]:
    """The results with these numbers, in the same order; those that are gone are left out."""
    found = connection.execute(_ROWS, (json.dumps(numbers),))
    by_number = {number: _row(*rest) for number, *rest in found}
    return [by_number[number] for number in numbers if number in by_number]


def _row(record: str, skill: str | None, baseline: str | None) -> BoardRow:
    said = json.loads(record)
    said["mixed_rubrics"] = tuple(said["mixed_rubrics"]) if said["mixed_rubrics"] else None
    return BoardRow(**said, skill_version_current=skill, baseline_version_current=baseline)

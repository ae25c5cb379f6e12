"""Results baseline by baseline, one page of baselines with a page of results on each."""

import sqlite3
from typing import NamedTuple

from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardGroup
from whet.stores.index.query import offset, offset_of
from whet.stores.index.results import Fitting, fitting, on_boards
from whet.stores.index.rows import rows

_GROUPS = """
SELECT counted.baseline, counted.records, counted.skills, tested.id,
    coalesce(assets.name, newest.baseline_name), coalesce(assets.purpose, newest.purpose),
    coalesce(assets.case_count, newest.case_count), assets.version, count(*) OVER ()
FROM ({counted}) AS counted
JOIN boards ON boards.archived = ? AND boards.baseline = counted.baseline
JOIN tested ON tested.number = counted.baseline
JOIN results AS newest ON newest.number = boards.newest
LEFT JOIN assets ON assets.kind = 'baseline' AND assets.id = tested.id
ORDER BY counted.records DESC, 5, tested.id LIMIT ? OFFSET ?
"""


class _Counted(NamedTuple):
    """A baseline, and how much there is on it; *skills* may be unknown yet."""

    number: int
    records: int
    skills: int | None
    id: str
    name: str
    purpose: str
    case_count: int
    version: str | None
    total: int
    """Of all baselines."""


def groups(connection: sqlite3.Connection, query: BoardQuery) -> tuple[list[BoardGroup], int]:
    """One page of baselines, and how many there are."""
    first = offset_of(query)
    offset(query.records_page, query.records_page_size)
    wanted = fitting(query)
    found = _counted(connection, query, wanted, first, query.page_size)
    total = found[0].total if found else 0
    if first and not found:
        total = sum(one.total for one in _counted(connection, query, wanted, 0, 1))
    return [_group(connection, query, wanted.on(one.number), one) for one in found], total


def _counted(
    connection: sqlite3.Connection, query: BoardQuery, wanted: Fitting, first: int, size: int
) -> list[_Counted]:
    if wanted.counted is None:
        # Different skills are counted for the page only, which is much less work.
        wanted, values = wanted.by_baseline(), wanted.values
        columns = "baseline, count(*) AS records, NULL AS skills"
        counted = f"{wanted.select(columns)} GROUP BY baseline"
    else:
        where, values = on_boards(query)
        skills = "current_skills" if query.current_only else "skills"
        columns = f"baseline, {wanted.counted} AS records, {skills} AS skills"
        counted = f"SELECT {columns} FROM boards WHERE {where} AND {wanted.counted}"
    rows = connection.execute(
        _GROUPS.format(counted=counted), (*values, int(query.archived), size, first)
    )
    return [_Counted(*row) for row in rows]


def _group(
    connection: sqlite3.Connection, query: BoardQuery, wanted: Fitting, found: _Counted
) -> BoardGroup:
    skills = found.skills
    if skills is None:
        statement = wanted.select("count(DISTINCT skill)")
        (skills,) = connection.execute(statement, wanted.values).fetchone()
    start = offset(query.records_page, query.records_page_size)
    numbers = wanted.numbers(connection, query.records_page_size, start)
    return BoardGroup(
        baseline_id=found.id,
        baseline_name=found.name,
        baseline_purpose=found.purpose,
        baseline_case_count=found.case_count,
        baseline_version_current=found.version,
        skill_count=skills,
        record_count=found.records,
        records=tuple(rows(connection, numbers)),
    )

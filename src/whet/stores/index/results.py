"""Which results fit a question, in which order, one page of them."""

import sqlite3
from dataclasses import dataclass, replace

from whet.core.errors import NotFound, UsageError
from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardRow
from whet.ports.listing import Kind
from whet.stores.index.query import SHORTEST_PREFIX, find, offset_of
from whet.stores.index.rows import rows
from whet.stores.index.schema import NEVER, as_column, seconds

_MERIT = "score DESC, completed DESC, tested_at DESC, tie"
"""Nulls come last when it goes down."""

_WITH_PURPOSE = """
+baseline IN (
    SELECT boards.baseline FROM boards
    JOIN tested ON tested.number = boards.baseline
    JOIN results AS newest ON newest.number = boards.newest
    LEFT JOIN assets ON assets.kind = 'baseline' AND assets.id = tested.id
    WHERE boards.archived = ? AND coalesce(assets.purpose, newest.purpose) = ?
)
"""
"""With its plus the baseline is only compared: rows are wanted in their order."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Rows of ``results`` that fit a question: a condition, its values, the index to go by, and
    which column of ``boards`` counts them, if any does."""

    where: str
    values: tuple[str | float, ...]
    index: str
    counted: str | None

    def by_baseline(self) -> "Fitting":
        """The same for one baseline after the other."""
        return replace(self, index="merits_on" if self.index == "merits" else self.index)

    def on(self, baseline: int) -> "Fitting":
        """Those on one baseline."""
        where, values = f"{self.where} AND baseline = ?", (*self.values, baseline)
        return replace(self.by_baseline(), where=where, values=values)

    def select(self, columns: str) -> str:
        """A statement without an order."""
        return f"SELECT {columns} FROM results INDEXED BY {self.index} WHERE {self.where}"

    def numbers(
        self, connection: sqlite3.Connection, limit: int = -1, offset: int = 0
    ) -> list[int]:
        """The best first."""
        found = connection.execute(
            f"{self.select('number')} ORDER BY {_MERIT} LIMIT ? OFFSET ?",
            (*self.values, limit, offset),
        )
        return [number for (number,) in found]


def fitting(query: BoardQuery) -> Fitting:
    """The rows that *query* asks for."""
    found = ["archived = ?"]
    values: list[str | float] = [int(query.archived)]
    for kind, wanted in (("skill", query.skill), ("baseline", query.baseline)):
        if wanted is not None:
            found.append(f"{kind} = (SELECT number FROM tested WHERE kind = '{kind}' AND id = ?)")
            values.append(as_column(wanted))
    if query.purpose is not None:
        found.append(_WITH_PURPOSE)
        values += [int(query.archived), as_column(query.purpose)]
    for order, moment in ((">=", query.since), ("<=", query.until)):
        if moment is not None:
            found.append(f"tested_at {order} ?")
            values.append(seconds(moment))
    if query.current_only:
        found.append("is_current")
    if query.by_version:
        found.append("replaced_at > ?")
        values.append(seconds(query.until) if query.until else NEVER - 1)
    return Fitting(" AND ".join(found), tuple(values), _index(query), _counted(query))


def on_boards(query: BoardQuery) -> tuple[str, tuple[str | float, ...]]:
    """The same for rows of ``boards``, where they count it: a condition, and its values."""
    rest = BoardQuery(baseline=query.baseline, purpose=query.purpose, archived=query.archived)
    kept = fitting(rest)
    return kept.where, kept.values


def results(connection: sqlite3.Connection, query: BoardQuery) -> tuple[list[BoardRow], int]:
    """One page of results, and how many there are."""
    offset = offset_of(query)
    wanted = fitting(query)
    numbers = wanted.numbers(connection, query.page_size, offset)
    return rows(connection, numbers), _total(connection, query, wanted)


def history(connection: sqlite3.Connection, skill: str) -> list[BoardRow]:
    """All results of a skill, the oldest first."""
    wanted = fitting(BoardQuery(skill=skill))
    found = connection.execute(
        f"{wanted.select('number')} ORDER BY tested_at, skill_version, tie", wanted.values
    )
    return rows(connection, [number for (number,) in found])


def tested(connection: sqlite3.Connection, kind: Kind, reference: str) -> str:
    """The id of the asset that is meant, whether the library has it or not."""
    try:
        return find(connection, kind, reference).meta.id
    except NotFound:
        found = connection.execute(
            "SELECT id FROM tested WHERE kind = ?1 AND (id = ?2 OR"
            " (length(?2) >= ?3 AND substr(id, 1, length(?2)) = ?2)) ORDER BY id <> ?2, id LIMIT 2",
            (kind, as_column(reference), SHORTEST_PREFIX),
        ).fetchall()
        if not found:
            raise
    first, *more = [identity for (identity,) in found]
    if more and first != as_column(reference):
        raise UsageError(
            f"{reference[:200]!r} is several {kind}s; use an id: {first}, {more[0]}, …"
        )
    return first


def _total(connection: sqlite3.Connection, query: BoardQuery, wanted: Fitting) -> int:
    statement, values = wanted.select("count(*)"), wanted.values
    if wanted.counted is not None:
        where, values = on_boards(query)
        statement = f"SELECT coalesce(sum({wanted.counted}), 0) FROM boards WHERE {where}"
    (total,) = connection.execute(statement, values).fetchone()
    return total


def _index(query: BoardQuery) -> str:
    if query.skill is not None:
        return "tests"
    return "merits" if query.baseline is None else "merits_on"


def _counted(query: BoardQuery) -> str | None:
    """The column of ``boards`` that has the number of these on each baseline."""
    if query.skill is not None or query.since is not None or query.until is not None:
        return None
    column = "latest" if query.by_version else "tests"
    return f"current_{column}" if query.current_only else column

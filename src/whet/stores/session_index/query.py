"""Lists of sessions, and the one that a reference means."""

import sqlite3
from collections.abc import Iterator, Sequence

from whet.core.errors import NotFound, UsageError
from whet.core.text import folded
from whet.ports.index import Broken
from whet.ports.session_entry import SessionEntry
from whet.ports.session_query import LISTED, SessionQuery
from whet.stores.index.query import SHORTEST_PREFIX, offset
from whet.stores.index.schema import as_column
from whet.stores.session_index.shelve import entries

LATEST = "latest"
_NAMED = 5


def page_of(connection: sqlite3.Connection, query: SessionQuery) -> tuple[list[SessionEntry], int]:
    """One page of the sessions that fit, and how many there are."""
    skipped = offset(query.page, query.page_size)
    where, values = conditions(query)
    (total,) = connection.execute(f"SELECT count(*) FROM sessions WHERE {where}", values).fetchone()
    numbers = connection.execute(
        f"SELECT number FROM sessions WHERE {where} ORDER BY created DESC, name LIMIT ? OFFSET ?",
        (*values, query.page_size, skipped),
    )
    return entries(connection, [number for (number,) in numbers]), total


def conditions(query: SessionQuery) -> tuple[str, list[object]]:
    """What narrows a list, without the words."""
    found = ["hidden = 0", f"kind IN ({', '.join('?' * len(query.kinds))})"]
    values: list[object] = [*query.kinds]
    if query.status is not None:
        found.append("status = ?")
        values.append(query.status)
    for column in ("engine", "model"):
        value: str | None = getattr(query, column)
        if value is not None:
            found.append(f"{column} = ?")
            values.append(folded(as_column(value)))
    if query.skill is not None:
        found.append("number IN (SELECT session FROM session_skills WHERE skill = ?)")
        values.append(folded(as_column(query.skill)))
    for sign, moment in ((">=", query.since), ("<=", query.until)):
        if moment is not None:
            found.append(f"created {sign} ?")
            values.append(moment)
    return " AND ".join(found), values


def find(connection: sqlite3.Connection, reference: str) -> SessionEntry:
    """The one session that is meant; raises ``NotFound``, and ``UsageError`` where several fit."""
    if reference == LATEST:
        found, _ = page_of(connection, SessionQuery(kinds=LISTED, page_size=1))
        if not found:
            raise NotFound("there is no session yet")
        return found[0]
    wanted = as_column(reference)
    for numbers in _meant(connection, wanted):
        meant = _newest(entries(connection, numbers))
        if len(meant) == 1:
            return meant[0]
        if meant:
            names = ", ".join(sorted(one.name for one in meant)[:_NAMED])
            more = ", …" if len(meant) > _NAMED else ""
            said = f"{reference[:200]!r} is several sessions; use a name: {names}{more}"
            raise UsageError(said)
    least = f"; give at least {SHORTEST_PREFIX} characters" if len(wanted) < SHORTEST_PREFIX else ""
    raise NotFound(f"no session {reference[:200]!r}{least}")


def by_source(
    connection: sqlite3.Connection, source_format: str, original_id: str
) -> list[SessionEntry]:
    """The imported sessions that a log of that format called so."""
    rows = connection.execute(
        "SELECT number FROM sessions WHERE original_id = ? AND source_format = ? ORDER BY name",
        (as_column(original_id)[:200], source_format),
    )
    return entries(connection, [number for (number,) in rows])


def by_log(connection: sqlite3.Connection, digest: str) -> list[SessionEntry]:
    """The sessions that were read from a log."""
    rows = connection.execute(
        "SELECT number FROM sessions WHERE source_digest = ? ORDER BY name", (digest,)
    )
    return entries(connection, [number for (number,) in rows])


def broken(connection: sqlite3.Connection) -> list[Broken]:
    """The files that cannot be read, and why."""
    rows = connection.execute(
        "SELECT path, problem FROM session_files WHERE problem <> '' ORDER BY path"
    )
    return [Broken(f"sessions/{path}", problem) for path, problem in rows]


def _meant(connection: sqlite3.Connection, wanted: str) -> Iterator[list[int]]:
    """Those that a reference may mean: the most obvious ones, else others."""
    for where in (
        "name = ?1",
        "session_id = ?1 OR (trial_address = ?1 AND (kind = 'job' OR generation IS NOT NULL))",
        "original_id = ?1",
    ):
        yield _numbers(connection, where, wanted)
    if len(wanted) >= SHORTEST_PREFIX:
        begun = "substr({0}, 1, length(?1)) = ?1"
        columns = ("name", "session_id", "trial_address", "original_id")
        yield _numbers(connection, " OR ".join(map(begun.format, columns)), wanted)


def _numbers(connection: sqlite3.Connection, where: str, wanted: str) -> list[int]:
    rows = connection.execute(f"SELECT number FROM sessions WHERE {where} LIMIT 1000", (wanted,))
    return [number for (number,) in rows]


def _newest(found: Sequence[SessionEntry]) -> list[SessionEntry]:
    """Of the generations of one trial only the newest; and a job rather than its turns."""
    kept: dict[str, SessionEntry] = {}
    for one in found:
        is_trial = one.generation is not None
        key = f"trial/{one.trial_address}" if is_trial else one.name
        before = kept.get(key)
        if before is None or (one.generation or 0) > (before.generation or 0):
            kept[key] = one
    jobs = {one.trial_address for one in kept.values() if one.kind == "job"}
    return [one for one in kept.values() if one.generation is None or one.trial_address not in jobs]

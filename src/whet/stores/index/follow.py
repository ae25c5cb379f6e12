"""Bringing the index up to date with the files.

A look compares what the file system says of every file with what it said when the file was read,
and reads nothing. Only what differs is read, under the lock of the database, after a second look:
another process may have done it meanwhile.
"""

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whet.core.text import plain_name
from whet.ports.listing import Kind
from whet.stores.index.board import BoardKeeper
from whet.stores.index.folder import Found, read_folder
from whet.stores.index.projects import ProjectShelf
from whet.stores.index.recorded import is_as_recorded
from whet.stores.index.schema import as_column, forget_sessions, is_filled
from whet.stores.index.shelve import shelve
from whet.stores.index.walk import Counts, Spot, difference

BATCH = 256
"""Folders that are in memory at once."""

_LOST = "?"
"""Stands for a content that was another when it was written, and that nobody knows."""

_PUT = """
INSERT OR REPLACE INTO versions VALUES (
    :path, :kind, :watched, :stamps, :is_young, :fingerprint, :problem, :is_listed,
    :id, :name, :version, :number, :updated_at, :digest, :first
)
"""


def follow(connection: sqlite3.Connection, workspace: Path) -> Counts:
    """Read what is new and drop what is gone, all of it or nothing."""
    versions = difference(connection, workspace, "versions")
    projects = difference(connection, workspace, "projects")
    if versions.is_empty and projects.is_empty and is_filled(connection):
        return Counts()
    with transaction(connection):
        versions = difference(connection, workspace, "versions", versions)
        projects = difference(connection, workspace, "projects", projects)
        counts = Counts(removed=len(versions.gone) + len(projects.gone))
        board = BoardKeeper(connection)
        for spots in _batches(versions.new):
            board.renew(_take_in(connection, workspace, spots, counts))
        board.renew(_drop(connection, workspace, versions.gone))
        shelf = ProjectShelf(connection, workspace, board)
        for spots in _batches(projects.new):
            shelf.take_in(spots, counts)
        shelf.drop(projects.gone)
        board.settle()
        connection.execute("UPDATE about SET is_filled = 1")
    return counts


def follow_one(connection: sqlite3.Connection, workspace: Path, folder: str) -> None:
    """Read one folder of a version anew."""
    if not is_filled(connection):
        follow(connection, workspace)
        return
    with transaction(connection):
        board = BoardKeeper(connection)
        board.renew(_take_in(connection, workspace, [Spot(folder)], Counts()))
        board.settle()


def forget(connection: sqlite3.Connection) -> None:
    """Have everything read anew; only which contents came first is kept."""
    with transaction(connection):
        for table in ("versions", "projects"):
            connection.execute(f"UPDATE {table} SET stamps = x'', is_young = 1, fingerprint = ''")
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        for table in ("assets", "shown", "tags", "tested", "results", "records", "boards"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE about SET is_filled = 0")
        forget_sessions(connection)


def _batches(spots: Sequence[Spot]) -> Iterable[Sequence[Spot]]:
    return (spots[start : start + BATCH] for start in range(0, len(spots), BATCH))


def _take_in(
    connection: sqlite3.Connection, workspace: Path, spots: Sequence[Spot], counts: Counts
) -> list[tuple[Kind, str]]:
    """Read these folders; the assets whose versions they are, or were."""
    read: dict[str, Found] = {}
    assets: set[tuple[Kind, str]] = set()
    for spot in spots:
        folder = f"{workspace}/{spot.path}"
        found = Found(problems=[spot.problem]) if spot.problem else read_folder(folder, spot.kind)
        read[spot.path] = found
        before = _before(connection, spot, found)
        if before.identity is not None:
            assets.add((spot.kind, before.identity))
        if found.meta is not None:
            assets.add((spot.kind, found.meta.id))
        row = _row(spot, found, before, folder)
        connection.execute(_PUT, row)
        counts.added += before.fingerprint is None
        counts.changed += before.fingerprint not in (None, row["fingerprint"])
    for asset in sorted(assets):
        shelve(connection, workspace, asset, read)
    return sorted(assets)


@dataclass(frozen=True, slots=True)
class _Before:
    """What was known of a folder, and of its version wherever it lay."""

    fingerprint: str | None
    identity: str | None
    version: str | None
    first: str | None


def _before(connection: sqlite3.Connection, spot: Spot, found: Found) -> _Before:
    row = connection.execute(
        "SELECT fingerprint, id, version, first FROM versions WHERE path = ?", (spot.path,)
    ).fetchone()
    before = _Before(*row) if row else _Before(None, None, None, None)
    meta = found.meta
    if meta is None or (before.identity, before.version) == (meta.id, meta.version):
        return before
    # Another version by now, or a folder that was moved: it brings its past along.
    moved = connection.execute(
        "SELECT first FROM versions WHERE kind = ? AND id = ? AND version = ?"
        " AND first IS NOT NULL",
        (spot.kind, meta.id, meta.version),
    ).fetchone()
    first = moved[0] if moved else None
    return _Before(before.fingerprint, before.identity, before.version, first)


def _row(spot: Spot, found: Found, before: _Before, folder: str) -> dict[str, object]:
    meta, digest = found.meta, found.digest
    return {
        "path": spot.path,
        "kind": spot.kind,
        "watched": "\0".join(found.watched),
        "stamps": found.stamps,
        "is_young": found.is_young,
        "fingerprint": found.fingerprint,
        "problem": as_column("; ".join(found.problems)),
        "is_listed": meta is not None,
        # A document that is broken for a moment does not make a folder another one.
        "id": meta.id if meta else before.identity,
        "name": as_column(plain_name(meta.name)) if meta else None,
        "version": meta.version if meta else before.version,
        "number": found.number,
        "updated_at": as_column(meta.updated_at) if meta else None,
        "digest": digest,
        "first": _first(found, digest, before, folder),
    }


def _first(found: Found, digest: str | None, before: _Before, folder: str) -> str | None:
    """The content as the library wrote it, as far as anybody knows."""
    if before.first not in (None, _LOST) or found.meta is None or digest is None:
        return before.first
    return digest if is_as_recorded(folder, found) else _LOST


def _drop(
    connection: sqlite3.Connection, workspace: Path, paths: Iterable[str]
) -> list[tuple[Kind, str]]:
    """Forget these folders; the assets whose versions they were."""
    assets: set[tuple[Kind, str]] = set()
    for path in paths:
        rows = connection.execute(
            "DELETE FROM versions WHERE path = ? RETURNING kind, id", (path,)
        ).fetchall()
        assets |= {(kind, identity) for kind, identity in rows if identity is not None}
    for asset in sorted(assets):
        shelve(connection, workspace, asset, {})
    return sorted(assets)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")

"""Bringing the index of sessions up to date: with the files, and with the records of trials.

Files are compared by what the file system says of them, records by a cursor. What is new is taken
in small transactions, so that nobody waits long and a look that is cut off is not lost.
"""

import os
import sqlite3
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from whet.core.errors import WhetError
from whet.documents.text import parse_json
from whet.ports.record_feed import RecordFeed
from whet.ports.recorded import Recorded
from whet.stores.index.follow import transaction
from whet.stores.index.look import YOUNG_NS, read_file
from whet.stores.index.schema import as_column, forget_sessions
from whet.stores.index.walk import Counts
from whet.stores.session_index.digest import Digest, digest
from whet.stores.session_index.shelve import put, take_out

FOLDER = "sessions"
MOST_BYTES = 512 * 1024 * 1024
"""Of a session log that is looked into."""

BATCH = 64
_LARGEST = 2**63 - 1


class _Spot(NamedTuple):
    """A file in the folder, and what the file system says of it."""

    name: str
    stamps: bytes
    changed: int


def follow_files(connection: sqlite3.Connection, workspace: Path) -> Counts:
    """Read what is new in ``sessions/`` and drop what is gone."""
    known = _known(connection)
    spots = {spot.name: spot for spot in _spots(workspace)}
    new = [spot for name, spot in spots.items() if known.get(name) != spot.stamps]
    gone = [name for name in known if name not in spots]
    counts = Counts(removed=len(gone))
    for start in range(0, len(new), BATCH):
        with transaction(connection):
            for spot in new[start : start + BATCH]:
                counts.added += spot.name not in known
                counts.changed += spot.name in known
                _take_in(connection, workspace, spot)
    if gone:
        with transaction(connection):
            for name in gone:
                _drop(connection, name)
    if not is_filled(connection):
        connection.execute("UPDATE followed SET is_filled = 1")
    return counts


def follow_one(
    connection: sqlite3.Connection, workspace: Path, name: str, data: JsonValue = None
) -> None:
    """Read one file anew; not even that where its *data* is at hand."""
    spot = _spot(workspace, f"{name}.json")
    with transaction(connection):
        if spot is None:
            _drop(connection, f"{name}.json")
        else:
            _take_in(connection, workspace, spot, data)


def follow_records(connection: sqlite3.Connection, feed: RecordFeed) -> Counts:
    """Take in the sessions of trials that were recorded since. If another database stands where
    the last one did, all are taken in anew."""
    counts = Counts()
    cursor, address, generation = _place(connection)
    if cursor and feed.at_cursor(cursor) != (address, generation):
        with transaction(connection):
            connection.execute("UPDATE followed SET cursor = 0, address = '', generation = 0")
            rows = connection.execute("SELECT number FROM sessions WHERE kind IN ('trial', 'ask')")
            for (number,) in rows.fetchall():
                take_out(connection, number)
        cursor = 0
    while found := feed.recorded(cursor, BATCH):
        cursor = found[-1].cursor
        read = [(one, _session(feed, one)) for one in found]
        with transaction(connection):
            if _place(connection)[0] >= cursor:
                continue  # another process was faster
            for one, session in read:
                counts.added += _put_record(connection, one, session)
            last = found[-1].record
            connection.execute(
                "UPDATE followed SET cursor = ?, address = ?, generation = ?",
                (cursor, last.address, last.generation),
            )
    return counts


def is_filled(connection: sqlite3.Connection) -> bool:
    """Whether the files were ever followed to their end."""
    return bool(connection.execute("SELECT is_filled FROM followed").fetchone()[0])


def forget(connection: sqlite3.Connection) -> None:
    """Have everything read anew."""
    with transaction(connection):
        forget_sessions(connection)


def _place(connection: sqlite3.Connection) -> tuple[int, str, int]:
    return connection.execute("SELECT cursor, address, generation FROM followed").fetchone()


def _session(feed: RecordFeed, one: Recorded) -> Digest | None:
    """The session of a record; None where it is lost, as a record may outlive its blobs."""
    try:
        return digest(feed.session(one.record.session), "session")
    except WhetError:
        return None


def _put_record(connection: sqlite3.Connection, one: Recorded, found: Digest | None) -> bool:
    record = one.record
    if found is None:
        return False
    name = f"trial-{record.address[:16]}"
    if record.generation != 1:
        name = f"{name}-g{record.generation}"
    entry = {**found.entry, "trial_address": record.address, "request_id": None}
    told = Digest(entry, found.run, found.scope, found.prompt, found.said, found.calls)
    is_there = "SELECT 1 FROM sessions WHERE trial_address = ? AND generation = ?"
    if connection.execute(is_there, (record.address, record.generation)).fetchone() is not None:
        return False
    put(connection, told, name, generation=record.generation)
    return True


def _known(connection: sqlite3.Connection) -> dict[str, bytes]:
    """The files as they were when they were read; those that were too young count as changed."""
    rows = connection.execute("SELECT path, iif(is_young, x'', stamps) FROM session_files")
    return dict(rows.fetchall())


def _spots(workspace: Path) -> Iterator[_Spot]:
    try:
        with os.scandir(workspace / FOLDER) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".json") and not name.startswith("."):
                    spot = _stamped(name, entry.stat(follow_symlinks=False))
                    if entry.is_file(follow_symlinks=False) and name.isprintable():
                        yield spot
    except (FileNotFoundError, NotADirectoryError):
        return


def _spot(workspace: Path, name: str) -> _Spot | None:
    try:
        return _stamped(name, (workspace / FOLDER / name).lstat())
    except OSError:
        return None


def _stamped(name: str, found: os.stat_result) -> _Spot:
    changed = found.st_ctime_ns
    figures = (found.st_mtime_ns, changed, found.st_size, found.st_ino & _LARGEST)
    return _Spot(name, array("q", figures).tobytes(), changed)


def _take_in(
    connection: sqlite3.Connection, workspace: Path, spot: _Spot, data: JsonValue = None
) -> None:
    _drop(connection, spot.name)
    is_young = spot.changed > time.time_ns() - YOUNG_NS
    problem, number = "", None
    path = f"{FOLDER}/{spot.name}"
    try:
        if data is None:
            data = parse_json(read_file(str(workspace / FOLDER), spot.name, MOST_BYTES), path)
        found = digest(data, path)
        number = put(connection, found, spot.name.removesuffix(".json"), path)
    except WhetError as error:
        problem = as_column(" ".join(str(error).split()))
    connection.execute(
        "INSERT OR REPLACE INTO session_files VALUES (?, ?, ?, ?, ?)",
        (spot.name, spot.stamps, is_young, problem, number),
    )


def _drop(connection: sqlite3.Connection, name: str) -> None:
    row = connection.execute(
        "DELETE FROM session_files WHERE path = ? RETURNING session", (name,)
    ).fetchone()
    if row is not None and row[0] is not None:
        take_out(connection, row[0])

"""The database in which opencode keeps its sessions."""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import quote

from whet.core.errors import EnvironmentProblem, InvalidDocument
from whet.core.foreign import text
from whet.core.logged import About, Logged
from whet.core.step import Spent
from whet.core.usage import Usage
from whet.documents.session_import import Repairs, quoted
from whet.ports.reader import Head
from whet.readers.clock import Clock
from whet.readers.decode import decoded
from whet.readers.long_line import LONGEST_TEXT, shortened_line
from whet.readers.opencode_parts import OpencodeParts, OpencodeSession
from whet.readers.rows import Row

_MAGIC = b"SQLite format 3\0"
_TABLES = {"session", "message", "part"}
_MOST_BELOW = 10_000


class OpencodeDatabaseReader:
    """Every session of the database that is no subagent's, with those of its subagents."""

    name = "opencode-database"

    def recognises(self, head: Head, /) -> bool:
        """A database with the tables of opencode."""
        if not head.start.startswith(_MAGIC):
            return False
        try:
            with _connected(head.path, Repairs(head.path.name)):
                return True
        except (sqlite3.Error, InvalidDocument):
            return False

    def belongs(self, head: Head, /) -> bool:
        """Never: it is one file."""
        del head
        return False

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        repairs.bytes += path.stat().st_size
        try:
            with _connected(path, repairs) as database:
                yield from _Database(database, path, repairs).sessions()
        except sqlite3.OperationalError as error:
            raise EnvironmentProblem(f"cannot read {path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise InvalidDocument(path, "", f"a damaged database: {error}") from error


@contextmanager
def _connected(path: Path, repairs: Repairs) -> Generator[sqlite3.Connection]:
    """The database, to be read only; without its newest changes where they cannot be had."""
    place = f"file:{quote(str(path.resolve()))}"
    try:
        database = sqlite3.connect(f"{place}?mode=ro", uri=True)
        found = _tables(database)
    except sqlite3.OperationalError:
        said = "the newest changes cannot be read: the folder is not writable"
        repairs.note("missing", "write_ahead_log", said)
        database = sqlite3.connect(f"{place}?immutable=1", uri=True)
        found = _tables(database)
    with closing(database):
        if not found >= _TABLES:
            raise InvalidDocument(path, "", "a database, but not that of opencode")
        yield database


def _tables(database: sqlite3.Connection) -> set[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name for (name,) in database.execute(query)}


class _Database:
    """Goes through the sessions one by one."""

    def __init__(self, database: sqlite3.Connection, path: Path, repairs: Repairs) -> None:
        self._database = database
        self._path = path
        self._repairs = repairs

    def sessions(self) -> Iterator[Logged]:
        columns = "id, title, version, time_created"
        below = "parent_id IS NOT NULL AND parent_id IN (SELECT id FROM session)"
        query = f"SELECT {columns} FROM session WHERE NOT ({below}) ORDER BY time_created, id"
        for name, title, version, created in self._database.execute(query):
            session, clock = OpencodeSession(), Clock(self._path, self._repairs)
            parts = OpencodeParts(session, clock, self._repairs)
            yield from parts.about(
                {"id": name, "title": title, "version": version, "time": {"created": created}}
            )
            yield About(engine="opencode")
            yield from self._session(str(name), parts)
            yield from self._below(str(name), session)
            yield Spent(clock.latest, sum(session.usage.values(), Usage()))
            yield session.outcome

    def _below(self, root: str, session: OpencodeSession) -> Iterator[Logged]:
        """The subagents, and theirs in turn."""
        waiting, seen = [root], {root}
        query = "SELECT id FROM session WHERE parent_id = ? ORDER BY time_created, id"
        while waiting and len(seen) < _MOST_BELOW:
            for (name,) in self._database.execute(query, (waiting.pop(0),)).fetchall():
                if name in seen:
                    continue
                seen.add(name)
                waiting.append(name)
                parent = session.tasks.get(name, "")
                if not parent:
                    said = "a subagent is not linked to the call that started it"
                    self._repairs.note("missing", "parent_call", said)
                clock = Clock(self._path, self._repairs)
                yield from self._session(name, OpencodeParts(session, clock, self._repairs, parent))

    def _session(self, name: str, parts: OpencodeParts) -> Iterator[Logged]:
        query = "SELECT rowid, id FROM message WHERE session_id = ? ORDER BY time_created, id"
        for row, message in self._database.execute(query, (name,)):
            info = (self._data("message", row) or {}) | {"id": message}
            yield from parts.message(info)
            inside = "SELECT rowid, id FROM part WHERE message_id = ? ORDER BY id"
            for place, part_id in self._database.execute(inside, (message,)):
                part = self._data("part", place)
                if part is not None:
                    part |= {"id": part_id, "messageID": message, "sessionID": name}
                    yield from parts.part(part, text(info.get("role")))
            parts.close(info)

    def _data(self, table: str, row: int) -> Row | None:
        """The JSON of a row, without holding more of it than can be held."""
        self._repairs.line = None
        with self._database.blobopen(table, "data", row, readonly=True) as blob:
            data = blob.read(LONGEST_TEXT)
            if len(data) == LONGEST_TEXT:
                rest = cast("BinaryIO", _Lined(blob))
                data = shortened_line(data, rest, self._repairs) or b""
        value = decoded(data + b"\n", self._repairs)
        if isinstance(value, dict):
            return value
        if value is not ...:
            said = f"the table {table} must have objects, found {quoted(value)}"
            self._repairs.note("skipped", "not_an_object", said, field=f"{table}.data")
        return None


class _Lined:
    """A value of the database as a line of a file."""

    def __init__(self, blob: sqlite3.Blob) -> None:
        self._blob = blob

    def readline(self, size: int) -> bytes:
        """The next bytes."""
        return self._blob.read(size)

"""``index.db`` as a file: opened when needed, opened anew when it was deleted, thrown away when it
is damaged."""

import errno
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from whet.core.errors import EnvironmentProblem
from whet.documents.files import make_private, make_workspace, open_lock
from whet.stores.index.schema import create_tables, has_tables

T = TypeVar("T")

BUSY_SECONDS = 60
_PRIMARY = 0xFF
"""The part of an error code that says what it is; the rest says why."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SETTINGS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA secure_delete=ON",
    "PRAGMA cache_size=-16000",
    "PRAGMA journal_size_limit=16777216",
)


class Damaged(Exception):
    """The index could not be used and was thrown away; the next call begins with an empty one."""


class IndexFile:
    """Two connections to one file, so that lists need not wait for who follows the files."""

    def __init__(self, workspace: Path) -> None:
        self.path = workspace / "index.db"
        self._guard = workspace / ".locks" / "index"
        self._reader = _Handle(self.path)
        self._writer = _Handle(self.path)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Let *work* see what is committed; raises ``Damaged``."""
        return self._call(self._reader, work)

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Let *work* begin transactions; raises ``Damaged``."""
        return self._call(self._writer, work)

    def close(self) -> None:
        """Let go of the file."""
        for handle in (self._reader, self._writer):
            with handle.lock:
                handle.close()

    def _call(self, handle: "_Handle", work: Callable[[sqlite3.Connection], T]) -> T:
        with handle.lock:
            try:
                return work(handle.connection or self._open(handle))
            except OSError as error:
                raise EnvironmentProblem(
                    f"cannot use {self._about(error)}: {error.strerror}"
                ) from error
            except sqlite3.DatabaseError as error:
                file = handle.file
                handle.close()
                if not _is_damage(error):
                    raise EnvironmentProblem(f"cannot use {self.path}: {error}") from error
                self._throw_away(file)
                raise Damaged(str(error)) from error

    def _open(self, handle: "_Handle") -> sqlite3.Connection:
        # Whoever comes second finds the tables made and the log switched on.
        with self._alone():
            connection = handle.open()
            if not has_tables(connection):
                create_tables(connection)
            return connection

    def _throw_away(self, file: tuple[int, int]) -> None:
        with self._alone():
            if _identity(self.path) != file:
                return  # somebody else was faster
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _about(self, error: OSError) -> str:
        """What cannot be used; on a read-only disk that is the workspace, and not a lock in it."""
        if error.errno == errno.EROFS:
            return f"the workspace {self.path.parent}"
        return str(error.filename or self.path)

    @contextmanager
    def _alone(self) -> Generator[None]:
        folder = self._guard.parent
        make_workspace(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
        if folder.is_symlink():
            raise EnvironmentProblem(f"{folder} is a link, which is not followed; remove it")
        lock = open_lock(self._guard)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def twice(file: IndexFile, work: Callable[[], T]) -> T:
    """*work*, and once more where the index had to be thrown away."""
    try:
        return work()
    except Damaged:
        pass
    try:
        return work()
    except Damaged as error:
        raise EnvironmentProblem(f"cannot use {file.path}: {error}") from error


def in_one_state(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """All statements of *work* on what is committed now."""
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")


class _Handle:
    """One connection, and the file it was opened on."""

    def __init__(self, path: Path) -> None:
        self.lock = threading.RLock()
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.file = (0, 0)

    @property
    def connection(self) -> sqlite3.Connection | None:
        """The connection, if its file is still the one that goes by the name."""
        if self._connection is not None and self.file != _identity(self._path):
            self.close()
        return self._connection

    def open(self) -> sqlite3.Connection:
        self.close()
        make_private(self._path)
        connection = sqlite3.connect(
            self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection = connection
        self.file = _identity(self._path)
        for setting in _SETTINGS:
            connection.execute(setting)
        self.file = _identity(self._path)
        return connection

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether a new file would help. Our own complaint has no code."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return type(error) is sqlite3.DatabaseError
    return code & _PRIMARY in _DAMAGED or str(error).startswith(("no such table", "no such column"))

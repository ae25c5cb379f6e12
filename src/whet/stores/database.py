"""One SQLite file: connections, transactions and the schema's age."""

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError, IntegrityError

from whet.core.errors import EnvironmentProblem
from whet.documents.files import open_lock
from whet.stores.schema import HEAD

BUSY_SECONDS = 30
_PAUSE = 0.005
_PRIMARY = 0xFF
"""The part of an error code that says what it is; the rest says why."""


class Database:
    """Hands out connections; calls inside ``transaction`` on one thread share one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._engine = _engine(path)
            self._bring_up_to_date()
        except (OSError, DatabaseError) as error:
            raise EnvironmentProblem(
                f"cannot open the database {path}: {_reason(error)}"
            ) from error

    @contextmanager
    def write(self) -> Generator[Connection]:
        """The connection of the transaction under way, or of a new one for this block."""
        current: Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        with self._troubles("write"), self._engine.begin() as connection:
            self._local.connection = connection
            try:
                yield connection
            finally:
                self._local.connection = None

    @contextmanager
    def read(self) -> Generator[Connection]:
        """The connection of the transaction under way, or one that sees what is committed."""
        current: Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        with self._troubles("read"), self._reading() as connection:
            yield connection

    @contextmanager
    def _troubles(self, act: str) -> Generator[None]:
        """Name the file when it cannot be used; a broken promise of ours stays what it is."""
        try:
            yield
        except (IntegrityError, sqlite3.IntegrityError):
            raise
        except (DatabaseError, sqlite3.DatabaseError) as error:
            raise EnvironmentProblem(
                f"cannot {act} the database {self.path}: {_reason(error)}"
            ) from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _bring_up_to_date(self) -> None:
        version = self._version()
        if version == HEAD:
            return
        if version is not None and version > HEAD:
            raise EnvironmentProblem(
                f"cannot open the database {self.path}: a newer whet made it (schema {version}, "
                f"here {HEAD}); update whet"
            )
        # Two processes may meet a new file at once; the second waits and finds nothing to do.
        lock = open_lock(self.path.with_suffix(".migrating"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._version() != HEAD:
                from whet.stores.migrate import upgrade

                upgrade(self._engine)
        finally:
            os.close(lock)

    def _reading(self) -> Connection:
        return self._engine.connect().execution_options(reading=True)

    def _version(self) -> str | None:
        with self._reading() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}", connect_args={"timeout": BUSY_SECONDS}, paramstyle="named"
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver's own transaction handling would begin late and read-only; ours begins
        # below, at once and for writing.
        connection.isolation_level = None
        _keep_log(connection)
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _keep_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. While others do the same to a new file, SQLite refuses at
    once instead of waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & _PRIMARY == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _reason(error: Exception) -> str:
    return str(error.orig) if isinstance(error, DatabaseError) else str(error)

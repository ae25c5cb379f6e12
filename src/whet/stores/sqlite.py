"""SQLite: one file, with write-ahead log and full synchronisation."""

import sqlite3
import time
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError

from whet.core.errors import EnvironmentProblem
from whet.stores.backend import Backend

BUSY_SECONDS = 30
_PAUSE = 0.005
_PRIMARY = 0xFF
"""The part of an error code that says what it is; the rest says why."""


def in_file(path: Path) -> Backend:
    """The database in a file; its folder is made if it is not there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot open the database {path}: {error}") from error
    return Backend(
        name=str(path),
        engine=_engine(path),
        troubles=(DatabaseError, sqlite3.DatabaseError),
        broken_promises=(IntegrityError, sqlite3.IntegrityError),
        reason=_reason,
        looks_alone=True,
    )


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
        # Some builds do this by themselves: what is deleted is not left in the file.
        connection.execute("PRAGMA secure_delete=ON")

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

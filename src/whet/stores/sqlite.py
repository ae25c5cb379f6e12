"""SQLite: one file, with write-ahead log and full synchronisation."""

import contextlib
import shlex
import sqlite3
import time
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError

from whet.core.errors import EnvironmentProblem
from whet.documents.files import is_read_only, make_private, make_workspace
from whet.stores.backend import KEPT_CONNECTIONS, UNLIMITED, Backend
from whet.stores.compaction import is_to_be_compacted

BUSY_SECONDS = 30
CHECKED_BYTES = 64 * 1024 * 1024
"""Up to which the whole file is looked through when it is opened: a tenth of a second."""

_PAUSE = 0.005
_LOOKS_FOR_LOG = 3
_COMPACT_MS = 1000
"""How long to wait for others before a file is written anew; it is tried again later."""

_PRIMARY = 0xFF
"""The part of an error code that says what it is; the rest says why."""


def in_file(path: Path) -> Backend:
    """The database in a file; its folder is made if it is not there."""
    try:
        make_workspace(path.parent)
    except OSError as error:
        raise EnvironmentProblem(f"cannot open the database {path}: {error}") from error
    if lacks_log(path):
        problem, fix = missing_log(path)
        raise EnvironmentProblem(f"cannot open the database {path}: {problem}; {fix}")
    make_private(path)
    engine = _engine(path)
    return Backend(
        name=str(path),
        engine=engine,
        troubles=(DatabaseError, sqlite3.DatabaseError),
        broken_promises=(IntegrityError, sqlite3.IntegrityError),
        reason=partial(reason, path),
        looks_alone=True,
        damage=partial(_damage, path),
        compact=partial(_compact, engine),
    )


def lacks_log(path: Path) -> bool:
    """Whether somebody took the write-ahead log away. SQLite makes it before its index (``-shm``)
    and removes it after that: an index alone is what is left of a log. It is looked at again, since
    others may open and close the database in the same moment."""
    log, index = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    for _ in range(_LOOKS_FOR_LOG):
        if not index.exists() or log.exists():
            return False
        time.sleep(_PAUSE)
    return True


def missing_log(path: Path) -> tuple[str, str]:
    """What is wrong with a database without its log, and what to do."""
    return (
        f"its log {path.name}-wal is missing, and with it what was written last",
        (
            "put it back from where the workspace was copied from, or go on without it: "
            f"rm {shlex.quote(f'{path}-shm')}"
        ),
    )


def _compact(engine: Engine) -> None:
    """Write a file that was migrated anew, without what was deleted, and empty its log. Whoever has
    it open at the same time is not disturbed; then the next one to open it tries again."""
    with contextlib.suppress(DatabaseError), engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        if not is_to_be_compacted(driver):
            return
        with contextlib.suppress(sqlite3.DatabaseError):
            driver.execute(f"PRAGMA busy_timeout={_COMPACT_MS}")
            driver.execute("VACUUM")
            [(is_busy, *_)] = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if not is_busy:
                driver.execute("PRAGMA user_version=0")
        driver.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"timeout": BUSY_SECONDS},
        paramstyle="named",
        pool_size=KEPT_CONNECTIONS,
        max_overflow=UNLIMITED,
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


def _damage(path: Path, connection: Connection) -> str | None:
    """Look through the whole file, unless that would take long."""
    try:
        if path.stat().st_size > CHECKED_BYTES:
            return None
    except OSError:  # the connection will tell
        return None
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    return None if found == "ok" else damaged(path, str(found))


def damaged(path: Path, what: str) -> str:
    """That the file is damaged, and what to do then."""
    away = f"mv {shlex.quote(str(path))} {shlex.quote(str(path))}.damaged"
    return (
        f"it is damaged ({' '.join(what.split())[:120]}); restore it from a backup, or begin a new "
        f"one with: {away} (results in files stay)"
    )


def reason(path: Path, error: Exception) -> str:
    """Why the database in a file cannot be used, and what to do."""
    cause = error.orig if isinstance(error, DatabaseError) else error
    code = getattr(cause, "sqlite_errorcode", 0) & _PRIMARY
    if is_read_only(path):
        return "its file system is read-only; mount it for writing, or use another with --workspace"
    if code == sqlite3.SQLITE_READONLY:
        return f"it is read-only for you; give yourself access: chmod -R u+w {path.parent}"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full; make room, and go on"
    if not isinstance(cause, sqlite3.Error) or str(cause).startswith("Could not decode"):
        return damaged(path, "a row of it is not what was written")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path, str(cause))
    return str(cause)

"""Looking at a database without opening it for work, making it, or bringing it up to date."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import WhetError
from whet.documents.files import is_read_only
from whet.stores.compaction import is_to_be_compacted
from whet.stores.schema import HEAD
from whet.stores.sqlite import lacks_log, missing_log

_QUICK = 256 * 1024 * 1024
"""Bytes up to which the whole file is checked; beyond, that would take long."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """The state of a database; ``problem`` is None when it can be used."""

    kind: str
    """``sqlite`` or ``postgresql``."""

    place: str
    """The file, or the address of the server without anything secret."""

    size_bytes: int | None = None
    """None when there is no database yet."""

    problem: str | None = None
    fix: str | None = None


def check_database(folder: Path, url: str | None = None) -> Checkup:
    """Look at the database of a workspace; it is not changed."""
    return _file(folder / "whet.db") if url is None else _server(folder, url)


def _file(path: Path) -> Checkup:
    kind, place = "sqlite", str(path)
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return Checkup(kind, place)
    except OSError as error:
        return Checkup(kind, place, None, f"cannot be looked at: {error.strerror}", _ACCESS)
    if lacks_log(path):
        return Checkup(kind, place, size, *missing_log(path))
    read_only = is_read_only(path)
    # Where nothing can be written, SQLite reads only what it takes for unchangeable.
    mode = "mode=ro&immutable=1" if read_only else "mode=ro"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, timeout=5)) as database:
            problem, fix = _problem(database, size)
    except (sqlite3.Error, UnicodeError) as error:
        return Checkup(kind, place, size, f"cannot be read: {error}", _RESTORE)
    if problem is None and read_only:
        problem, fix = "is on a read-only file system", _WRITABLE
    elif problem is None and not os.access(path, os.W_OK):
        problem, fix = "is read-only for you", _ACCESS
    return Checkup(kind, place, size, problem, fix)


def _problem(database: sqlite3.Connection, size: int) -> tuple[str | None, str | None]:
    if size <= _QUICK:
        (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            return f"is damaged: {found}", _RESTORE
    (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    problem, fix = _age(revision)
    if problem is None and is_to_be_compacted(database):
        fix = _COMPACT
    return problem, fix


def _age(revision: str) -> tuple[str | None, str | None]:
    if revision > HEAD:
        return f"was made by a newer whet (schema {revision}, known {HEAD})", "upgrade whet"
    return None, None


def _server(folder: Path, url: str) -> Checkup:
    # Large, and who has a file does not need it.
    from sqlalchemy import inspect, text

    from whet.stores.chosen import chosen

    kind = "postgresql"
    try:
        server = chosen(folder, url)
    except WhetError as error:
        return Checkup(kind, "WHET_DATABASE_URL", None, str(error), _ADDRESS)
    try:
        with server.engine.connect().execution_options(reading=True) as connection:
            if not inspect(connection).has_table("alembic_version"):
                return Checkup(kind, server.name)
            revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar()
        return Checkup(kind, server.name, size, *_age(revision or ""))
    except server.troubles as error:
        problem = f"does not answer: {server.reason(error)}"
        return Checkup(kind, server.name, None, problem, _ADDRESS)
    finally:
        server.engine.dispose()


_ACCESS = "give yourself access to the workspace, or choose another with --workspace"
_RESTORE = "restore whet.db from a backup, or move it away: results on disk stay"
_COMPACT = (
    "secrets that an older version kept may still be in the file, since another process holds it; "
    "end all others of this workspace, then: whet project list"
)
_WRITABLE = "mount it for writing, or choose another workspace with --workspace"
_ADDRESS = "start the server, or correct WHET_DATABASE_URL; without it SQLite is used"

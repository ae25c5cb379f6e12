"""Looking at a database without opening it for work, making it, or bringing it up to date."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from whet.stores.schema import HEAD

_QUICK = 256 * 1024 * 1024
"""Bytes up to which the whole file is checked; beyond, that would take long."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """The state of a database; ``problem`` is None when it can be used."""

    path: Path
    size_bytes: int | None
    """None when there is no database yet."""

    problem: str | None = None
    fix: str | None = None


def check_database(path: Path) -> Checkup:
    """Look at the file of a workspace; it is not changed."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return Checkup(path, None)
    except OSError as error:
        return Checkup(path, None, f"cannot be looked at: {error.strerror}", _ACCESS)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as database:
            return Checkup(path, size, *_problem(database, size))
    except sqlite3.Error as error:
        return Checkup(path, size, f"cannot be read: {error}", _RESTORE)


def _problem(database: sqlite3.Connection, size: int) -> tuple[str | None, str | None]:
    if size <= _QUICK:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            return f"is damaged: {found}", _RESTORE
    (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    if revision > HEAD:
        return f"was made by a newer whet (schema {revision}, known {HEAD})", "upgrade whet"
    return None, None


_ACCESS = "give yourself access to the workspace, or choose another with --workspace"
_RESTORE = "restore whet.db from a backup, or move it away: results on disk stay"

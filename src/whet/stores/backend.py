"""What differs between databases; there is one file for each, ``sqlite.py`` and ``postgres.py``."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from whet.core.errors import EnvironmentProblem, UsageError


@dataclass(frozen=True)
class Backend:
    """A database that can be connected to.

    A transaction of the engine is for writing, unless its connection has the execution option
    ``reading``. Those that write come one after the other: the next one begins when the one
    before is over, and sees what it did. One that reads sees one state from beginning to end.
    """

    name: str
    """What messages call it."""

    engine: Engine

    troubles: tuple[type[Exception], ...]
    """What is raised when the database cannot be used, by SQLAlchemy and by the driver."""

    broken_promises: tuple[type[Exception], ...]
    """Those of the troubles that are mistakes of ours."""

    reason: Callable[[Exception], str]
    """A trouble in one line that may be shown to anybody."""

    prepare: Callable[[], None] = lambda: None
    """Called before the first migration; raises ``EnvironmentProblem`` if it cannot be."""


def chosen(folder: Path, url: str | None) -> Backend:
    """The server that *url* names, else the file in the workspace."""
    if url is None:
        from whet.stores.sqlite import in_file

        return in_file(folder / "whet.db")
    if not is_server(url):
        raise UsageError(
            "WHET_DATABASE_URL is no address of a PostgreSQL server; write it as "
            "postgresql://user@host:5432/database, or leave it out for SQLite in the workspace"
        )
    try:
        from whet.stores.postgres import on_server
    except ImportError:
        raise EnvironmentProblem(
            "PostgreSQL needs a driver that is not installed; install whet[postgres]"
        ) from None
    return on_server(url)


def is_server(url: str) -> bool:
    """Whether a URL names a kind of server that can be used."""
    return url.partition("://")[0] in {"postgresql", "postgres"}

"""Which database it is: the file in the workspace, or a server."""

from pathlib import Path

from whet.core.errors import EnvironmentProblem, UsageError
from whet.stores.backend import Backend
from whet.stores.sqlite import in_file


def chosen(folder: Path, url: str | None) -> Backend:
    """The server that *url* names, else the file in the workspace."""
    if url is None:
        return in_file(folder / "whet.db")
    if url.partition("://")[0] not in {"postgresql", "postgres"}:
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

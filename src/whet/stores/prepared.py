"""Statements of the hot path, compiled once and run on the driver's own connection.

SQLAlchemy writes the SQL for the dialect; leaving its execution machinery out saves about
60 µs a call, which is most of what a trial costs the harness.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from sqlalchemy import Connection, Executable
from sqlalchemy.sql import ClauseElement


class Cursor(Protocol):
    """The part of the driver's cursor that is used here."""

    rowcount: int

    def fetchone(self) -> tuple[object, ...] | None:
        """The next row, or None."""
        ...


class _Driver(Protocol):
    def execute(self, sql: str, parameters: Mapping[str, object]) -> Cursor: ...
    def executemany(self, sql: str, rows: Sequence[Mapping[str, object]]) -> Cursor: ...


class Prepared:
    """A statement with named parameters."""

    def __init__(self, statement: Executable) -> None:
        self._statement = cast(ClauseElement, statement)
        self._sql: dict[str, str] = {}

    def run(self, connection: Connection, parameters: Mapping[str, object]) -> Cursor:
        """Execute with one set of parameters."""
        return _driver(connection).execute(self._for(connection), parameters)

    def many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> Cursor:
        """Execute with each of *rows*."""
        return _driver(connection).executemany(self._for(connection), rows)

    def _for(self, connection: Connection) -> str:
        dialect = connection.dialect
        if dialect.name not in self._sql:
            self._sql[dialect.name] = str(self._statement.compile(dialect=dialect))
        return self._sql[dialect.name]


def _driver(connection: Connection) -> _Driver:
    return cast(_Driver, connection.connection.driver_connection)

"""Statements of the hot path, compiled once and run on the driver's own connection.

SQLAlchemy writes the SQL for the dialect; leaving its execution machinery out saves about
60 µs a call, which is most of what a trial costs the harness.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.sql import ClauseElement

from whet.stores.upsert import insert_into


class Cursor(Protocol):
    """The part of the driver's cursor that is used here."""

    rowcount: int

    def fetchone(self) -> tuple[object, ...] | None:
        """The next row, or None."""
        ...

    def fetchall(self) -> Sequence[tuple[object, ...]]:
        """The rows that are left."""
        ...


class _ManyCursor(Cursor, Protocol):
    def executemany(self, sql: str, rows: Sequence[Mapping[str, object]]) -> object: ...


class _Driver(Protocol):
    def execute(self, sql: str, parameters: Mapping[str, object]) -> Cursor: ...
    def cursor(self) -> _ManyCursor: ...


class Prepared:
    """A statement with named parameters, or how to build one from what makes an ``INSERT``."""

    def __init__(
        self, statement: Executable | Callable[[Callable[[Table], Insert]], Executable]
    ) -> None:
        self._statement = statement
        self._sql: dict[str, str] = {}

    def run(self, connection: Connection, parameters: Mapping[str, object]) -> Cursor:
        """Execute with one set of parameters."""
        return _driver(connection).execute(self._for(connection), parameters)

    def many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> Cursor:
        """Execute with each of *rows*."""
        cursor = _driver(connection).cursor()
        cursor.executemany(self._for(connection), rows)
        return cursor

    def _for(self, connection: Connection) -> str:
        dialect = connection.dialect
        if dialect.name not in self._sql:
            statement = self._statement
            if not isinstance(statement, Executable):
                statement = statement(insert_into(dialect.name))
            self._sql[dialect.name] = str(cast(ClauseElement, statement).compile(dialect=dialect))
        return self._sql[dialect.name]


def _driver(connection: Connection) -> _Driver:
    return cast(_Driver, connection.connection.driver_connection)

"""Timers in a table."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, select

from whet.ports.timers import Timer
from whet.stores.database import Database
from whet.stores.schema import timers
from whet.stores.upsert import insert_into


class SqlTimers:
    """``ports.timers.Timers`` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, timer: Timer) -> None:
        """See the port."""
        change = {
            "due": timer.due.timestamp(),
            "data": json.dumps(timer.data, ensure_ascii=False),
        }
        with self._database.write() as connection:
            new = insert_into(connection.dialect.name)(timers)
            statement = new.values(kind=timer.kind, key=timer.key, **change)
            connection.execute(
                statement.on_conflict_do_update(index_elements=["kind", "key"], set_=change)
            )

    def due(self, now: datetime, limit: int = 100) -> Sequence[Timer]:
        """See the port."""
        query = (
            select(timers)
            .where(timers.c.due <= now.timestamp())
            .order_by(timers.c.due, timers.c.kind, timers.c.key)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [
                Timer(row.kind, row.key, datetime.fromtimestamp(row.due, UTC), json.loads(row.data))
                for row in connection.execute(query)
            ]

    def take(self, kind: str, key: str, due: datetime) -> bool:
        """See the port."""
        statement = delete(timers).where(
            timers.c.kind == kind, timers.c.key == key, timers.c.due == due.timestamp()
        )
        with self._database.write() as connection:
            return connection.execute(statement).rowcount == 1

"""Timers in a table."""

import json
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import Table, delete, select
from sqlalchemy.dialects.sqlite import Insert

from whet.ports.timers import Timer
from whet.stores.database import Database
from whet.stores.prepared import Prepared
from whet.stores.schema import timers


def _set(insert: Callable[[Table], Insert]) -> Insert:
    new = insert(timers)
    change = {"due": new.excluded.due, "data": new.excluded.data}
    return new.on_conflict_do_update(index_elements=["kind", "key"], set_=change)


_SET = Prepared(_set)


class SqlTimers:
    """``ports.timers.Timers`` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, timer: Timer) -> None:
        """See the port."""
        row = {
            "kind": timer.kind,
            "key": timer.key,
            "due": timer.due.timestamp(),
            "data": json.dumps(timer.data, ensure_ascii=False),
        }
        with self._database.write() as connection:
            _SET.run(connection, row)

    def due(
        self, now: datetime, kinds: Collection[str] | None = None, limit: int = 100
    ) -> Sequence[Timer]:
        """See the port."""
        wanted = [] if kinds is None else [timers.c.kind.in_(kinds)]
        query = (
            select(timers)
            .where(timers.c.due <= now.timestamp(), *wanted)
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

"""Events in a table. There is one writer at a time, so cursors are in commit order."""

import json
from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy import bindparam, func, insert, select

from whet.core.event import Event
from whet.core.instant import iso
from whet.ports.clock import Clock
from whet.stores.database import Database
from whet.stores.document_rows import json_text
from whet.stores.prepared import Prepared
from whet.stores.schema import events

_APPEND = Prepared(
    insert(events).values({n: bindparam(n) for n in ("at", "kind", "subject", "data")}).inline()
)


class SqlEvents:
    """``ports.events.Events`` on a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def append(self, kind: str, subject: str, data: dict[str, JsonValue]) -> None:
        """See the port."""
        row = {
            "at": iso(self._clock.now()),
            "kind": kind,
            "subject": subject,
            "data": json_text(data),
        }
        with self._database.write() as connection:
            _APPEND.run(connection, row)

    def since(self, cursor: int, subject: str | None = None, limit: int = 500) -> Sequence[Event]:
        """See the port."""
        query = select(events).where(events.c.cursor > cursor)
        if subject is not None:
            query = query.where(events.c.subject == subject)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(events.c.cursor).limit(limit)).mappings()
            return [Event.model_validate({**row, "data": json.loads(row["data"])}) for row in rows]

    def last(self) -> int:
        """See the port."""
        with self._database.read() as connection:
            return connection.execute(select(func.max(events.c.cursor))).scalar() or 0

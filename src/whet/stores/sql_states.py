"""States in a table, changed by compare-and-set."""

import json
from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy import insert, select, update

from whet.core.errors import Conflict
from whet.core.instant import iso
from whet.ports.clock import Clock
from whet.ports.states import State
from whet.stores.database import Database
from whet.stores.document_rows import json_text
from whet.stores.schema import states


class SqlStates:
    """``ports.states.States`` on a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def get(self, kind: str, key: str) -> State | None:
        """See the port."""
        query = select(states).where(states.c.kind == kind, states.c.key == key)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return State(row.key, row.revision, json.loads(row.value)) if row else None

    def put(self, kind: str, key: str, expected: int, value: dict[str, JsonValue]) -> State:
        """See the port."""
        text = json_text(value)
        with self._database.write() as connection:
            present = self.get(kind, key)
            actual = present.revision if present else 0
            if actual != expected:
                raise Conflict(f"{kind} {key}", f"revision {expected}", f"revision {actual}")
            if present is None:
                row = {"kind": kind, "key": key, "created_at": iso(self._clock.now())}
                connection.execute(insert(states), {**row, "revision": 1, "value": text})
            else:
                connection.execute(
                    update(states)
                    .where(states.c.kind == kind, states.c.key == key)
                    .values(revision=expected + 1, value=text)
                )
        return State(key, expected + 1, value)

    def list(self, kind: str) -> Sequence[State]:
        """See the port."""
        query = (
            select(states)
            .where(states.c.kind == kind)
            .order_by(states.c.created_at.desc(), states.c.key)
        )
        with self._database.read() as connection:
            return [
                State(row.key, row.revision, json.loads(row.value))
                for row in connection.execute(query)
            ]

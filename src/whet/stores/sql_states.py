"""States in a table, changed by compare-and-set."""

import json
from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy import bindparam, insert, select, update

from whet.core.errors import Conflict
from whet.core.instant import iso
from whet.ports.clock import Clock
from whet.ports.states import State
from whet.stores.database import Database
from whet.stores.document_rows import json_text, plain
from whet.stores.prepared import Prepared
from whet.stores.schema import states

_ONE = (states.c.kind == bindparam("of"), states.c.key == bindparam("named"))
_GET = Prepared(select(states.c.revision, states.c.value).where(*_ONE))
_ADD = Prepared(insert(states))
_PUT = Prepared(
    update(states).where(*_ONE).values(revision=bindparam("revision"), value=bindparam("value"))
)


class SqlStates:
    """``ports.states.States`` on a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def get(self, kind: str, key: str) -> State | None:
        """See the port."""
        with self._database.read() as connection:
            row = _GET.run(connection, _named(kind, key)).fetchone()
            return State(key, int(str(row[0])), json.loads(str(row[1]))) if row else None

    def put(self, kind: str, key: str, expected: int, value: dict[str, JsonValue]) -> State:
        """See the port."""
        text = json_text(value)
        with self._database.write() as connection:
            present = self.get(kind, key)
            actual = present.revision if present else 0
            if actual != expected:
                raise Conflict(f"{kind} {key}", f"revision {expected}", f"revision {actual}")
            change = {"revision": expected + 1, "value": text}
            if present is None:
                now = iso(self._clock.now())
                _ADD.run(connection, {"kind": kind, "key": key, "created_at": now, **change})
            else:
                _PUT.run(connection, {**_named(kind, key), **change})
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


def _named(kind: str, key: str) -> dict[str, str]:
    return {"of": kind, "named": plain(key)}

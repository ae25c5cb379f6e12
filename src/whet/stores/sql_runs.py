"""Runs in a table: the whole run as JSON, and columns for what it is looked up by."""

import json

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

from whet.core.errors import Conflict, NotFound
from whet.core.run import Run, Wish
from whet.ports.listing import Page
from whet.ports.runs import RunQuery
from whet.stores.database import Database
from whet.stores.document_rows import json_text, plain
from whet.stores.prepared import Prepared
from whet.stores.run_query import checked, claimed, page_number, with_wishes_of
from whet.stores.schema import runs

_CHANGING = ("kind", "status", "owner", "parent", "is_unattended", "epoch", "data")
_GET = Prepared(select(runs.c.data).where(runs.c.id == bindparam("named")))
_ADD = Prepared(lambda insert: insert(runs))
_PUT = Prepared(
    update(runs)
    .where(runs.c.id == bindparam("named"))
    .values({name: bindparam(name) for name in _CHANGING})
)


class SqlRuns:
    """``ports.runs.Runs`` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, identity: str) -> Run | None:
        """See the port."""
        with self._database.look() as connection:
            row = _GET.run(connection, {"named": plain(identity)}).fetchone()
            return None if row is None else _run(str(row[0]))

    def claim(self, run: Run, expected: int | None = None) -> Run:
        """See the port."""
        with self._database.write() as connection:
            there = self._present(run.id)
            new = claimed(run, there, expected)
            if there is None:
                _ADD.run(connection, _row(new))
            else:
                self._write(new)
        return new

    def put(self, run: Run) -> Run:
        """See the port."""
        with self._database.write():
            there = self._present(run.id)
            if there is None or there.epoch != run.epoch:
                actual = f"epoch {there.epoch}" if there else "no such run"
                raise Conflict(f"run {run.id}", f"epoch {run.epoch}", actual)
            new = with_wishes_of(run, there)
            self._write(new)
        return new

    def wish(self, identity: str, wish: Wish) -> Run:
        """See the port."""
        with self._database.write():
            there = self._present(identity)
            if there is None:
                raise NotFound(f"no run {identity!r}")
            new = there.model_copy(update={"wish": wish, "wishes": there.wishes + 1})
            self._write(new)
        return new

    def list(self, query: RunQuery) -> Page[Run]:
        """See the port."""
        wanted = _conditions(checked(query))
        rows = (
            select(runs.c.data)
            .where(*wanted)
            .order_by(runs.c.created_at.desc(), runs.c.id)
            .limit(query.limit)
            .offset(query.offset)
        )
        with self._database.read() as connection:
            found = connection.execute(rows).scalars().all()
            count = query.offset + len(found)
            if len(found) == query.limit or (query.offset and not found):
                total = select(func.count()).select_from(runs).where(*wanted)
                count = connection.execute(total).scalar_one()
            read = tuple(map(_run, found))
        return Page(read, count, page_number(query), query.limit)

    def delete(self, identity: str) -> bool:
        """See the port."""
        with self._database.write() as connection:
            return (
                connection.execute(delete(runs).where(runs.c.id == plain(identity))).rowcount == 1
            )

    def _present(self, identity: str) -> Run | None:
        """The run as the transaction that changes it sees it."""
        with self._database.write() as connection:
            row = _GET.run(connection, {"named": plain(identity)}).fetchone()
            return None if row is None else _run(str(row[0]))

    def _write(self, run: Run) -> None:
        row = _row(run)
        change = {name: row[name] for name in _CHANGING}
        with self._database.write() as connection:
            _PUT.run(connection, {**change, "named": row["id"]})


def _row(run: Run) -> dict[str, object]:
    return {
        "id": plain(run.id),
        "kind": run.kind,
        "status": run.status,
        "owner": plain(run.owner),
        "parent": None if run.parent is None else plain(run.parent),
        "is_unattended": run.is_unattended,
        "epoch": run.epoch,
        "created_at": run.created_at,
        "data": json_text(run.model_dump(mode="json")),
    }


def _run(data: str) -> Run:
    return Run.model_validate(json.loads(data))


def _conditions(query: RunQuery) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if query.kinds is not None:
        wanted.append(runs.c.kind.in_(query.kinds))
    if query.statuses is not None:
        wanted.append(runs.c.status.in_(query.statuses))
    if query.parent is not None:
        wanted.append(runs.c.parent == plain(query.parent))
    if query.is_unattended is not None:
        wanted.append(runs.c.is_unattended == query.is_unattended)
    if query.prefix:
        beginning = plain(query.prefix)
        wanted.append(func.substr(runs.c.id, 1, len(beginning)) == beginning)
    return wanted

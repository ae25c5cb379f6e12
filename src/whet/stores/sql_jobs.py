"""Jobs in a table: the whole job as JSON, and columns for what it is looked up by."""

import json

from sqlalchemy import (
    ColumnElement,
    Integer,
    bindparam,
    delete,
    false,
    func,
    literal_column,
    or_,
    select,
    update,
)

from whet.core.errors import Conflict
from whet.core.job import Job
from whet.ports.jobs import JobQuery
from whet.ports.listing import Page
from whet.stores.database import Database
from whet.stores.document_rows import json_text, plain
from whet.stores.job_query import EQUAL, checked, page_number, raised
from whet.stores.prepared import Prepared
from whet.stores.schema import jobs

RECENT = 500
"""Jobs that are remembered as they were last read."""

_TEXTS = ("request_id", "run_id", "state", "skill_id", "engine", "owner", "key", "batch")
_PLAIN = ("batch_index", "wants_cancel", "created_at")
_CHANGING = (*_TEXTS[1:], *_PLAIN, "data")

_Shape = tuple[tuple[str, ...], bool, bool]

_ADD = Prepared(lambda insert: insert(jobs).on_conflict_do_nothing())
_GET = Prepared(select(jobs.c.data).where(jobs.c.request_id == bindparam("request_id")))
_PUT = Prepared(
    update(jobs)
    .where(jobs.c.request_id == bindparam("job"), jobs.c.revision == bindparam("expected"))
    .values({name: bindparam(name) for name in (*_CHANGING, "revision")})
)


class SqlJobs:
    """``ports.jobs.Jobs`` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._recent: dict[str, tuple[str, Job]] = {}
        self._statements: dict[_Shape, tuple[Prepared, Prepared]] = {}

    def add(self, job: Job) -> Job:
        """See the port."""
        new = raised(job, 0)
        with self._database.write() as connection:
            if not _ADD.run(connection, _row(new)).rowcount:
                raise Conflict(f"job {job.request_id}", "a new id and key", "one that is taken")
        return new

    def get(self, request_id: str) -> Job | None:
        """See the port."""
        with self._database.look() as connection:
            row = _GET.run(connection, {"request_id": plain(request_id)}).fetchone()
        return None if row is None else self._read(request_id, str(row[0]))

    def _read(self, request_id: str, data: str) -> Job:
        """Clients ask for the same job over and over; what says the same is the same."""
        known = self._recent.get(request_id)
        if known is not None and known[0] == data:
            return known[1]
        job = _job(data)
        if len(self._recent) >= RECENT:
            self._recent.clear()
        self._recent[request_id] = (data, job)
        return job

    def put(self, job: Job) -> Job:
        """See the port."""
        new = raised(job, job.revision)
        row = _row(new)
        change = {name: row[name] for name in (*_CHANGING, "revision")}
        with self._database.write() as connection:
            where = {"job": row["request_id"], "expected": job.revision}
            if not _PUT.run(connection, {**change, **where}).rowcount:
                there = self.get(job.request_id)
                actual = f"revision {there.revision}" if there else "no such job"
                raise Conflict(f"job {job.request_id}", f"revision {job.revision}", actual)
        return new

    def list(self, query: JobQuery) -> Page[Job]:
        """See the port."""
        shape, values = _shape(checked(query))
        rows, total = self._statements.get(shape) or self._statements.setdefault(
            shape, _statements(shape)
        )
        part = {"most": query.limit, "before": query.offset}
        with self._database.look() as connection:
            found = rows.run(connection, {**values, **part}).fetchall()
        count = query.offset + len(found)
        if len(found) == query.limit or (query.offset and not found):
            with self._database.read() as connection:
                connection.execute(select(1))  # begins: both are as they are at one moment
                found = rows.run(connection, {**values, **part}).fetchall()
                [count] = total.run(connection, values).fetchone() or (0,)
        read = tuple(self._read(str(name), str(data)) for name, data in found)
        return Page(read, int(str(count)), page_number(query), query.limit)

    def delete(self, request_id: str) -> bool:
        """See the port."""
        statement = delete(jobs).where(jobs.c.request_id == plain(request_id))
        with self._database.write() as connection:
            return connection.execute(statement).rowcount == 1


def _row(job: Job) -> dict[str, object]:
    data = job.model_dump(mode="json")
    texts = {name: None if data[name] is None else plain(data[name]) for name in _TEXTS}
    rest = {name: data[name] for name in _PLAIN}
    return {**texts, **rest, "revision": job.revision, "data": json_text(data)}


def _job(data: str) -> Job:
    return Job.model_validate(json.loads(data))


def _shape(query: JobQuery) -> tuple[_Shape, dict[str, object]]:
    """What kind of question it is, and the values that it asks for."""
    values: dict[str, object] = {}
    for name in EQUAL:
        if (value := getattr(query, name)) is not None:
            values[name] = plain(value) if isinstance(value, str) else value
    values |= {f"state_{n}": state for n, state in enumerate(query.states or ())}
    if query.prefix:
        values["prefix"] = beginning = plain(query.prefix)
        values["prefix_length"] = len(beginning)
    is_any = query.states is None
    return (tuple(values), is_any, query.oldest_first), values


def _statements(shape: _Shape) -> tuple[Prepared, Prepared]:
    """The rows of a part, and how many there are in all."""
    names, is_any, oldest_first = shape
    wanted: list[ColumnElement[bool]] = [
        jobs.c[name] == bindparam(name) for name in EQUAL if name in names
    ]
    if not is_any:
        states = (name for name in names if name.startswith("state_"))
        wanted.append(or_(false(), *(jobs.c.state == bindparam(name) for name in states)))
    if "prefix" in names:
        length = bindparam("prefix_length", type_=Integer)
        wanted.append(
            func.substr(jobs.c.request_id, literal_column("1"), length) == bindparam("prefix")
        )
    # Where there is none, databases disagree about its place.
    place = func.coalesce(jobs.c.batch_index, literal_column("-1"))
    order = (jobs.c.created_at, place, jobs.c.request_id)
    rows = (
        select(jobs.c.request_id, jobs.c.data)
        .where(*wanted)
        .order_by(*(each if oldest_first else each.desc() for each in order))
        .limit(bindparam("most", type_=Integer))
        .offset(bindparam("before", type_=Integer))
    )
    return Prepared(rows), Prepared(select(func.count()).select_from(jobs).where(*wanted))

"""Jobs in a table: the whole job as JSON, and columns for what it is looked up by."""

import json

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

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

    def add(self, job: Job) -> Job:
        """See the port."""
        new = raised(job, 0)
        with self._database.write() as connection:
            if not _ADD.run(connection, _row(new)).rowcount:
                raise Conflict(f"job {job.request_id}", "a new id and key", "one that is taken")
        return new

    def get(self, request_id: str) -> Job | None:
        """See the port."""
        with self._database.read() as connection:
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
        wanted = _wanted(checked(query))
        # Where there is none, databases disagree about its place.
        place = func.coalesce(jobs.c.batch_index, -1)
        order = (jobs.c.created_at, place, jobs.c.request_id)
        rows = (
            select(jobs.c.data)
            .where(*wanted)
            .order_by(*(each if query.oldest_first else each.desc() for each in order))
            .limit(query.limit)
            .offset(query.offset)
        )
        total = select(func.count()).select_from(jobs).where(*wanted)
        with self._database.read() as connection:
            found = tuple(_job(data) for data in connection.execute(rows).scalars())
            count = connection.execute(total).scalar_one()
        return Page(found, count, page_number(query), query.limit)

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


def _wanted(query: JobQuery) -> list[ColumnElement[bool]]:
    found = [(jobs.c[name], getattr(query, name)) for name in EQUAL]
    conditions = [
        column == (plain(value) if isinstance(value, str) else value)
        for column, value in found
        if value is not None
    ]
    if query.states is not None:
        conditions.append(jobs.c.state.in_(query.states))
    if query.prefix:
        beginning = plain(query.prefix)
        conditions.append(jobs.c.request_id.startswith(beginning, autoescape=True))
    return conditions

"""Jobs in memory."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from whet.core.errors import Conflict
from whet.core.job import Job
from whet.ports.jobs import JobQuery
from whet.ports.listing import Page
from whet.stores.job_query import EQUAL, checked, page_number, raised


@dataclass
class JobTables:
    """The table of jobs."""

    jobs: dict[str, Job] = field(default_factory=dict[str, Job])


@dataclass(frozen=True)
class MemoryJobs:
    """``ports.jobs.Jobs`` in a dictionary."""

    tables: Callable[[], AbstractContextManager[JobTables]]

    def add(self, job: Job) -> Job:
        """See the port."""
        with self.tables() as tables:
            keys = {each.key for each in tables.jobs.values() if each.key is not None}
            if job.request_id in tables.jobs or job.key in keys:
                raise Conflict(f"job {job.request_id}", "a new id and key", "one that is taken")
            tables.jobs[job.request_id] = new = raised(job, 0)
            return new

    def get(self, request_id: str) -> Job | None:
        """See the port."""
        with self.tables() as tables:
            return tables.jobs.get(request_id)

    def put(self, job: Job) -> Job:
        """See the port."""
        with self.tables() as tables:
            there = tables.jobs.get(job.request_id)
            if there is None or there.revision != job.revision:
                actual = f"revision {there.revision}" if there else "no such job"
                raise Conflict(f"job {job.request_id}", f"revision {job.revision}", actual)
            tables.jobs[job.request_id] = new = raised(job, job.revision)
            return new

    def list(self, query: JobQuery) -> Page[Job]:
        """See the port."""
        query = checked(query)
        wanted = [(name, value) for name in EQUAL if (value := getattr(query, name)) is not None]
        with self.tables() as tables:
            found = [
                job
                for job in tables.jobs.values()
                if all(getattr(job, name) == value for name, value in wanted)
                and (query.states is None or job.state in query.states)
                and job.request_id.startswith(query.prefix)
            ]
        found.sort(key=_order, reverse=not query.oldest_first)
        items = tuple(found[query.offset : query.offset + query.limit])
        return Page(items, len(found), page_number(query), query.limit)

    def delete(self, request_id: str) -> bool:
        """See the port."""
        with self.tables() as tables:
            return tables.jobs.pop(request_id, None) is not None


def _order(job: Job) -> tuple[str, int, str]:
    return job.created_at, -1 if job.batch_index is None else job.batch_index, job.request_id

"""Answers of the door of jobs that are no documents of its format."""

from pydantic import JsonValue

from whet.app.jobs import told
from whet.app.jobs.requests import JobFilter
from whet.app.jobs.told import PendingQuestion
from whet.core.job import Job
from whet.core.value import Value
from whet.documents.base import Document, Items
from whet.documents.job import JobStatus
from whet.ports.listing import Page


class JobPage(Document):
    """A part of all jobs that fit."""

    jobs: Items[JobStatus]
    total: int
    limit: int
    offset: int


class Logs(Value):
    """What the agent did, line by line."""

    request_id: str
    lines: tuple[dict[str, JsonValue], ...]


class Pending(Value):
    """What the agent wants to know; null where it waits for nothing."""

    request_id: str
    status: str | None
    pending: PendingQuestion | None


class Accepted(Value):
    """A reply was taken."""

    request_id: str
    status: str
    accepted: bool = True


def job_page(page: Page[Job], wanted: JobFilter) -> JobPage:
    """Jobs that were found."""
    jobs = tuple(map(told.status, page.items))
    return JobPage(jobs=jobs, total=page.total, limit=wanted.limit, offset=wanted.offset)


def pending(job: Job) -> Pending:
    """The question that a job waits with."""
    asked = job.pending if job.state == "waiting_user" else None
    shown = told.pending_question(asked) if asked else None
    return Pending(request_id=job.request_id, status=told.shown_status(job), pending=shown)

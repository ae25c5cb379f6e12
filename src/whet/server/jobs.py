"""``/v1/jobs``: run a skill with typed inputs, and see what becomes of it."""

import asyncio
import time
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from pydantic import JsonValue, WithJsonSchema

from whet.app.jobs import cancel as cancelling
from whet.app.jobs import told
from whet.app.jobs.bundle import history
from whet.app.jobs.create import make, prepare
from whet.app.jobs.expiry import delete, delete_finished
from whet.app.jobs.requests import JobFilter
from whet.app.jobs.telling import lines
from whet.app.jobs.views import JobPage, Logs, job_page
from whet.core.errors import UsageError
from whet.core.job import Job
from whet.core.value import Value
from whet.documents.base import Document
from whet.documents.job import KEY_LENGTH, JobCancelled, JobCreate, JobCreated, JobResult, JobStatus
from whet.server.desk import AtDesk, Desk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sent import describes, sent
from whet.server.stream import STREAM_TO_THE_END, LastEventId, followed_to_the_end

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])

LONGEST_WAIT = 300.0
_LOOK_SECONDS = 0.02
_LONGEST_LOOK = 0.05
_LONGEST_WAIT_FOR_NEWS = 2.0
_MOST_STATUSES = 500

Key = Annotated[
    str | None,
    WithJsonSchema({"type": "string", "pattern": r"^[\x20-\x7e]*$", **KEY_LENGTH}),
    Header(description="Makes a request that is sent again the same one."),
]


class EventHistory(Value):
    """What happened to a job so far."""

    request_id: str
    events: tuple[dict[str, JsonValue], ...]
    cursor: int


class Removed(Value):
    """What became of a job."""

    request_id: str
    deleted: bool = True


class CleanedUp(Value):
    """How much a clean-up took away."""

    runs_deleted: int
    requests_deleted: int
    cache_entries_deleted: int


@router.get("/{request_id}", responses=of(JobStatus), response_model=None)
async def one(request_id: str, desk: AtDesk) -> Response:
    """Show where a job is."""
    return _shown(desk, desk.office.get(request_id))


@router.post("", responses=of(JobCreated), response_model=None, openapi_extra=describes(JobCreate))
async def create(
    desk: AtDesk, wanted: Annotated[JobCreate, sent(JobCreate)], idempotency_key: Key = None
) -> Response:
    """Ask for a job. A null ``status`` in the answer means that its files must be uploaded next.
    All that does not fit the skill is named at once."""
    if idempotency_key is not None:
        if wanted.idempotency_key not in (None, idempotency_key):
            raise UsageError("the header Idempotency-Key and idempotency_key say different things")
        wanted = wanted.model_copy(update={"idempotency_key": idempotency_key})
    prepared = await asyncio.to_thread(prepare, desk.office, wanted)
    job = desk.office.remember(await desk.app.writer(partial(make, desk.office, prepared)))
    desk.dispatcher.wake()
    return _told(told.created(job))


@router.get("", responses=of(JobPage), response_model=None)
def every(wanted: Annotated[JobFilter, Query()], desk: AtDesk) -> Response:
    """List jobs, the newest first."""
    return _told(job_page(desk.app.store.jobs.list(wanted.query), wanted))


@router.delete("/{request_id}")
def remove(request_id: str, desk: AtDesk) -> Removed:
    """Forget a job that is over, with its files; its session log stays."""
    delete(desk.office, request_id)
    return Removed(request_id=request_id)


@router.post("/cleanup")
def clean_up(desk: AtDesk) -> CleanedUp:
    """Forget every job that is over, with its files. Those that are not stay as they are, and so
    do all session logs."""
    gone = delete_finished(desk.office)
    return CleanedUp(
        runs_deleted=gone.runs,
        requests_deleted=gone.requests,
        cache_entries_deleted=gone.cache_entries,
    )


@router.get("/{request_id}/result", responses=of(JobResult), response_model=None)
async def result(request_id: str, desk: AtDesk) -> Response:
    """Show what a job came to; 409 before its end."""
    return _told(told.result(desk.office.get(request_id)))


@router.get("/{request_id}/wait", responses=of(JobStatus), response_model=None)
async def wait(
    request_id: str,
    desk: AtDesk,
    seconds: Annotated[float, Query(ge=0, le=LONGEST_WAIT, alias="timeout")] = 30,
) -> Response:
    """Answer when a job is over or waits for somebody; after ``timeout`` with how it is then."""
    return _told(told.status(await _settled(desk, request_id, seconds)))


@router.post("/{request_id}/cancel", responses=of(JobCancelled), response_model=None)
async def cancel(request_id: str, desk: AtDesk) -> Response:
    """End a job, whatever it is at. One that is over stays as it is. The answer comes when its
    agent has ended, or after ten seconds."""
    return _told(told.cancelled(await cancelling.cancel(desk.office, request_id)))


@router.get("/{request_id}/events", responses=STREAM_TO_THE_END, response_model=None)
async def events(
    request_id: str,
    desk: AtDesk,
    cursor: Annotated[int, Query(ge=0, lt=2**63, description="The last event seen.")] = 0,
    last_event_id: LastEventId = 0,
) -> Response:
    """Follow a job to its end; a client that comes back with Last-Event-ID, or a cursor, misses
    nothing and gets nothing twice."""
    desk.office.get(request_id)
    store = desk.app.store

    def is_over() -> bool:
        job = store.jobs.get(request_id)
        return job is None or job.is_over

    return await followed_to_the_end(desk, request_id, max(cursor, last_event_id), is_over)


@router.get("/{request_id}/events/history")
def past(
    request_id: str,
    desk: AtDesk,
    cursor: Annotated[int, Query(ge=0, lt=2**63)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> EventHistory:
    """Show what happened after a cursor."""
    desk.office.get(request_id)
    found = desk.app.store.events.since(cursor, request_id, limit)
    last = found[-1].cursor if found else cursor
    told_ = tuple(event.model_dump(mode="json") for event in found)
    return EventHistory(request_id=request_id, events=told_, cursor=last)


@router.get("/{request_id}/logs")
def logs(request_id: str, desk: AtDesk) -> Logs:
    """Show what the agent did so far, line by line."""
    desk.office.get(request_id)
    found = (line for event in history(desk.office, request_id) for line in lines(event))
    return Logs(request_id=request_id, lines=tuple(found))


async def _settled(desk: Desk, request_id: str, seconds: float) -> Job:
    end, pause = time.monotonic() + seconds, _LOOK_SECONDS
    while True:
        job = desk.office.get(request_id)
        if job.is_over or job.state == "waiting_user" or desk.stopped:
            return job
        if (left := end - time.monotonic()) <= 0:
            return job
        if pause < _LONGEST_LOOK:  # most are over soon
            await asyncio.sleep(min(pause, left))
            pause *= 1.5
        else:
            await desk.tail.wait(request_id, min(_LONGEST_WAIT_FOR_NEWS, left))


def _shown(desk: Desk, job: Job) -> Response:
    """Where a job is, for those who ask again and again: the same job is told in the same words."""
    known = desk.statuses.get(job.request_id)
    if known is None or known[0] is not job:
        if len(desk.statuses) >= _MOST_STATUSES:
            desk.statuses.clear()
        body = bytes(_told(told.status(job)).body)
        known = desk.statuses[job.request_id] = (job, body)
    return Response(known[1], media_type="application/json")


def _told(document: Document) -> Response:
    return Json(document.to_data())

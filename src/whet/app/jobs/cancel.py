"""Ending a job that nobody wants any more, whatever it is at."""

import asyncio
import time

from whet.app.jobs.office import Office
from whet.app.jobs.work import adopt
from whet.core.instant import iso
from whet.core.job import Job, JobFailure, JobResult

PATIENCE_SECONDS = 10.0
_LOOK_SECONDS = 0.05


def ask(office: Office, request_id: str) -> Job:
    """Cancel a job, or let whoever is at it know. One that is over stays as it is."""

    def change(job: Job) -> Job:
        if job.is_over or job.wants_cancel:
            return job
        if job.state == "running":
            return job.model_copy(update={"wants_cancel": True})
        return cancelled(job, iso(office.app.clock.now()), "cancelled", "somebody cancelled it")

    job = office.change(request_id, change)
    if job.is_over:
        office.places.tidy(job.run_id)
    return job


async def cancel(office: Office, request_id: str, patience: float = PATIENCE_SECONDS) -> Job:
    """The same, and wait until it is over; returns how it is then, or after *patience* seconds."""
    job = await office.app.writer(lambda: ask(office, request_id))
    end = time.monotonic() + patience
    while not job.is_over and time.monotonic() < end:
        owner = job.owner or ""
        if not owner or not office.app.is_alive(owner):
            await adopt(office, job)
        await asyncio.sleep(_LOOK_SECONDS)
        job = office.get(request_id)
    if job.state == "cancelled":  # whoever was at it has tidied up; there may have been nobody
        await asyncio.to_thread(office.places.tidy, job.run_id)
    return job


def drop(office: Office, request_id: str) -> Job:
    """Cancel a job that this process may have claimed, and is not at any more."""

    def change(job: Job) -> Job:
        is_mine = job.state == "running" and job.owner == office.app.owner.id
        return job.moved("queued", owner=None) if is_mine else job

    with office.app.store.transaction():
        office.change(request_id, change)
        return ask(office, request_id)


def cancelled(job: Job, now: str, code: str, message: str) -> Job:
    """A job that nobody is at, ended."""
    result = JobResult(failure=JobFailure(code=code, message=message))
    return job.moved("cancelled", pending=None, ended_at=now, result=result)

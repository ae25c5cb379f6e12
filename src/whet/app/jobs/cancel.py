"""Ending a job that nobody wants any more, whatever it is at."""

import asyncio
import time

from whet.app.jobs.moves import keep_run
from whet.app.jobs.office import Office
from whet.app.jobs.work import adopt
from whet.core.budget import Budget
from whet.core.errors import WrongStatus
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
            office.app.store.runs.wish(request_id, "stopped")
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
        await adopt(office, job)
        await asyncio.sleep(_LOOK_SECONDS)
        job = office.get(request_id)
    if job.state == "cancelled":  # whoever was at it has tidied up; there may have been nobody
        await asyncio.to_thread(office.places.tidy, job.run_id)
    return job


def pause(office: Office, request_id: str) -> Job:
    """Let a job come to the end of its turn and begin no other; one that is queued is not begun.
    Raises ``WrongStatus`` for all others."""
    with office.app.store.transaction():
        job = office.get(request_id)
        if job.state not in ("queued", "running"):
            message = f"job {request_id} is {job.state} and cannot be paused"
            raise WrongStatus(message, "queued or running", job.state)
        office.app.store.runs.wish(request_id, "paused")
        keep_run(office.app.store, job)
        return job


def unpause(office: Office, request_id: str, budget: Budget | None = None) -> Job:
    """Let a paused job go on when it is its turn, with a new budget if one is given; raises
    ``WrongStatus`` where it is not paused."""
    runs = office.app.store.runs
    with office.app.store.transaction():
        job, run = office.get(request_id), runs.get(request_id)
        if run is None or run.status != "interrupted":
            message = f"job {request_id} goes on by itself, or with an answer to what it asks"
            raise WrongStatus(message, "a paused job", job.state)
        runs.put(run.model_copy(update={"wish": None, "status": "queued"}))
        if budget is not None:
            options = job.options.model_copy(update={"budget": budget})
            job = office.app.store.jobs.put(job.model_copy(update={"options": options}))
            keep_run(office.app.store, job)
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

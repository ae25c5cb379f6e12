"""Letting go of what is old. Nothing goes that something else needs."""

import contextlib
from datetime import timedelta
from typing import NamedTuple

from whet.app.jobs import cache, private
from whet.app.jobs.cancel import cancelled
from whet.app.jobs.moves import KEEP, UPLOAD
from whet.app.jobs.office import Office
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import NotFound, WrongStatus
from whet.core.instant import iso
from whet.core.job import TERMINAL, Job
from whet.ports.jobs import JobQuery
from whet.ports.timers import Timer


def give_up_upload(office: Office, request_id: str) -> None:
    """A job whose files never came."""

    def change(job: Job) -> Job:
        if job.state != "waiting_upload":
            return job
        now = iso(office.app.clock.now())
        return cancelled(job, now, "upload_expired", "its files were not uploaded in time")

    office.change(request_id, change)


def expire(office: Office, timer: Timer) -> None:
    """Forget a job that has been over for long, once; one that is not gets more time. Its files go
    when nothing names them any more. Blocks: for a thread."""
    store = office.app.store
    with store.transaction():
        job = store.jobs.get(timer.key)
        if not store.timers.take(KEEP, timer.key, timer.due) or job is None:
            return
        if not job.is_over:
            due = office.app.clock.now() + timedelta(seconds=job.options.keep_seconds)
            store.timers.set(timer._replace(due=due))
            return
        gone = _forget(office, job)
    _remove(office, job, gone)


def sweep(office: Office) -> None:
    """Let go of all that is due now, where no server does that."""
    store = office.app.store
    for timer in store.timers.due(office.app.clock.now(), (UPLOAD, KEEP)):
        if timer.kind == KEEP:
            expire(office, timer)
            continue
        with store.transaction(), contextlib.suppress(NotFound):
            if store.timers.take(timer.kind, timer.key, timer.due):
                give_up_upload(office, timer.key)


class Forgotten(NamedTuple):
    """What went with one job."""

    run: bool
    """Whether its run went too; another job may have the same one."""

    cached: bool
    """Whether it answered requests for the same."""


class Cleaned(NamedTuple):
    """What went with all jobs that were over."""

    requests: int
    runs: int
    cache_entries: int


def delete_finished(office: Office) -> Cleaned:
    """Forget every job that is over, with its files; the others stay, and so do all session logs.
    Blocks: for a thread."""
    finished = JobQuery(states=tuple(TERMINAL), limit=LARGEST_PAGE)
    every: list[Forgotten] = []
    while jobs := office.app.store.jobs.list(finished).items:
        for job in jobs:
            with contextlib.suppress(NotFound):  # somebody else was first
                every.append(delete(office, job.request_id))
    runs, cached = sum(one.run for one in every), sum(one.cached for one in every)
    return Cleaned(len(every), runs, cached)


def delete(office: Office, request_id: str) -> Forgotten:
    """Forget a job that is over, and its run unless another job has it too; raises
    ``WrongStatus`` and ``NotFound``. Its session log stays."""
    with office.app.store.transaction():
        job = office.get(request_id)
        if not job.is_over:
            message = f"job {request_id} is {job.state}; cancel it first"
            raise WrongStatus(message, "succeeded, failed or cancelled", job.state)
        gone = _forget(office, job)
    _remove(office, job, gone)
    return gone


def _forget(office: Office, job: Job) -> Forgotten:
    """Within a transaction."""
    store = office.app.store
    store.jobs.delete(job.request_id)
    store.runs.delete(job.request_id)
    cached = cache.forget(store, job)
    private.forget(store, job.request_id)
    is_shared = store.jobs.list(JobQuery(run_id=job.run_id, limit=1)).total > 0
    return Forgotten(run=not is_shared, cached=cached)


def _remove(office: Office, job: Job, gone: Forgotten) -> None:
    office.places.forget_request(job.request_id)
    if gone.run:
        office.places.forget_run(job.run_id)

"""What goes with a job's coming into a state, in the same transaction: events and timers.

Timers are rows. Whoever is there when one is due does what it is for, after a restart too.
"""

from datetime import datetime, timedelta

from whet.app.foreign_runs import WEBHOOK as WEBHOOK
from whet.app.jobs import private, telling
from whet.core.job import Job, JobState
from whet.core.run import Actor, Run, RunStatus
from whet.ports.store import Store
from whet.ports.timers import Timer

UPLOAD = "job_upload"
REPLY = "job_reply"
KEEP = "job_keep"

UPLOAD_SECONDS = 86_400
"""How long a job waits for its files."""


def entered(store: Store, job: Job, now: datetime, actor: Actor = "person") -> None:
    """A job has just come into its state, or into another turn of the same."""
    keep_run(store, job, actor)
    telling.moved(store, job)
    if job.state == "waiting_upload":
        due = now + timedelta(seconds=UPLOAD_SECONDS)
        store.timers.set(Timer(UPLOAD, job.request_id, due, {}))
    if job.state == "waiting_user" and job.pending and job.pending.replies_itself_at:
        due = datetime.fromisoformat(job.pending.replies_itself_at)
        store.timers.set(Timer(REPLY, job.request_id, due, {"interaction": job.pending.id}))
    if job.is_over:
        due = now + timedelta(seconds=job.options.keep_seconds)
        store.timers.set(Timer(KEEP, job.request_id, due, {}))
        if job.webhook is not None:
            store.timers.set(Timer(WEBHOOK, job.request_id, now, {"tries": 0}))
        private.forget(store, job.request_id, but_webhook=job.webhook is not None)


_STATUSES: dict[JobState, RunStatus] = {
    "waiting_upload": "waiting",
    "queued": "queued",
    "running": "running",
    "waiting_user": "waiting",
    "succeeded": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}


def keep_run(store: Store, job: Job, actor: Actor = "person") -> None:
    """Keep the run of a job as the job is. One that begins to run is claimed; one that waits for
    its next turn while a person wants it paused is interrupted."""
    there = store.runs.get(job.request_id)
    status = _STATUSES[job.state]
    if status == "queued" and there is not None and there.wish == "paused":
        status = "interrupted"
    failure = job.result.failure if job.result else None
    run = Run(
        id=job.request_id,
        kind="job",
        name=job.skill_id,
        status=status,
        details={"run_id": job.run_id, "engine": job.engine, "model": job.model},
        owner=job.owner or (there.owner if there else ""),
        actor=there.actor if there else actor,
        total=1,
        done=int(job.is_over),
        failed=int(job.state == "failed"),
        usage=job.usage,
        budget=job.options.budget,
        spending=job.spending,
        error=failure.message if failure else None,
        parent=job.batch,
        created_at=job.created_at,
        started_at=job.started_at or job.created_at,
        ended_at=job.ended_at,
        elapsed_s=round(job.worked_seconds, 3),
    )
    if there is None or (status == "running" and there.status != "running"):
        store.runs.claim(run)
    else:
        store.runs.put(run.model_copy(update={"epoch": there.epoch}))

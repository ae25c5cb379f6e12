"""What goes with a job's coming into a state, in the same transaction: events and timers.

Timers are rows. Whoever is there when one is due does what it is for, after a restart too.
"""

from datetime import datetime, timedelta

from whet.app.foreign_runs import WEBHOOK as WEBHOOK
from whet.app.jobs import private, telling
from whet.core.job import Job
from whet.ports.store import Store
from whet.ports.timers import Timer

UPLOAD = "job_upload"
REPLY = "job_reply"
KEEP = "job_keep"

UPLOAD_SECONDS = 86_400
"""How long a job waits for its files."""


def entered(store: Store, job: Job, now: datetime) -> None:
    """A job has just come into its state, or into another turn of the same."""
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

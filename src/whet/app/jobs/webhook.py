"""Telling somebody that a job is over: signed, and again until it is heard.

A message may come twice, after a kill at the wrong moment; its id tells. It is never lost.
"""

import hashlib
import hmac
import json
import logging
from datetime import timedelta

from pydantic import JsonValue

from whet.app.jobs import private, told
from whet.app.jobs.moves import WEBHOOK
from whet.app.jobs.office import Office
from whet.app.jobs.posting import FAILED, Posting
from whet.core.errors import EnvironmentProblem, InvalidDocument
from whet.core.job import Job
from whet.ports.timers import Timer

PAUSES = (5, 30, 120, 600, 3_600, 21_600)
"""Seconds before each further try."""

HELD_SECONDS = 60
"""How long a message is somebody's to deliver; when that one dies, it is another's."""

_FOREIGN = "its job came with the workspace from elsewhere"

logger = logging.getLogger(__name__)

SIGNATURE = "X-Whet-Signature"
DELIVERY = "X-Whet-Delivery"


def hold(office: Office, timer: Timer) -> tuple[Timer, Posting] | None:
    """Make a message one to be delivered here, within a transaction; None if another has it, or
    if there is nobody to tell any more."""
    store = office.app.store
    job = store.jobs.get(timer.key)
    is_mine = store.timers.take(WEBHOOK, timer.key, timer.due)
    if not is_mine or job is None or job.webhook is None:
        return None
    if timer.key in office.app.foreign.waiting():
        _told(office, job, timer._replace(data={"tries": len(PAUSES)}), _FOREIGN)
        return None
    try:
        url = private.webhook_url(office.app, job)
        private.webhook_secret(office.app, job)
    except EnvironmentProblem as error:  # a workspace that was copied or moved
        _told(office, job, timer._replace(data={"tries": len(PAUSES)}), str(error))
        return None
    try:
        outbound = office.app.access.outbound()
    except InvalidDocument as error:  # the owner of the machine is at it
        logger.warning("webhook: %s", error)
        _told(office, job, timer, FAILED)
        return None
    held = timer._replace(due=office.app.clock.now() + timedelta(seconds=HELD_SECONDS))
    store.timers.set(held)
    return held, Posting(url, outbound)


def deliver(office: Office, held: Timer, message: Posting) -> None:
    """Send a message that is held, and say what came of it. Blocks: for a thread."""
    store = office.app.store
    job = store.jobs.get(held.key)
    if job is None:
        return
    secret = private.webhook_secret(office.app, job)
    body, at = body_of(job), int(office.app.clock.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "whet",
        SIGNATURE: signature(secret, at, body),
        DELIVERY: f"{job.request_id}.{job.state}",
    }
    trouble = message.send(body, headers)
    with store.transaction():
        if not store.timers.take(WEBHOOK, held.key, held.due):
            return
        if trouble is not None and message.is_called_off:
            store.timers.set(held._replace(due=office.app.clock.now()))
        else:
            _told(office, job, held, trouble)


def _told(office: Office, job: Job, held: Timer, trouble: str | None) -> None:
    """Note what came of a try, and when the next one is, within a transaction."""
    store, tries = office.app.store, held.data.get("tries")
    count = (tries if isinstance(tries, int) else 0) + 1
    about: dict[str, JsonValue] = {"url": private.shown_url(job), "try": count}
    if trouble is not None and count <= len(PAUSES):
        due = office.app.clock.now() + timedelta(seconds=PAUSES[count - 1])
        store.timers.set(Timer(WEBHOOK, held.key, due, {"tries": count}))
        about["next"] = due.isoformat()
    else:
        private.forget(store, job.request_id)
    kind = "job.webhook_failed" if trouble else "job.webhook_delivered"
    more: dict[str, JsonValue] = {"error": trouble} if trouble else {}
    store.events.append(kind, job.request_id, {**about, **more})


def body_of(job: Job) -> bytes:
    """The message: where the job is, and what it came to."""
    message: dict[str, JsonValue] = {
        "event": f"job.{job.state}",
        "job": told.status(job).to_data(),
        "result": told.result(job).to_data(),
    }
    return json.dumps(message, ensure_ascii=False).encode(errors="replace")


def signature(secret: str, at: int, body: bytes) -> str:
    """``t=…,v1=…``: HMAC-SHA256 of the time, a dot and the body, under the secret."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"

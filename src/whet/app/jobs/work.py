"""Carrying jobs out: claimed by compare-and-set, taken turn by turn, ended in one transaction.

Any process may do it, and any may die at any line. What it had committed stays: the next one finds
the turns that are on record, and goes on from there.
"""

import asyncio
import contextlib
import json
import time
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from whet.app.jobs import cache
from whet.app.jobs.office import Office
from whet.app.jobs.telling import Telling
from whet.app.runs.claim import RunClaim
from whet.app.runs.service import RunService
from whet.app.session_names import reserve
from whet.core.budget import Purse
from whet.core.counts import counted
from whet.core.errors import BudgetExhausted, Conflict, Halted, NotFound, WhetError
from whet.core.instant import iso
from whet.core.job import Job, JobFailure, JobResult
from whet.core.usage import Usage
from whet.documents.files import write_atomic
from whet.ports.engine import Engine
from whet.ports.pool import Handled
from whet.run.job.rounds import Turns
from whet.run.job.session import joined
from whet.run.threads import in_thread
from whet.run.trial import TrialRunner

MOST_RESTARTS = 3
FAULT = "this is a fault of the server; its log says more"
_HELD_SECONDS = 0.05


class Stint:
    """One process at one job, until that is over or waits for somebody."""

    def __init__(self, office: Office, job: Job) -> None:
        self._office = office
        self._app = office.app
        self._job = job
        self._telling = Telling(self._app.store, self._app.writer, job.request_id)
        self._claim: RunClaim | None = None
        # The time is a limit of every turn.
        budget = job.options.budget.model_copy(update={"max_seconds": None})
        self._purse = Purse(budget)

    async def work(self) -> Job:
        """Take turns, and do what people want of the run. Cancelled from outside, the job is left
        to others."""
        try:
            self._claim = RunService(self._app).held(self._job.request_id)
            async with self._claim.obeying(self._purse):
                return await self._turns()
        except Halted:
            return self._let_go()
        except asyncio.CancelledError:
            # Nothing may be awaited any more; this is a short transaction of its own.
            self._let_go()
            raise
        except BudgetExhausted as error:
            return self._failed("budget", str(error))
        except WhetError as error:
            return self._failed(error.code, str(error))
        except BaseException:
            self._failed("internal", FAULT)  # a bug of ours costs this job
            raise

    async def _turns(self) -> Job:
        turns, engine = self._office.turns(self._job), self._app.parts.engine(self._job.engine)
        await self._app.writer(partial(self._readdress, turns))
        while self._is_mine(self._job):
            begun = time.monotonic()
            self._purse.before = self._job.spending
            reserved = self._purse.reserve(turns.spec(self._job, self._job.rounds[-1]))
            handled = await turns.play(self._runner(), self._job, self._telling.heard)
            # What it used is in the ledger, and counts as spent before from the next turn on.
            reserved.settle(0, Usage())
            if not handled.settled:
                await asyncio.sleep(_HELD_SECONDS)
                self._job = await self._app.writer(self._seen)
                continue
            worked = self._job.worked_seconds + time.monotonic() - begun
            before = self._job.model_copy(update={"worked_seconds": round(worked, 3)})
            # What an agent says is held against a stranger's schema, which may take a while.
            settle = partial(self._settled, turns, before, handled, engine)
            self._job = await self._kept(await in_thread(settle), is_recorded=bool(handled.record))
            is_halted = self._app.drain.is_on or self._purse.is_halted
            if is_halted and self._is_mine(self._job):
                self._job = await self._app.writer(self._left_to_others)
        return self._job

    def _readdress(self, turns: Turns) -> None:
        """Let a turn that was planned with its secrets, before there were references of them, be
        found under the address that it is taken at."""
        last = self._job.rounds[-1]
        address = turns.spec(self._job, last).address
        if last.trial != address and self._office.record(self._job) is None:
            turn = last.model_copy(update={"trial": address})
            rounds = (*self._job.rounds[:-1], turn)
            present = self._office.get(self._job.request_id)
            if self._is_mine(present):
                after = present.model_copy(update={"rounds": rounds})
                self._job = self._office.put(after, tells=False)

    def _runner(self) -> TrialRunner:
        options = self._job.options
        runner = self._app.runner(options.retries)
        return replace(runner, retry_on=frozenset(options.retry_on))

    def _is_mine(self, job: Job) -> bool:
        return job.state == "running" and self._claim is not None and self._claim.is_current()

    def _seen(self) -> Job:
        """The job as it is now; cancelled, where somebody wished that meanwhile."""
        job = self._office.get(self._job.request_id)
        return self._cancelled(job) if self._is_mine(job) and job.wants_cancel else job

    def _settled(self, turns: Turns, before: Job, handled: Handled, engine: Engine) -> Job:
        """What a turn came to. Files come first: whoever hears of the end finds them."""
        record = handled.record
        after = self._timed(turns.after(before, handled, engine))
        after = after.model_copy(
            update={
                "usage": self._app.store.ledger.spent([turn.trial for turn in before.rounds]),
                "simulated": after.simulated or bool(record and record.simulated),
            }
        )
        if after.is_over:
            self._lay(after, is_recorded=record is not None)
        return after

    async def _kept(self, after: Job, *, is_recorded: bool) -> Job:
        """Write what a turn came to."""
        tell = self._telling.batch()

        def change() -> Job:
            present = self._office.get(after.request_id)
            tell()
            if not self._is_mine(present):  # it was let go of before this was written
                return present
            if present.wants_cancel:
                return self._cancelled(present)
            current = {"revision": present.revision, "owner": self._owner_of(after)}
            return self._put(after.model_copy(update=current))

        kept = await self._app.writer(change)
        if kept.is_over and not (is_recorded and kept.state == after.state):
            await in_thread(partial(self._tidy, kept))
        return kept

    def _put(self, job: Job) -> Job:
        ended = iso(self._app.clock.now()) if job.is_over else None
        kept = self._office.put(job.model_copy(update={"ended_at": ended}))
        if kept.state == "succeeded":
            cache.keep(self._app.store, kept)
        return kept

    def _owner_of(self, job: Job) -> str | None:
        return self._app.owner.id if job.state == "running" else None

    def _timed(self, job: Job) -> Job:
        """A question that answers itself knows when."""
        asked = job.pending
        if job.state != "waiting_user" or asked is None or not job.options.auto_reply:
            return job
        now = datetime.fromisoformat(asked.asked_at or iso(self._app.clock.now()))
        due = now + timedelta(seconds=job.options.reply_timeout_seconds)
        return job.model_copy(
            update={"pending": asked.model_copy(update={"replies_itself_at": iso(due)})}
        )

    def _lay(self, job: Job, *, is_recorded: bool) -> None:
        """The artifacts and the session of a job that is about to end. What its turns left is not
        needed from here on, if the last one *is_recorded*: nobody will take it again."""
        if is_recorded:
            self._office.places.tidy(job.run_id)
        result = job.result or JobResult()
        self._office.places.lay(job.run_id, result.artifacts, self._app.store.blobs)
        logs = [log for turn in job.rounds if (log := self._office.session(turn.trial))]
        if job.session is None or not logs:
            return
        text = json.dumps(joined(job, job.session, logs), ensure_ascii=False, indent=2) + "\n"
        data = text.encode(errors="replace")
        path = self._log(job.session)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data, durable=False)

    def _log(self, name: str) -> Path:
        return self._app.settings.workspace / "sessions" / f"{name}.json"

    def _tidy(self, job: Job) -> None:
        """Remove what nobody needs after the end; all that was laid, if the job was cancelled in
        the moment of its end."""
        self._office.places.tidy(job.run_id)
        if job.state == "cancelled":
            self._office.places.clear(job.run_id)
            if job.session is not None:
                self._log(job.session).unlink(missing_ok=True)

    def _left_to_others(self) -> Job:
        """Queue the job between two turns; whoever takes it goes on with the next one."""
        job = self._office.get(self._job.request_id)
        if not self._is_mine(job):
            return job
        return self._office.put(job.moved("queued", owner=None))

    def _let_go(self) -> Job:
        """End what was under way: for good if that is wanted, else for another process."""
        with self._app.store.transaction():
            self._telling.tell()
            job = self._office.get(self._job.request_id)
            if not self._is_mine(job):
                return job
            if job.wants_cancel:
                after = self._cancelled(job)
            elif job.options.on_restart == "fail" and self._office.record(job) is None:
                after = self._put(interrupted(job))
            else:
                after = self._office.put(job.moved("queued", owner=None))
        if after.is_over:
            self._tidy(after)
        return after

    def _cancelled(self, job: Job) -> Job:
        failure = JobFailure(code="cancelled", message="somebody cancelled it")
        change = {"owner": None, "pending": None, "result": JobResult(failure=failure)}
        return self._put(job.moved("cancelled", **change))

    def _failed(self, code: str, message: str) -> Job:
        with self._app.store.transaction():
            self._telling.tell()
            job = self._office.get(self._job.request_id)
            if not self._is_mine(job):
                return job
            failure = JobFailure(code=code, message=message[:2000])
            job = self._put(job.moved("failed", owner=None, result=JobResult(failure=failure)))
        self._tidy(job)
        return job


def claim(office: Office, job: Job) -> Job | None:
    """Make a queued job one of this process, within a transaction; None where another was first."""
    app = office.app
    try:
        present = office.get(job.request_id)
    except NotFound:
        return None
    run = app.store.runs.get(job.request_id)
    is_paused = run is not None and run.status == "interrupted"
    if present.state != "queued" or is_paused:
        return None
    now = iso(app.clock.now())
    change = {
        "owner": app.owner.id,
        "started_at": present.started_at or now,
        "session": present.session or reserve(app, present.skill_id),
    }
    try:
        return office.put(present.moved("running", **change))
    except Conflict:
        return None


async def take(office: Office, job: Job) -> Job | None:
    """The same. Whoever is cancelled while it is written has not claimed anything: the job would
    be one of a living process that is not at it."""
    is_withdrawn = False

    def change() -> Job | None:
        return None if is_withdrawn else claim(office, job)

    try:
        return await office.app.writer(change)
    except asyncio.CancelledError:
        is_withdrawn = True
        with contextlib.suppress(NotFound):
            office.change(job.request_id, partial(_free, office.app.owner.id))
        raise


async def adopt(office: Office, job: Job, *, is_lost: bool = False) -> None:
    """Take care of a running job whose process is gone; *is_lost* is one of this process that it
    is not at any more. One that somebody is at stays as it is."""
    run = office.app.store.runs.get(job.request_id)
    if run is not None and not is_lost and not RunService(office.app).is_abandoned(run):
        return
    after = await office.app.writer(partial(abandoned, office, job, is_lost=is_lost))
    if after is not None and after.is_over:
        await asyncio.to_thread(office.places.tidy, after.run_id)


def abandoned(office: Office, job: Job, *, is_lost: bool = False) -> Job | None:
    """What becomes of a running job whose process is gone, within a transaction."""
    present = office.get(job.request_id)
    run = office.app.store.runs.get(job.request_id)
    is_gone = is_lost or run is None or RunService(office.app).is_abandoned(run)
    if present.state != "running" or present.owner != job.owner or not is_gone:
        return None
    if present.wants_cancel:
        failure = JobFailure(code="cancelled", message="somebody cancelled it")
        change = {"owner": None, "result": JobResult(failure=failure)}
        return office.put(_ended(office, present.moved("cancelled", **change)))
    again = present.options.on_restart == "rerun" and present.restarts < MOST_RESTARTS
    if again:
        change = {"owner": None, "restarts": present.restarts + 1}
        return office.put(present.moved("queued", **change))
    return office.put(_ended(office, interrupted(present)))


def interrupted(job: Job) -> Job:
    """A running job that is not to be run again."""
    message = "its process was gone while the agent worked"
    if job.restarts:
        message += f", {counted(job.restarts + 1, 'time', 'times')}"
    failure = JobFailure(code="interrupted", message=message)
    return job.moved("failed", owner=None, result=JobResult(failure=failure))


def _free(owner: str, job: Job) -> Job:
    is_mine = job.state == "running" and job.owner == owner
    return job.moved("queued", owner=None) if is_mine else job


def _ended(office: Office, job: Job) -> Job:
    return job.model_copy(update={"ended_at": iso(office.app.clock.now())})

"""The process that does jobs: takes what is queued as there is room, and minds the timers.

Several processes may do this for one workspace. Each job is claimed by one of them.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial

from whet.app.jobs import serving, webhook
from whet.app.jobs.expiry import expire, give_up_upload
from whet.app.jobs.moves import KEEP, REPLY, UPLOAD, WEBHOOK
from whet.app.jobs.office import Office
from whet.app.jobs.posting import Posting
from whet.app.jobs.reply import decide_itself
from whet.app.jobs.work import Stint, adopt, take
from whet.app.runs.service import RunService
from whet.app.secret_sweep import sweep_secrets
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import Draining, NotFound, WhetError
from whet.core.job import Job
from whet.core.lanes import WIDTH, Lanes
from whet.ports.jobs import JobQuery
from whet.ports.runs import RunQuery
from whet.ports.timers import Timer
from whet.run.threads import in_thread

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
MIND_SECONDS = 0.05
"""Between two looks at timers and at wishes to cancel, however much else there is to do."""

ORPHAN_SECONDS = 2.0
_MOST_MESSAGES = 4
_LAST_SECONDS = 1.0
"""For messages under way, when the process is about to end."""

_POSTPONED_SECONDS = 60.0
_SWEEP_SECONDS = 30.0
"""Between two looks for secrets that nobody needs any more."""


class Dispatcher:
    """Does the jobs of a workspace for as long as it runs."""

    def __init__(self, office: Office, width: int = WIDTH) -> None:
        self._office = office
        self._app = office.app
        self._wake = asyncio.Event()
        self._running: dict[str, asyncio.Task[Job]] = {}
        self._lanes = Lanes(width)
        self._messages: dict[asyncio.Future[None], Posting] = {}
        self._postmen = ThreadPoolExecutor(_MOST_MESSAGES, "whet-webhook")
        self._looked_for_orphans = -ORPHAN_SECONDS
        self._minded = -MIND_SECONDS
        self._swept = -_SWEEP_SECONDS
        self._is_announced = False
        self._foreign: frozenset[str] = frozenset()
        """Jobs that are not to be begun: they came from elsewhere, and nobody agreed to them."""

        self._paused: frozenset[str] = frozenset()

    @property
    def is_busy(self) -> bool:
        """Whether jobs are under way in this process."""
        return bool(self._running)

    def wake(self) -> None:
        """There may be something to do."""
        self._wake.set()

    async def run(self) -> None:
        """Look for work until cancelled; then let go of it, so that others can go on."""
        try:
            while True:
                self._wake.clear()
                try:
                    await self._look()
                except WhetError as error:  # a full disk, say: it may pass
                    logger.error("jobs cannot be looked for: %s", error)
                    await asyncio.sleep(LOOK_SECONDS)
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._wake.wait()
                except TimeoutError:
                    pass
        finally:
            await self._stop()

    async def _look(self) -> None:
        if not self._is_announced:
            await self._app.writer(partial(serving.announce, self._app))
            self._is_announced = True
        if time.monotonic() - self._minded >= MIND_SECONDS:
            self._minded = time.monotonic()
            await self._ring()
        if time.monotonic() - self._looked_for_orphans > ORPHAN_SECONDS:
            self._looked_for_orphans = time.monotonic()
            self._foreign = self._app.foreign.waiting()
            await self._adopt()
        if not self._app.drain.is_on:
            await self._take()

    async def _adopt(self) -> None:
        """Take care of jobs whose process is gone."""
        service = RunService(self._app)
        for run in reversed(service.running("job")):
            is_lost = run.owner == self._app.owner.id and run.id not in self._running
            if run.id not in self._foreign and (is_lost or service.is_abandoned(run)):
                with contextlib.suppress(NotFound):
                    await adopt(self._office, self._office.get(run.id), is_lost=is_lost)

    async def _take(self) -> None:
        """Claim what is queued, the oldest first, as far as its lane has room."""
        paused = RunQuery(kinds=("job",), statuses=("interrupted",), limit=LARGEST_PAGE)
        self._paused = frozenset(run.id for run in self._app.store.runs.list(paused).items)
        for job in self._queued():
            if not self._lanes.has_room(job.lane):
                continue
            claimed = await take(self._office, job)
            if claimed is not None:
                self._start(claimed)

    def _queued(self) -> list[Job]:
        jobs = self._app.store.jobs
        query = JobQuery(states=("queued",), oldest_first=True, limit=LARGEST_PAGE)
        page = jobs.list(query)
        found = self._ready(page.items)
        while not found and page.items and (self._foreign or self._paused):
            query = replace(query, offset=query.offset + len(page.items))
            page = jobs.list(query)
            found = self._ready(page.items)
        if page.total > len(page.items) and not any(
            self._lanes.has_room(job.lane) for job in found
        ):
            # So many wait for one engine that nobody else is among them.
            for engine in self._office.engines:
                query = JobQuery(states=("queued",), engine=engine, oldest_first=True)
                found += self._ready(jobs.list(query).items)
        return found

    def _ready(self, jobs: Sequence[Job]) -> list[Job]:
        left = self._foreign | self._paused
        return [job for job in jobs if job.request_id not in left]

    def _start(self, job: Job) -> None:
        task = asyncio.create_task(Stint(self._office, job).work())
        self._running[job.request_id] = task
        self._lanes.enter(job.lane)
        task.add_done_callback(partial(self._ended, job.request_id, job.lane))

    def _ended(self, request_id: str, lane: str, task: asyncio.Task[Job]) -> None:
        self._running.pop(request_id, None)
        self._lanes.leave(lane)
        self._wake.set()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            logger.error("job %s broke: %r", request_id, error)

    async def _ring(self) -> None:
        """Do what is due. One timer that cannot be served holds up none of the others, and neither
        do messages that nobody takes."""
        now, timers = self._app.clock.now(), self._app.store.timers
        for timer in timers.due(now, (UPLOAD, REPLY, KEEP)):
            try:
                await self._served(timer)
            except WhetError as error:
                logger.error("%s of job %s has to wait: %s", timer.kind, timer.key, error)
                await self._app.writer(partial(self._postpone, timer))
        room = _MOST_MESSAGES - len(self._messages)
        for timer in timers.due(now, (WEBHOOK,), room) if room > 0 else ():
            await self._send(timer)
        if time.monotonic() - self._swept > _SWEEP_SECONDS:
            self._swept = time.monotonic()
            await in_thread(partial(sweep_secrets, self._app.settings, self._app.store))

    async def _served(self, timer: Timer) -> None:
        if timer.kind == KEEP:  # it has files to remove
            await in_thread(partial(expire, self._office, timer))
            return

        def change() -> None:
            if not self._app.store.timers.take(timer.kind, timer.key, timer.due):
                return
            with contextlib.suppress(NotFound):  # whom it was for is gone
                if timer.kind == UPLOAD:
                    give_up_upload(self._office, timer.key)
                else:
                    asked = timer.data.get("interaction")
                    decide_itself(self._office, timer.key, asked if isinstance(asked, int) else 0)

        await self._app.writer(change)

    def _postpone(self, timer: Timer) -> None:
        if self._app.store.timers.take(timer.kind, timer.key, timer.due):
            due = self._app.clock.now() + timedelta(seconds=_POSTPONED_SECONDS)
            self._app.store.timers.set(timer._replace(due=due))

    async def _send(self, timer: Timer) -> None:
        mine = await self._app.writer(partial(webhook.hold, self._office, timer))
        if mine is None:
            return
        held, message = mine
        sending = asyncio.get_running_loop().run_in_executor(
            self._postmen, webhook.deliver, self._office, held, message
        )
        self._messages[sending] = message
        sending.add_done_callback(self._sent)

    def _sent(self, sending: asyncio.Future[None]) -> None:
        self._messages.pop(sending, None)
        self._wake.set()
        error = None if sending.cancelled() else sending.exception()
        if error is not None:
            logger.error("a webhook could not be sent: %r", error)

    async def _stop(self) -> None:
        tasks = [*self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        sending = [*self._messages]
        if sending:
            await asyncio.wait(sending, timeout=_LAST_SECONDS)
        for message in [*self._messages.values()]:
            message.call_off()
        await asyncio.gather(*sending, return_exceptions=True)
        self._postmen.shutdown(wait=False)
        with contextlib.suppress(WhetError), self._app.store.transaction():
            serving.withdraw(self._app)


async def carry_on(office: Office, claimed: Job) -> Job:
    """Do a job that this process has claimed; returns when it is over or waits for somebody."""
    await Stint(office, claimed).work()
    return await carry_out(office, claimed.request_id)


async def carry_out(office: Office, request_id: str) -> Job:
    """Do one job in this process, or wait for who does it; returns when it is over or waits for
    somebody, or is paused. What is queued is left to a server as long as there is one."""
    app = office.app
    while True:
        job = office.get(request_id)
        if job.state not in ("queued", "running"):
            return job
        if app.drain.is_on:
            raise Draining(f"job {job.request_id} goes on with: whet job wait {job.request_id}")
        if job.state == "running":
            await adopt(office, job)
            await asyncio.sleep(LOOK_SECONDS / 5)
            continue
        run = app.store.runs.get(request_id)
        if run is not None and run.status == "interrupted":
            return job
        claimed = None if serving.is_served(app) else await take(office, job)
        if claimed is None:
            await asyncio.sleep(LOOK_SECONDS / 5)
        else:
            await Stint(office, claimed).work()

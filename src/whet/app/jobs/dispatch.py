"""The process that does jobs: takes what is queued as there is room, and minds the timers.

Several processes may do this for one workspace. Each job is claimed by one of them.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
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
from whet.app.secret_sweep import sweep_secrets
from whet.core.errors import Draining, NotFound, WhetError
from whet.core.job import Job
from whet.ports.jobs import JobQuery
from whet.ports.listing import LARGEST_PAGE
from whet.ports.timers import Timer
from whet.run.threads import in_thread

logger = logging.getLogger(__name__)

WIDTH = 8
"""Jobs at once for each engine and model."""

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
        self._width = width
        self._wake = asyncio.Event()
        self._running: dict[str, tuple[str, asyncio.Task[Job]]] = {}
        self._ending: set[str] = set()
        self._messages: dict[asyncio.Future[None], Posting] = {}
        self._postmen = ThreadPoolExecutor(_MOST_MESSAGES, "whet-webhook")
        self._looked_for_orphans = -ORPHAN_SECONDS
        self._minded = -MIND_SECONDS
        self._swept = -_SWEEP_SECONDS
        self._is_announced = False
        self._foreign: frozenset[str] = frozenset()
        """Jobs that are not to be begun: they came from elsewhere, and nobody agreed to them."""

    @property
    def is_busy(self) -> bool:
        """Whether jobs are under way in this process."""
        return bool(self._running)

    def wake(self, *, to_cancel: bool = False) -> None:
        """There may be something to do."""
        if to_cancel:
            self._minded = -MIND_SECONDS
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
            self._obey()
            await self._ring()
        if time.monotonic() - self._looked_for_orphans > ORPHAN_SECONDS:
            self._looked_for_orphans = time.monotonic()
            self._foreign = self._app.foreign.waiting()
            await self._adopt()
        if not self._app.drain.is_on:
            await self._take()

    def _obey(self) -> None:
        """End what somebody wants to be cancelled."""
        if not self._running:
            return
        mine = JobQuery(owner=self._app.owner.id, wants_cancel=True, limit=LARGEST_PAGE)
        for job in self._app.store.jobs.list(mine).items:
            # Once: whoever ends its agent must not be disturbed.
            if job.request_id in self._running and job.request_id not in self._ending:
                self._ending.add(job.request_id)
                self._running[job.request_id][1].cancel()

    async def _adopt(self) -> None:
        """Take care of jobs whose process is gone."""
        running = JobQuery(states=("running",), oldest_first=True, limit=LARGEST_PAGE)
        for job in self._app.store.jobs.list(running).items:
            owner = job.owner or ""
            if job.request_id in self._foreign:
                continue
            is_lost = owner == self._app.owner.id and job.request_id not in self._running
            if is_lost or not (owner and self._app.is_alive(owner)):
                await adopt(self._office, job, is_lost=is_lost)

    async def _take(self) -> None:
        """Claim what is queued, the oldest first, as far as its lane has room."""
        busy = Counter(lane for lane, _ in self._running.values())
        for job in self._queued(busy):
            lane = _lane(job)
            if busy[lane] >= self._width:
                continue
            claimed = await take(self._office, job)
            if claimed is not None:
                busy[lane] += 1
                self._start(claimed, lane)

    def _queued(self, busy: Counter[str]) -> list[Job]:
        jobs = self._app.store.jobs
        query = JobQuery(states=("queued",), oldest_first=True, limit=LARGEST_PAGE)
        page = jobs.list(query)
        found = self._without_foreign(page.items)
        while not found and page.items and self._foreign:
            query = replace(query, offset=query.offset + len(page.items))
            page = jobs.list(query)
            found = self._without_foreign(page.items)
        if page.total > len(page.items) and all(busy[_lane(job)] >= self._width for job in found):
            # So many wait for one engine that nobody else is among them.
            for engine in self._office.engines:
                query = JobQuery(states=("queued",), engine=engine, oldest_first=True)
                found += self._without_foreign(jobs.list(query).items)
        return found

    def _without_foreign(self, jobs: Sequence[Job]) -> list[Job]:
        return [job for job in jobs if job.request_id not in self._foreign]

    def _start(self, job: Job, lane: str) -> None:
        task = asyncio.create_task(Stint(self._office, job).work())
        self._running[job.request_id] = (lane, task)
        task.add_done_callback(partial(self._ended, job.request_id))

    def _ended(self, request_id: str, task: asyncio.Task[Job]) -> None:
        self._running.pop(request_id, None)
        self._ending.discard(request_id)
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
        tasks = [task for _, task in self._running.values()]
        for request_id, (_, task) in self._running.items():
            if request_id not in self._ending:
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
    await _minded(office, claimed)
    return await carry_out(office, claimed.request_id)


async def carry_out(office: Office, request_id: str) -> Job:
    """Do one job in this process, or wait for who does it; returns when it is over or waits for
    somebody. What is queued is left to a server as long as there is one."""
    app = office.app
    while True:
        job = office.get(request_id)
        if job.state not in ("queued", "running"):
            return job
        if app.drain.is_on:
            raise Draining(f"job {job.request_id} goes on with: whet job wait {job.request_id}")
        if job.state == "running":
            if not app.is_alive(job.owner or ""):
                await adopt(office, job)
            await asyncio.sleep(LOOK_SECONDS / 5)
            continue
        if serving.is_served(app):
            await asyncio.sleep(LOOK_SECONDS / 5)
            continue
        claimed = await take(office, job)
        if claimed is not None:
            await _minded(office, claimed)


async def _minded(office: Office, job: Job) -> None:
    """Work, and end if somebody wants that."""
    task = asyncio.create_task(Stint(office, job).work())
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
            if not task.done() and office.get(job.request_id).wants_cancel:
                break
    finally:
        if not task.done():
            task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def _lane(job: Job) -> str:
    return f"{job.engine}:{job.model}"

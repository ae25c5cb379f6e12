"""What the server holds while it runs: the app, the index, and the experiments under way."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, NamedTuple, cast

from fastapi import Depends, Request

from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.jobs.dispatch import Dispatcher
from whet.app.jobs.office import Office
from whet.app.library.library import Library
from whet.app.packages.packages import Packages
from whet.app.run_kinds import RunKinds
from whet.app.runs.service import RunService
from whet.app.views.views import Views
from whet.app.watch import EventTail
from whet.core.budget import NO_LIMITS, Budget
from whet.core.errors import BudgetExhausted, Draining, Halted
from whet.core.job import Job
from whet.core.run import Run
from whet.evaluate.project import Project
from whet.ports.listing import Kind
from whet.server.connections import StreamLimit
from whet.server.encoded_events import EncodedEvents
from whet.server.failed_attempts import FailedAttempts
from whet.server.following import FollowedIndex, FollowedSessions
from whet.server.running_list import RunningList

logger = logging.getLogger(__name__)

DRAIN_LOOK_SECONDS = 0.05

Work = Callable[[Callable[[], None]], Awaitable[object]]
"""What goes on in the background; calls what it is given once it has begun."""


@dataclass
class Desk:
    """Starts experiments and ends them with the server."""

    app: App
    stopped: bool = False
    """Whether the server is about to end; whoever follows an experiment has to let go."""

    index: FollowedIndex = field(init=False)
    """Of the library."""

    sessions: FollowedSessions = field(init=False)
    """What agents did."""

    views: Views = field(init=False)
    """Of experiments."""

    office: Office = field(init=False)
    """Of jobs."""

    dispatcher: Dispatcher = field(init=False)
    """Does them."""

    statuses: dict[str, tuple[Job, bytes]] = field(default_factory=dict[str, tuple[Job, bytes]])
    """Of jobs that were asked for lately, as they were told."""

    tail: EventTail = field(init=False)
    """What happens, for all who follow it."""

    encoded_events: EncodedEvents = field(default_factory=EncodedEvents)
    """The same as it is sent to them."""

    running_list: RunningList = field(init=False)
    """The agents at work, for all who follow that."""

    streams: StreamLimit = field(default_factory=StreamLimit)
    """How many follow something."""

    failed_attempts: FailedAttempts = field(default_factory=FailedAttempts)
    """Requests with a wrong token."""

    _running: dict[str, "_Running"] = field(default_factory=dict[str, "_Running"])
    _serving: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        # Whoever asks over HTTP is not a person at this machine.
        self.app = replace(self.app, door="server")
        self.index = FollowedIndex(self.app.settings.workspace)
        self.sessions = FollowedSessions(self.app)
        self.tail = EventTail(self.app.store.events)
        self.running_list = RunningList(self.app)
        self.views = Views(self.app)
        self.office = Office(self.app, partial(self.library, "skill"))
        self.dispatcher = Dispatcher(self.office)

    def serve_jobs(self) -> None:
        """Begin to do jobs."""
        self._serving = asyncio.create_task(self.dispatcher.run())

    def library(self, kind: Kind) -> Library:
        """The assets of one kind."""
        return Library(self.app.settings.workspace, kind, self.index.follow(), self.app.clock)

    @property
    def packages(self) -> Packages:
        """The job packages of the library, and what was read of them."""
        return Packages(self.library("skill"), self.app.parts.engines(), self.office.cache)

    async def start(
        self,
        project: Project,
        *,
        imported: bool = False,
        pause_seconds: float = 0,
        budget: Budget = NO_LIMITS,
    ) -> None:
        """Run a project in the background; one that is running goes on as it is. With *imported*,
        answers of imported cassettes will do; *pause_seconds* is waited before each trial."""
        runs = Experiments(self.app, imported=imported, pause_seconds=pause_seconds, budget=budget)
        await self.begin(project.config.id, partial(runs.run, project))

    @property
    def runs(self) -> RunService:
        """The runs of the workspace, of every kind."""
        return RunService(self.app)

    async def go_on(self, run: Run, budget: Budget | None = None) -> None:
        """Carry out what is left of a run in the background, with a new budget if there is one."""
        kinds = RunKinds(self.app, self.library)
        await self.begin(run.id, partial(kinds.go_on, run, budget=budget))

    async def begin(self, identity: str, work: Work) -> None:
        """Let *work* go on in the background, once for each run at a time; the next server goes on
        with it if this one ends before.

        Returns when it has begun; raises what kept it from that.
        """
        running = self._running.get(identity)
        if running is None or running.task.done():
            if self.app.drain.is_on:
                raise Draining("the server is about to end; ask again when it is back")
            begun = asyncio.Event()
            task = asyncio.create_task(_carry_out(work, begun.set))
            self._running[identity] = running = _Running(task, begun)
            task.add_done_callback(partial(self._ended, identity, running))
        await running.begun.wait()
        if running.task.done():
            running.task.result()

    async def drain(self, seconds: float, is_hurried: Callable[[], bool]) -> None:
        """Begin no more trials; let those under way finish, for at most so many *seconds* or until
        somebody is in a hurry; then end all."""
        self.app.drain.begin()
        deadline = time.monotonic() + seconds
        while (self._running or self.dispatcher.is_busy) and not is_hurried():
            if time.monotonic() >= deadline:
                break
            await asyncio.sleep(DRAIN_LOOK_SECONDS)
        await self.stop()

    async def stop(self) -> None:
        """End all that is running; the next server goes on with it."""
        self.app.drain.begin()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
        await asyncio.gather(*map(self._cancel, list(self._running.values())))
        self.stopped = True
        self.tail.stop()

    async def _cancel(self, running: "_Running") -> None:
        running.task.cancel()
        await asyncio.gather(running.task, return_exceptions=True)

    def _ended(self, identity: str, running: "_Running", task: asyncio.Task[None]) -> None:
        if self._running.get(identity) is running:
            del self._running[identity]
        running.begun.set()
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Halted | Draining | BudgetExhausted):
            logger.error("%s was interrupted: %s", identity, error)


async def _carry_out(work: Work, begun: Callable[[], None]) -> None:
    await work(begun)


class _Running(NamedTuple):
    """Something under way; ``begun`` once it works, or has failed to."""

    task: asyncio.Task[None]
    begun: asyncio.Event


# Async, although it waits for nothing: others are called in a thread, which takes longer than most
# answers do.
async def _desk(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


AtDesk = Annotated[Desk, Depends(_desk)]

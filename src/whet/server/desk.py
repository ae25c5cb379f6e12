"""What the server holds while it runs: the app, the index, and the experiments under way."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, NamedTuple, cast

from fastapi import Depends, Request

from whet.app.app import App
from whet.app.experiments import Experiments, ExperimentState
from whet.app.jobs.dispatch import Dispatcher
from whet.app.jobs.office import Office
from whet.app.library.library import Library
from whet.app.overview.underway import Underway
from whet.app.packages.packages import Packages
from whet.app.views.views import Views
from whet.core.errors import Halted
from whet.core.job import Job
from whet.evaluate.project import Project
from whet.ports.listing import Kind
from whet.server.following import FollowedIndex, FollowedSessions

logger = logging.getLogger(__name__)

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

    underway: Underway = field(init=False)
    """How far things are that run."""

    office: Office = field(init=False)
    """Of jobs."""

    dispatcher: Dispatcher = field(init=False)
    """Does them."""

    statuses: dict[str, tuple[Job, bytes]] = field(default_factory=dict[str, tuple[Job, bytes]])
    """Of jobs that were asked for lately, as they were told."""

    _running: dict[str, "_Running"] = field(default_factory=dict[str, "_Running"])
    _serving: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        self.index = FollowedIndex(self.app.settings.workspace)
        self.sessions = FollowedSessions(self.app)
        self.views = Views(self.app)
        self.underway = Underway(self.app)
        self.office = Office(self.app, partial(self.library, "skill"))
        self.dispatcher = Dispatcher(self.office)

    def serve_jobs(self) -> None:
        """Begin to do jobs."""
        self._serving = asyncio.create_task(self.dispatcher.run())

    @property
    def experiments(self) -> Experiments:
        """The experiments of the workspace."""
        return Experiments(self.app)

    def library(self, kind: Kind) -> Library:
        """The assets of one kind."""
        return Library(self.app.settings.workspace, kind, self.index.follow(), self.app.clock)

    @property
    def packages(self) -> Packages:
        """The job packages of the library, and what was read of them."""
        return Packages(self.library("skill"), self.app.parts.engines(), self.office.cache)

    async def start(self, project: Project) -> ExperimentState:
        """Run a project in the background; one that is running goes on as it is."""
        identity = project.config.id
        await self.begin(identity, partial(self.experiments.run, project))
        return self.experiments.get(identity)

    async def begin(self, identity: str, work: Work) -> None:
        """Let *work* go on in the background, once for each identity at a time.

        Returns when it has begun; raises what kept it from that.
        """
        running = self._running.get(identity)
        if running is None or running.task.done():
            begun = asyncio.Event()
            task = asyncio.create_task(_until_its_end(work(begun.set)))
            self._running[identity] = running = _Running(task, begun)
            task.add_done_callback(partial(self._ended, identity, running))
        await running.begun.wait()
        if running.task.done():
            running.task.result()

    async def end(self, identity: str) -> None:
        """End what runs under that identity here, if anything does; it can be picked up again."""
        if (running := self._running.get(identity)) is not None:
            running.task.cancel()
            await asyncio.gather(running.task, return_exceptions=True)

    async def stop(self) -> None:
        """End all that is running; it can be picked up again."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
        await asyncio.gather(*map(self.end, list(self._running)))
        self.stopped = True

    def _ended(self, identity: str, running: "_Running", task: asyncio.Task[None]) -> None:
        if self._running.get(identity) is running:
            del self._running[identity]
        running.begun.set()
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Halted):
            logger.error("%s was interrupted: %s", identity, error)


async def _until_its_end(work: Awaitable[object]) -> None:
    await work


class _Running(NamedTuple):
    """Something under way; ``begun`` once it works, or has failed to."""

    task: asyncio.Task[None]
    begun: asyncio.Event


# Async, although it waits for nothing: others are called in a thread, which takes longer than most
# answers do.
async def _desk(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


AtDesk = Annotated[Desk, Depends(_desk)]

"""What the server holds while it runs: the app, and the experiments under way."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, cast

from fastapi import Depends, Request

from whet.app.app import App
from whet.app.experiments import Experiments, ExperimentState
from whet.evaluate.project import Project

logger = logging.getLogger(__name__)


@dataclass
class Desk:
    """Starts experiments and ends them with the server."""

    app: App
    stopped: bool = False
    """Whether the server is about to end; whoever follows an experiment has to let go."""

    _running: dict[str, "_Running"] = field(default_factory=dict[str, "_Running"])

    @property
    def experiments(self) -> Experiments:
        """The experiments of the workspace."""
        return Experiments(self.app)

    async def start(self, project: Project) -> ExperimentState:
        """Run a project in the background; one that is running goes on as it is."""
        identity = project.config.id
        if identity not in self._running:
            begun = asyncio.Event()
            task = asyncio.create_task(self._run(project, begun))
            self._running[identity] = _Running(task, begun)
            task.add_done_callback(lambda _: self._ended(identity))
        running = self._running[identity]
        await running.begun.wait()
        if running.task.done():
            running.task.result()
        return self.experiments.get(identity)

    async def stop(self) -> None:
        """End what is running; it can be picked up again."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.stopped = True

    def _ended(self, identity: str) -> None:
        task, begun = self._running.pop(identity)
        begun.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("experiment %s was interrupted: %s", identity, error)

    async def _run(self, project: Project, begun: asyncio.Event) -> None:
        await self.experiments.run(project, begun.set)


class _Running(NamedTuple):
    """An experiment under way; ``begun`` once it works, or has failed to."""

    task: asyncio.Task[None]
    begun: asyncio.Event


def _desk(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


AtDesk = Annotated[Desk, Depends(_desk)]

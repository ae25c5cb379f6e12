"""Agents that are followed while they work."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.app.opening import app_on
from tests.run.agents import OneEngine, Script, ScriptedAgent, now
from whet.app.app import App
from whet.app.sessions.live import Subject, running
from whet.app.sessions.tail import Cursor, follow
from whet.core.step import Called, Ended, Returned, Said, Spent, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.live import LiveEvent, LiveHead
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner


@dataclass
class Paced:
    """A script that goes on by one step each time it is let."""

    steps: tuple[Step, ...]
    permits: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    def let(self, steps: int) -> None:
        for _ in range(steps):
            self.permits.release()

    async def __call__(self, _spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        for step in self.steps:
            await self.permits.acquire()
            yield step


def steps() -> tuple[Step, ...]:
    """A bit of everything: a subagent, a failure, a call that never comes back."""
    at = now()
    return (
        Said(at, "I begin. 磨"),
        Called(at, "t", "Task", {"subagent_type": "Explore", "prompt": "look"}),
        Called(at, "r", "Read", {"file_path": "a.txt"}, parent="t"),
        Returned(at, "r", ok=True, output="x" * 20_000, display="Read 1 line"),
        Returned(at, "t", ok=True, output="seen"),
        Spent(at, Usage(input_tokens=5, output_tokens=1)),
        Called(at, "b", "Bash", {"command": "make"}),
        Returned(at, "b", ok=False, output="exit 2"),
        Called(at, "n", "Bash", {"command": "sleep 99"}),
        Ended(at, "done", Usage(input_tokens=9, output_tokens=3, cost_usd=0.5)),
    )


@contextmanager
def two_apps(workspace: Path) -> Generator[tuple[App, App]]:
    """One that works and one that looks on, as two processes would be."""
    with app_on(workspace) as worker, app_on(workspace) as watcher:
        worker.live.delay = 0.0
        yield worker, watcher


def runner(app: App, *scripts: Script) -> TrialRunner:
    agent = ScriptedAgent(list(scripts))
    return replace(app.runner(0), parts=OneEngine(agent), sleep=agent.pause)


async def appeared(app: App) -> LiveHead:
    """The execution under way, once it can be seen."""
    while True:
        if found := running(app):
            return found[0]
        await asyncio.sleep(0.005)


async def heard(
    subject: Subject, cursor: Cursor | None = None, most: int = 10**6
) -> list[LiveEvent]:
    """All events to the end, or the first *most* of them."""
    events: list[LiveEvent] = []
    async for batch in follow(subject, cursor):
        events += batch
        if len(events) >= most:
            break
    return events[:most]

"""Progress on stderr, read from the event log like everybody else reads it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from whet.app.app import App
from whet.app.runs.service import RunService
from whet.app.watch import watch
from whet.core.event import Event
from whet.exporters.plain import line
from whet.ports.events import Events

LINE_SECONDS = 2.0
LONGEST = 60
"""Characters of a name, which comes from a suite."""


@asynccontextmanager
async def shown(
    events: Events, subject: str, title: str, unit: str = "trials"
) -> AsyncGenerator[None]:
    """Show how far the experiment is while the block runs: a bar, or lines without a terminal."""
    console = Console(stderr=True)
    title = line(title, LONGEST)
    display = _Bar(console, title) if console.is_terminal else _Lines(console, title, unit)
    task = asyncio.create_task(_follow(events, events.last(), subject, display))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@contextmanager
def counted(title: str, unit: str) -> Generator[Callable[[int, int], None]]:
    """Show how far a piece of work is; what is given is called with done and total."""
    console = Console(stderr=True)
    display = _Bar(console, title) if console.is_terminal else _Lines(console, title, unit)

    def tell(done: int, total: int) -> None:
        display.total(total, done - 1)
        display.settled("")

    try:
        yield tell
    finally:
        display.close()


async def follow_run(app: App, identity: str, title: str, unit: str = "trials") -> None:
    """Show how far a run is until nobody is at it any more."""
    with counted(title, unit) as tell:
        async for known in RunService(app).follow(identity):
            tell(known.done, known.total)


@asynccontextmanager
async def shown_run(
    app: App, identity: str, title: str, begun: asyncio.Event, unit: str = "trials"
) -> AsyncGenerator[None]:
    """Show how far a run is while the block runs, once it has *begun*."""

    async def follow() -> None:
        await begun.wait()
        await follow_run(app, identity, title, unit)

    task = asyncio.create_task(follow())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


class _Display(Protocol):
    def total(self, total: int, done: int) -> None: ...
    def settled(self, news: str) -> None: ...
    def look(self) -> None: ...
    def close(self) -> None: ...


async def _follow(events: Events, cursor: int, subject: str, display: _Display) -> None:
    planned = done = 0
    spent = 0.0
    try:
        async for batch in watch(events, cursor, subject):
            display.look()
            for event in batch:
                done += event.kind == "trial.settled"
                spent += _cost(event)
                paid = f"${spent:.2f}, " if spent else ""
                match event.data:
                    case {"total": int(total), "reused": int(reused)}:
                        # A run may have several parts, side by side or one after another.
                        planned, done = planned + total, done + reused
                        display.total(planned, done)
                    case {"total": int(total)}:
                        display.total(total, 0)
                    case {"case": str(case), "score": float(score)}:
                        display.settled(f"{paid}{line(case, LONGEST)}: {score * 100:.0f}")
                    case {"case": str(case), "status": str(status)}:
                        display.settled(f"{paid}{line(case, LONGEST)}: {status}")
                    case {"name": str(name), "status": str(status)}:
                        display.settled(f"{line(name, LONGEST)}: {status}")
                    case _:
                        pass
    finally:
        display.close()


def _cost(event: Event) -> float:
    """What an agent is known to have cost."""
    cost = event.data.get("cost_usd")
    return float(cost) if isinstance(cost, int | float) else 0.0


class _Bar:
    """A live bar that disappears when the result is there."""

    def __init__(self, console: Console, title: str) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[news]}", markup=False),
            console=console,
            transient=True,
        )
        self._bar = self._progress.add_task(title, total=None, news="")
        self._progress.start()

    def total(self, total: int, done: int) -> None:
        self._progress.update(self._bar, total=total, completed=done)

    def settled(self, news: str) -> None:
        self._progress.update(self._bar, advance=1, news=news)

    def look(self) -> None:
        """The bar moves by itself."""

    def close(self) -> None:
        self._progress.stop()


class _Lines:
    """A line now and then, for logs."""

    def __init__(self, console: Console, title: str, unit: str = "trials") -> None:
        self._console = console
        self._title = title
        self._unit = unit
        self._said = time.monotonic()
        self._total = self._done = 0
        self._has_spoken = False

    def total(self, total: int, done: int) -> None:
        self._total, self._done = total, done

    def settled(self, news: str) -> None:
        self._done += 1
        self._say(news)

    def look(self) -> None:
        """Say that it is under way, once, if the first trial takes its time."""
        if self._total and not self._has_spoken:
            self._say("")

    def _say(self, news: str) -> None:
        if time.monotonic() - self._said > LINE_SECONDS:
            self._said = time.monotonic()
            self._has_spoken = True
            told = f"{self._title}: {self._done} of {self._total} {self._unit}"
            told += f", last {news}" if news else ""
            self._console.print(told, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        """Nothing to take down."""

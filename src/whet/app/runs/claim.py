"""A run that this process is at: how far it is, what people want of it, and how it ended."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from whet.app.app import App
from whet.core.budget import Purse
from whet.core.errors import Conflict, Draining, Halted, WhetError
from whet.core.instant import iso
from whet.core.run import Run, RunStatus, Wish

if TYPE_CHECKING:
    from whet.evaluate.experiment import Row

COUNTED = ("done", "reused", "failed", "skipped")
LOOK_SECONDS = 0.2
"""Between two looks for what a person wants."""


class Ending(NamedTuple):
    """Why a run did not come to its end by itself: a person, this process that is about to end, or
    a trouble."""

    error: str | None = None
    wish: Wish | None = None


BY_ITSELF = Ending()
"""Nobody ended it, and nothing went wrong."""


class RunClaim:
    """Writes a run as long as no other process has claimed it; every write carries its epoch."""

    def __init__(self, app: App, run: Run) -> None:
        self.app = app
        self._run = run
        self._began = time.monotonic()
        # A wish that came after the claim and before this moment is one that counts.
        self._known_wishes = run.wishes - (run.wish is not None)
        self._places: set[tuple[str, str, int, str]] = set()
        self._counts = {name: getattr(run, name) for name in COUNTED}
        # Places are counted on the event loop and in the thread that commits.
        self._counting = threading.Lock()
        self.purse: Purse | None = None
        """What it is paid from, if anything is."""

    @property
    def run(self) -> Run:
        """As this process last kept it."""
        return self._run

    @property
    def elapsed_s(self) -> float:
        """Seconds since this process began, whatever was done to the clock of the day."""
        return round(time.monotonic() - self._began, 3)

    def new_purse(self) -> Purse:
        """Pays what this process does, from what is left of the budget."""
        return Purse(self._run.budget, before=self._run.spending)

    def is_current(self) -> bool:
        """Whether no other process has claimed the run since."""
        there = self.app.store.runs.get(self._run.id)
        return there is not None and there.epoch == self._run.epoch

    def save(self, **change: object) -> bool:
        """Keep a change; False where another process has claimed the run."""
        with self._counting:
            known: dict[str, object] = {"elapsed_s": self.elapsed_s, **self._counts}
        if self.purse is not None:
            known |= {"usage": self.purse.usage, "spending": self.purse.spending}
        wanted = self._run.model_copy(update={**known, **change})
        try:
            self._run = self.app.store.runs.put(wanted)
        except Conflict:
            self._run = wanted
            return False
        return True

    def reuse(self, row: "Row") -> None:
        """Count a place that was there already; it is kept with the next change."""
        self._count(row, is_reused=True)

    def commit(self, row: "Row", **details: JsonValue) -> None:
        """Count a place in the commit that settles it, with what else its kind counts."""
        # Kept also if it is counted already: the commit may be a second try.
        self._count(row, is_reused=False)
        told = {"details": {**self._run.details, **details}} if details else {}
        self.save(**told)

    def settle(self, places: int = 1, *, is_failed: bool = False) -> None:
        """Count and keep places of a run that consists of other things than trials."""
        with self._counting:
            self._counts["done"] += places
            self._counts["failed"] += places * is_failed
        self.save()

    def _count(self, row: "Row", *, is_reused: bool) -> None:
        """Count a place once."""
        cell = row.cell
        place = cell.arm.id, f"{cell.case.set}/{cell.case.id}", cell.attempt, row.trial
        with self._counting:
            if place in self._places:
                return
            self._places.add(place)
            counts = self._counts
            counts["done"] += 1
            counts["reused"] += is_reused
            counts["failed"] += row.status == "failed"
            counts["skipped"] += row.status == "skipped"

    def end(self, status: RunStatus, ending: Ending = BY_ITSELF, **details: JsonValue) -> bool:
        """Say how it ended, with what else its kind tells; False where another process has claimed
        the run. One that nobody ended is left to the next server, if it is one of a server."""
        wish = self.last_wish(status, ending)
        is_left = status == "interrupted" and wish is None
        return self.save(
            status=status,
            error=ending.error,
            ended_at=iso(self.app.clock.now()),
            is_unattended=self._run.is_unattended and is_left,
            wish=wish,
            details={**self._run.details, **details},
        )

    def last_wish(self, status: RunStatus, ending: Ending) -> Wish | None:
        """What ended it before its time: an interrupted run was stopped by somebody, unless this
        process was told to end."""
        if status != "interrupted" or ending.wish is not None:
            return ending.wish
        is_left = self.app.drain.is_on and ending.error is None
        return None if is_left else "stopped"

    @asynccontextmanager
    async def obeying(self, purse: Purse) -> AsyncGenerator[None]:
        """Follow wishes while the block runs, and pay from *purse*. A pause halts the purse, so
        that what is under way comes to its end and nothing else begins. A stop ends the block:
        ``Halted`` is raised."""
        self.purse = purse
        listener = _Listener(self.app, self._run.id, self._known_wishes, purse)
        listening = asyncio.create_task(listener.listen(asyncio.current_task()))
        try:
            try:
                yield
            finally:
                listening.cancel()
                await asyncio.wait({listening})
        except Halted as halted:
            raise Halted(self._run.name, halted.wish) from halted
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if listener.has_stopped and task is not None and not task.uncancel():
                raise Halted(self._run.name, "stopped") from None
            raise


def ending_of(trouble: BaseException) -> Ending:
    """Why a run was interrupted, by what was raised."""
    if isinstance(trouble, Halted):
        return Ending(wish=trouble.wish)
    if isinstance(trouble, WhetError) and not isinstance(trouble, Draining):
        return Ending(error=str(trouble))
    return Ending()


class _Listener:
    """Looks for newer wishes."""

    def __init__(self, app: App, identity: str, known: int, purse: Purse) -> None:
        self._runs = app.store.runs
        self._identity = identity
        self._known = known
        self._purse = purse
        self.has_stopped = False

    async def listen(self, task: asyncio.Task[object] | None) -> None:
        while not self.has_stopped:
            run = self._runs.get(self._identity)
            if run is not None and run.wishes != self._known:
                self._known = run.wishes
                self._purse.halt()
                if run.wish == "stopped" and task is not None:
                    self.has_stopped = True
                    task.cancel()
            await asyncio.sleep(LOOK_SECONDS)

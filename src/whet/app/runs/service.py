"""Runs as a person sees them, of whichever kind and in whichever process."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from whet.app.app import App
from whet.app.runs.claim import LOOK_SECONDS, RunClaim, ending_of
from whet.app.runs.progress import RunProgress, progress
from whet.core.asset_query import LARGEST_PAGE
from whet.core.budget import Purse
from whet.core.errors import Conflict, NotFound, WrongStatus
from whet.core.instant import iso
from whet.core.run import Run, RunKind, Wish
from whet.curate.segments import shown
from whet.ports.listing import Page
from whet.ports.runs import RunQuery

FOLLOW_SECONDS = 0.1
PATIENCE_SECONDS = 10.0
"""For a pause or stop to take effect before the answer tells how it is."""


@dataclass(frozen=True)
class RunService:
    """The runs of a workspace."""

    app: App

    def new(self, identity: str, kind: RunKind, name: str, purse: Purse) -> Run:
        """A run that this process is about to claim, and pays from *purse*."""
        now = iso(self.app.clock.now())
        return Run(
            id=identity,
            kind=kind,
            name=name,
            status="running",
            owner=self.app.owner.id,
            actor=self.app.door,
            is_unattended=self.app.door == "server",
            budget=purse.budget,
            spending=purse.spending,
            created_at=now,
            started_at=now,
        )

    def claim(self, run: Run) -> RunClaim:
        """Make a run one of this process."""
        if run.is_unattended:
            self.app.foreign.note()
        return RunClaim(self.app, self.app.store.runs.claim(run))

    @asynccontextmanager
    async def carry_out(self, run: Run, purse: Purse) -> AsyncGenerator[RunClaim]:
        """Claim a run, follow what people want of it while the block runs, and say how it ended."""
        claim = self.claim(run)
        try:
            async with claim.obeying(purse):
                yield claim
            claim.end("completed")
        except BaseException as trouble:
            self.app.deferred.attempt(partial(claim.end, "interrupted", ending_of(trouble)))
            raise

    def held(self, identity: str) -> RunClaim:
        """A run that this process has claimed before; raises ``NotFound``, and ``WrongStatus``
        where it is another's."""
        run = self.app.store.runs.get(identity)
        if run is None:
            raise NotFound(f"no run {identity!r}")
        if run.owner != self.app.owner.id:
            message = f"run {identity} is not one of this process"
            raise WrongStatus(message, self.app.owner.id, run.owner)
        return RunClaim(self.app, run)

    def find(self, identity: str, *kinds: RunKind) -> Run | None:
        """A run as it is seen, or None where there is none of these kinds."""
        run = self.app.store.runs.get(identity)
        if run is None or (kinds and run.kind not in kinds):
            return None
        return self._seen(run)

    def get(self, identity: str, *kinds: RunKind) -> Run:
        """A run as it is seen; raises ``NotFound``."""
        if (run := self.find(identity, *kinds)) is None:
            what = f"{kinds[0]} run" if kinds else "run"
            raise NotFound(f"no {what} {identity!r}")
        return run

    def list(self, query: RunQuery) -> Page[Run]:
        """Runs as they are seen, newest first."""
        page = self.app.store.runs.list(query)
        return Page(tuple(map(self._seen, page.items)), page.total, page.page, page.page_size)

    def every(self, *kinds: RunKind) -> Sequence[Run]:
        """All runs of these kinds, newest first."""
        return [self._seen(run) for run in self._all(RunQuery(kinds=kinds or None))]

    def _all(self, query: RunQuery) -> Sequence[Run]:
        """Every run that fits, page by page."""
        found: list[Run] = []
        while True:
            part = replace(query, limit=LARGEST_PAGE, offset=len(found))
            page = self.app.store.runs.list(part)
            found += page.items
            if len(found) >= page.total or not page.items:
                return found

    def is_abandoned(self, run: Run) -> bool:
        """Whether it is said to be running while its process is gone."""
        return run.status == "running" and not self.app.is_alive(run.owner)

    def running(self, *kinds: RunKind) -> Sequence[Run]:
        """All that are said to be running, whether or not their processes are gone."""
        return self._all(RunQuery(kinds=kinds or None, statuses=("running",)))

    def _seen(self, run: Run) -> Run:
        """A running one whose process is gone is an interrupted one."""
        if self.is_abandoned(run):
            return run.model_copy(update={"status": "interrupted"})
        return run

    def ask(self, identity: str, wish: Wish) -> Run:
        """Let whoever is at a run pause or stop; raises ``WrongStatus`` where nobody is."""
        with self.app.store.transaction():
            run = self.get(identity)
            if run.status != "running":
                message = f"{shown(run.name)} is not running; it is {run.status}"
                raise WrongStatus(message, "running", run.status)
            return self.app.store.runs.wish(identity, wish)

    async def halt(self, identity: str, wish: Wish, patience: float = PATIENCE_SECONDS) -> Run:
        """Let whoever is at a run pause or stop; how it is once nobody is at it any more, or after
        so many seconds.

        Before a pause, what is under way comes to its end, which may take as long as an agent may.
        A run that came to its end meanwhile is completed. Raises ``WrongStatus`` where nobody is
        at it.
        """
        self.ask(identity, wish)
        return await self.until_left(identity, patience)

    async def until_left(self, identity: str, patience: float = PATIENCE_SECONDS) -> Run:
        """How a run is once nobody is at it any more, or after so many seconds."""
        end = time.monotonic() + patience
        run = self.get(identity)
        while run.status == "running" and time.monotonic() < end:
            await asyncio.sleep(LOOK_SECONDS)
            run = self.get(identity)
        return run

    async def follow(self, identity: str) -> AsyncIterator[RunProgress]:
        """How far a run is, each time that it has come further, whichever process is at it. Ends
        when nobody is at it any more; at once where nobody was."""
        last: RunProgress | None = None
        while (run := self.find(identity)) is not None:
            known = progress(run, self.app.clock.now())
            if last is None or (known.done, known.total) != (last.done, last.total):
                yield known
                last = known
            if run.status != "running":
                return
            await asyncio.sleep(FOLLOW_SECONDS)

    def take_left_behind(self) -> Sequence[Run]:
        """The runs of servers that are gone, oldest first; from now on they are this process's.
        What a person wanted to pause or stop is not among them, and what came with the workspace
        from elsewhere only if somebody agreed to it."""
        taken: list[Run] = []
        foreign = self.app.foreign.waiting()
        for run in reversed(self._all(RunQuery(is_unattended=True))):
            if run.id in foreign or self.app.is_alive(run.owner):
                continue
            try:
                if run.wish is None:
                    mine = run.model_copy(update={"owner": self.app.owner.id})
                    taken.append(self.app.store.runs.claim(mine, run.epoch))
                else:
                    self.leave(run)
            except Conflict:  # another server was first
                continue
        return taken

    def leave(self, run: Run) -> None:
        """Let no server go on with a run by itself; raises ``Conflict``."""
        change: dict[str, object] = {"is_unattended": False}
        if run.status == "running":
            change["status"] = "interrupted"
        self.app.store.runs.put(run.model_copy(update=change))

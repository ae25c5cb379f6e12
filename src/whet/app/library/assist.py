"""A model's help with the library: it proposes, and a person decides.

``assist_tags`` and ``assist_cases`` are the works that take their time. They tell how far they are
in the event log, so that whoever asks for their state gets it, also from another process.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from pydantic import JsonValue

from whet.app.app import App
from whet.app.asking import who_is_asked
from whet.app.config import defaults
from whet.app.context import sessions
from whet.app.library.library import Library
from whet.app.pins import is_paid
from whet.app.runs.claim import RunClaim
from whet.app.runs.service import RunService
from whet.core.budget import Purse
from whet.core.errors import Draining, Halted, NotFound, UsageError, WhetError
from whet.core.event import Event
from whet.core.run import Run
from whet.curate.segments import shown
from whet.run.ask import TrialAsk
from whet.run.assist.asking import How
from whet.run.assist.sessions import Sessions
from whet.run.assist.suggest import Suggestion, suggest_purpose

P = ParamSpec("P")
T = TypeVar("T")

_MOST_EVENTS = 10_000


@dataclass(frozen=True)
class Assistant:
    """Asks models about the assets of *library*."""

    app: App
    library: Library

    def how(self, engine: str | None = None, model: str | None = None) -> How:
        """Who is asked, as configured where nobody is named; raises ``UsageError``, and
        ``EnvironmentProblem`` where that is not installed."""
        return who_is_asked(self.app, engine, model)

    def is_paid(self, asked: How) -> bool:
        """Whether somebody is charged for an answer."""
        return is_paid(self.app.parts.engine(asked.engine))

    def ask(self, purse: Purse | None = None) -> TrialAsk:
        """How questions are put: what is on record is not asked again."""
        return self.app.ask(purse, defaults(self.app).retries)

    def sessions(self) -> Sessions:
        """The short-lived sessions of this workspace."""
        return sessions(self.app)

    async def suggest(self, purpose: str, asked: How) -> Suggestion:
        """Whether a new purpose is one that skills or baselines have under another name."""
        if not purpose.strip():
            raise UsageError("a purpose must not be empty")
        known = await in_thread(self.purposes)
        return await suggest_purpose(self.ask(), purpose, known, asked)

    def purposes(self) -> list[str]:
        """Those of all active skills and baselines, the most frequent first."""
        counts: dict[str, int] = {}
        for facets in (self.library.index.facets("skill"), self.library.index.facets("baseline")):
            for facet in facets.purposes:
                counts[facet.value] = counts.get(facet.value, 0) + facet.count
        return sorted(counts, key=lambda purpose: (-counts[purpose], purpose))

    def tell(self, kind: str, subject: str, data: dict[str, JsonValue]) -> None:
        """Add an event."""
        self.app.store.events.append(kind, subject, data)

    def told(self, subject: str, beginning: str) -> list[Event]:
        """What was told of a work that began with such an event; raises ``NotFound``."""
        events = [*self.app.store.events.since(0, subject, _MOST_EVENTS)]
        if not events or events[0].kind != beginning:
            raise NotFound(f"there is nothing under {shown(subject)}")
        return events

    def claim(self, new: Run, data: dict[str, JsonValue]) -> RunClaim:
        """Make a work one of this process, and tell that it has begun; of one that has begun
        before, that this process goes on."""
        with self.app.store.transaction():
            is_known = self.app.store.runs.get(new.id) is not None
            claim = RunService(self.app).claim(new)
            self.tell(f"{new.kind}.{'resumed' if is_known else 'started'}", new.id, data)
        return claim

    def is_abandoned(self, identity: str) -> bool:
        """Whether the process that began a work, or went on with it last, is gone."""
        run = RunService(self.app).find(identity)
        return run is None or run.status == "interrupted"

    def is_left(self, trouble: BaseException) -> bool:
        """Whether a work ends because this process does: then it is not over."""
        is_end = isinstance(trouble, Draining | asyncio.CancelledError)
        return self.app.drain.is_on and is_end


def ending(purse: Purse, trouble: BaseException | None = None) -> dict[str, JsonValue]:
    """What a work has cost, and why it ended early, if it was a trouble and not a person."""
    spent: dict[str, JsonValue] = {
        "tokens": purse.known_tokens,
        "cost_usd": purse.usage.cost_usd,
    }
    is_trouble = isinstance(trouble, WhetError) and not isinstance(trouble, Halted)
    return {**spent, "error": str(trouble)} if is_trouble else spent


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what waits for disks and locks; whoever is stopped meanwhile waits for its end."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise

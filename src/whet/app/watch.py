"""Follow the event log as it grows."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterable, Sequence

from whet.core.errors import WhetError
from whet.core.event import Event
from whet.ports.events import Events

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.1
FAILED_LOOK_SECONDS = 1.0
IDLE_SECONDS = 5.0
"""After which a follower that nothing happened for gets an empty batch."""

MOST_AT_ONCE = 500
MOST_RECENT = 2_000
"""Events that a tail keeps for followers who are a little behind; others read the store."""


async def watch(events: Events, cursor: int, subject: str | None) -> AsyncIterator[Sequence[Event]]:
    """What was committed on *subject*, or on anything, after *cursor*, by whichever process, look
    by look.

    A look that finds nothing gives an empty batch, so that whoever follows can do something
    else in between.
    """
    while True:
        batch = events.since(cursor, subject)
        if batch:
            cursor = batch[-1].cursor
        yield batch
        await asyncio.sleep(LOOK_SECONDS)


class EventTail:
    """The end of the event log for any number of followers of one event loop.

    One task looks at the store as long as anybody follows, in a thread, and wakes those whom the
    news concerns. So an idle follower costs next to nothing, and the loop never waits for the
    store.
    """

    def __init__(self, events: Events) -> None:
        self._events = events
        self._waiting: dict[str | None, set[asyncio.Event]] = {}
        self._recent: deque[Event] = deque()
        self._complete_after = self._cursor = -1
        """All events between the two are recent ones."""

        self._followers = 0
        self._looking: asyncio.Task[None] | None = None
        self._is_stopped = False

    async def follow(self, cursor: int, subject: str | None) -> AsyncGenerator[Sequence[Event]]:
        """What was committed on *subject*, or on anything, after *cursor*, in order, each event
        once. A batch is empty when nothing has happened for ``IDLE_SECONDS``, or after ``stop``."""
        with self._followed():
            while True:
                known = self._cursor
                if known < 0 or cursor < self._complete_after or self._is_stopped:
                    batch = await asyncio.to_thread(
                        self._events.since, cursor, subject, MOST_AT_ONCE
                    )
                    if len(batch) < MOST_AT_ONCE:  # there is nothing else up to what was known
                        cursor = max(cursor, known)
                else:
                    batch = [*self._news(cursor, subject)]
                    cursor = max(cursor, known)
                cursor = max(cursor, batch[-1].cursor) if batch else cursor
                yield batch
                if not batch and not self._is_stopped:
                    await self._wait(subject, cursor)

    async def wait(self, subject: str, seconds: float) -> None:
        """Until something happens to *subject* that the store did not have yet when this was
        called, or for as many seconds."""
        with self._followed():
            await self._wait(subject, self._cursor, seconds)

    @contextlib.contextmanager
    def _followed(self) -> Generator[None]:
        """Look at the store as long as anybody is in such a block."""
        self._followers += 1
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._followers -= 1
            if not self._followers:
                self._end()

    def stop(self) -> None:
        """Let nobody wait any longer: whoever follows reads the store once more and goes."""
        self._is_stopped = True
        self._wake(self._waiting)

    def _news(self, cursor: int, subject: str | None) -> Iterable[Event]:
        """The recent events after *cursor*, oldest first."""
        found: list[Event] = []
        for event in reversed(self._recent):
            if event.cursor <= cursor:
                break
            if subject is None or event.subject == subject:
                found.append(event)
        return reversed(found)

    async def _wait(self, subject: str | None, cursor: int, seconds: float = IDLE_SECONDS) -> None:
        """Until something happens to *subject* that comes after *cursor*, or for a while."""
        woken = asyncio.Event()
        waiting = self._waiting.setdefault(subject, set())
        waiting.add(woken)
        try:
            if cursor < self._complete_after or any(True for _ in self._news(cursor, subject)):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await woken.wait()
        finally:
            waiting.discard(woken)
            if not waiting:
                self._waiting.pop(subject, None)

    async def _look(self) -> None:
        """Read what is new, over and over."""
        while True:
            pause = LOOK_SECONDS
            try:
                if self._cursor < 0:
                    self._cursor = await asyncio.to_thread(self._events.last)
                    self._complete_after = self._cursor
                    self._wake(self._waiting)
                batch = await asyncio.to_thread(
                    self._events.since, self._cursor, None, MOST_AT_ONCE
                )
            except WhetError as error:  # a full disk, say: it may pass
                logger.error("events cannot be followed: %s", error)
                batch, pause = (), FAILED_LOOK_SECONDS
            self._keep(batch)
            await asyncio.sleep(0 if len(batch) == MOST_AT_ONCE else pause)

    def _keep(self, batch: Sequence[Event]) -> None:
        if not batch:
            return
        self._recent.extend(batch)
        self._cursor = batch[-1].cursor
        while len(self._recent) > MOST_RECENT:
            self._complete_after = self._recent.popleft().cursor
        self._wake({None, *(event.subject for event in batch)})

    def _wake(self, subjects: Iterable[str | None]) -> None:
        for subject in [*subjects]:
            for woken in self._waiting.get(subject, ()):
                woken.set()

    def _end(self) -> None:
        """Nobody follows any more: keep nothing."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        self._recent.clear()
        self._complete_after = self._cursor = -1

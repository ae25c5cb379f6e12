"""Follow the event log as it grows."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from whet.core.event import Event
from whet.ports.events import Events

LOOK_SECONDS = 0.1


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

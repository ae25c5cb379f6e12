"""``/v1/events``: all that happens in the workspace."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.sse import EventSourceResponse

from whet.server.desk import AtDesk
from whet.server.stream import STREAM, everything_after

router = APIRouter(tags=["system"])

_Cursor = Annotated[int | None, Query(ge=0, lt=2**63, description="The last event seen.")]
_Subject = Annotated[
    str | None,
    Query(min_length=1, max_length=200, description="Only what happens to this id."),
]


@router.get("/v1/events", responses=STREAM)
async def events(
    desk: AtDesk,
    subject: _Subject = None,
    after: _Cursor = None,
    last_event_id: Annotated[int | None, Header(ge=0, lt=2**63)] = None,
) -> EventSourceResponse:
    """Follow all that happens from now on, or after an event; a client that comes back with
    Last-Event-ID misses nothing."""
    # A client that comes back repeats what it asked for at first: where it got to counts more.
    seen = last_event_id if last_event_id is not None else after
    cursor = await asyncio.to_thread(desk.app.store.events.last) if seen is None else seen
    return everything_after(desk, cursor, subject)

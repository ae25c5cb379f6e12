"""``/v1/sessions/…``: what agents are doing now."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import WithJsonSchema

from whet.app.sessions.live import LiveSessions, find
from whet.app.sessions.tail import Batch, Cursor, follow
from whet.documents.live import LiveEvent
from whet.server.desk import AtDesk, Desk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.running_list import LOOK_SECONDS, running_sessions
from whet.server.stream import SILENCE_SECONDS, EventStream

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])

_STREAM: dict[str, Any] = {"text/event-stream": {}}
LIVE = of(LiveSessions)
LIVE[HTTPStatus.OK.value]["content"] = _STREAM
TAIL = of(LiveEvent)
TAIL[HTTPStatus.OK.value]["content"] = _STREAM
TAIL[HTTPStatus.OK.value]["description"] = "Events, each with its data as JSON."
TAIL[HTTPStatus.NO_CONTENT.value] = {"description": "All of it was heard."}

_FIRST_LOOKS = 3
"""Enough to see that something is over."""

LastHeard = Annotated[
    str | None,
    WithJsonSchema({"type": "string", "pattern": r"^[0-9A-Za-z]+\.[0-9]+$", "maxLength": 80}),
    Header(alias="Last-Event-ID", max_length=80, description="The last event that was heard."),
]


@router.get("/live", responses=LIVE, response_model=None)
async def live(desk: AtDesk, accept: Annotated[str, Header(max_length=1000)] = "") -> Response:
    """List the agents at work, of all processes of this machine. Where the client accepts
    ``text/event-stream`` the list comes again whenever it changes."""
    if "text/event-stream" in accept:
        return EventStream(_lists(desk), desk)
    return Json((await asyncio.to_thread(running_sessions, desk.app)).to_data())


@router.get("/{identity}/tail", responses=TAIL, response_model=None)
async def tail(identity: str, desk: AtDesk, last_event_id: LastHeard = None) -> Response:
    """Follow an execution, a trial or a job to its end, by its id or a unique beginning of it. A
    client that comes back with Last-Event-ID misses nothing and hears nothing twice."""
    cursor = Cursor.parse(last_event_id) if last_event_id else None
    subject = await asyncio.to_thread(find, desk.app, identity)
    batches = follow(subject, cursor)
    first: Batch | None = []
    for _ in range(_FIRST_LOOKS):
        first = await anext(batches, None)
        if first is None:  # all of it was heard: a client that is told so does not come back
            return Response(status_code=HTTPStatus.NO_CONTENT)
        if first:
            break
    return EventStream(_told(_with(first or [], batches), desk), desk)


async def _lists(desk: Desk) -> AsyncGenerator[bytes]:
    shown: bytes | None = None
    spoken = time.monotonic()
    while not desk.stopped:
        now = await desk.running_list.frame()
        if now != shown:
            shown, spoken = now, time.monotonic()
            yield now
        elif time.monotonic() - spoken > SILENCE_SECONDS:
            spoken = time.monotonic()
            yield KEEPALIVE_COMMENT
        await asyncio.sleep(LOOK_SECONDS)


async def _with(first: Batch, rest: AsyncGenerator[Batch]) -> AsyncGenerator[Batch]:
    try:
        yield first
        async for batch in rest:
            yield batch
    finally:
        await rest.aclose()


async def _told(batches: AsyncGenerator[Batch], desk: Desk) -> AsyncGenerator[bytes]:
    spoken = time.monotonic()
    try:
        async for batch in batches:
            if batch:
                spoken = time.monotonic()
                yield b"".join(map(_event, batch))
            elif time.monotonic() - spoken > SILENCE_SECONDS:
                spoken = time.monotonic()
                yield KEEPALIVE_COMMENT
            if desk.stopped:
                return
    finally:
        await batches.aclose()


def _event(event: LiveEvent) -> bytes:
    data = json.dumps(event.to_data(), separators=(",", ":"))
    return format_sse_event(data_str=data, event=event.kind, id=f"{event.execution}.{event.number}")

"""The event log on the wire."""

import json
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Header, Response
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from whet.app.watch import watch
from whet.core.event import Event
from whet.server.desk import Desk

SILENCE_SECONDS = 15

# Not ``response_class``: FastAPI's own encoder logs an error when a client hangs up.
STREAM: dict[int | str, dict[str, Any]] = {
    HTTPStatus.OK.value: {"content": {"text/event-stream": {}}}
}
"""How the contract describes it."""

LastEventId = Annotated[int, Header(ge=0, lt=2**63)]


def followed(desk: Desk, subject: str, last_event_id: int) -> EventSourceResponse:
    """All that happens to *subject* after an event that the client has seen."""
    return EventSourceResponse(
        _stream(watch(desk.app.store.events, last_event_id, subject), desk, _whole)
    )


def everything_after(desk: Desk, cursor: int, subject: str | None) -> EventSourceResponse:
    """All that happens after *cursor*; first of all the client is told that cursor, so that it
    knows where to go on also when it is cut off before anything happens."""

    async def stream() -> AsyncIterator[bytes]:
        yield f"id: {cursor}\n\n".encode()
        async for part in _stream(watch(desk.app.store.events, cursor, subject), desk, _whole):
            yield part

    return EventSourceResponse(stream())


def followed_to_the_end(
    desk: Desk, subject: str, last_event_id: int, is_over: Callable[[], bool]
) -> Response:
    """The same with the bare data of the events, until *is_over* and nothing more has come. Who has
    seen the end is told that there is no more."""
    events = desk.app.store.events
    if is_over() and not events.since(last_event_id, subject, 1):
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def until_the_end() -> AsyncIterator[Sequence[Event]]:
        cursor = last_event_id
        async for batch in watch(events, last_event_id, subject):
            yield batch
            cursor = batch[-1].cursor if batch else cursor
            # In this order: what is over has told its end before.
            if is_over() and not events.since(cursor, subject, 1):
                return

    return EventSourceResponse(_stream(until_the_end(), desk, _bare))


async def _stream(
    batches: AsyncIterable[Sequence[Event]], desk: Desk, on_the_wire: Callable[[Event], bytes]
) -> AsyncIterator[bytes]:
    """The event log on the wire, with a comment now and then so that no proxy hangs up."""
    spoken = time.monotonic()
    last_look = False
    async for batch in batches:
        if batch:
            spoken = time.monotonic()
            # In one piece: a client that has hung up is only noticed between two writes.
            yield b"".join(map(on_the_wire, batch))
        elif time.monotonic() - spoken > SILENCE_SECONDS:
            spoken = time.monotonic()
            yield KEEPALIVE_COMMENT
        if last_look:
            return
        last_look = desk.stopped


def _whole(event: Event) -> bytes:
    return format_sse_event(
        data_str=event.model_dump_json(exclude={"cursor"}), event=event.kind, id=str(event.cursor)
    )


def _bare(event: Event) -> bytes:
    data = json.dumps(event.data, ensure_ascii=True, separators=(",", ":"))
    return format_sse_event(data_str=data, event=event.kind, id=str(event.cursor))

"""The event log on the wire."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Header, Response
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from starlette.types import Receive, Scope, Send

from whet.core.event import Event
from whet.server.desk import Desk
from whet.server.problems import problem

SILENCE_SECONDS = 15

# Not ``response_class``: FastAPI's own encoder logs an error when a client hangs up.
STREAM: dict[int | str, dict[str, Any]] = {
    HTTPStatus.OK.value: {"content": {"text/event-stream": {}}}
}
"""How the contract describes it."""

STREAM_TO_THE_END = {
    **STREAM,
    HTTPStatus.NO_CONTENT.value: {"description": "All of it was heard."},
}

LastEventId = Annotated[int, Header(ge=0, lt=2**63)]


def followed(desk: Desk, identity: str, last_event_id: int) -> EventSourceResponse:
    """All that happens to a run of any kind: ``progress``, ``settled``, ``log`` and ``ended``."""
    return EventStream(_stream(desk.tail.follow(last_event_id, identity), desk, _of_run), desk)


def everything_after(desk: Desk, cursor: int, subject: str | None) -> EventSourceResponse:
    """All that happens after *cursor*; first of all the client is told that cursor, so that it
    knows where to go on also when it is cut off before anything happens."""

    async def stream() -> AsyncGenerator[bytes]:
        yield f"id: {cursor}\n\n".encode()
        async with aclosing(_stream(desk.tail.follow(cursor, subject), desk, _whole)) as parts:
            async for part in parts:
                yield part

    return EventStream(stream(), desk)


async def followed_to_the_end(
    desk: Desk, subject: str, last_event_id: int, is_over: Callable[[], bool]
) -> Response:
    """The same with the bare data of the events, until *is_over* and nothing more has come. Who has
    seen the end is told that there is no more."""
    events = desk.app.store.events

    def is_heard(cursor: int) -> bool:
        # In this order: what is over has told its end before.
        return is_over() and not events.since(cursor, subject, 1)

    if await asyncio.to_thread(is_heard, last_event_id):
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def until_the_end() -> AsyncGenerator[Sequence[Event]]:
        cursor = last_event_id
        async with aclosing(desk.tail.follow(last_event_id, subject)) as batches:
            async for batch in batches:
                yield batch
                cursor = batch[-1].cursor if batch else cursor
                if await asyncio.to_thread(is_heard, cursor):
                    return

    return EventStream(_stream(until_the_end(), desk, _bare), desk)


async def _stream(
    batches: AsyncGenerator[Sequence[Event]], desk: Desk, on_the_wire: Callable[[Event], bytes]
) -> AsyncGenerator[bytes]:
    """The event log on the wire, with a comment now and then so that no proxy hangs up."""
    spoken = time.monotonic()
    last_look = False
    async with aclosing(batches):
        async for batch in batches:
            if batch:
                spoken = time.monotonic()
                # In one piece: a client that has hung up is only noticed between two writes.
                yield b"".join(desk.encoded_events.get(on_the_wire, event) for event in batch)
            elif time.monotonic() - spoken > SILENCE_SECONDS:
                spoken = time.monotonic()
                yield KEEPALIVE_COMMENT
            if last_look:
                return
            last_look = desk.stopped


class EventStream(EventSourceResponse):
    """A stream of events, unless its peer or all peers together have too many of them open."""

    def __init__(self, content: AsyncGenerator[bytes], desk: Desk) -> None:
        super().__init__(content)
        self._streams = desk.streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and count as one stream meanwhile."""
        client = scope.get("client")
        with self._streams.one_more(client[0] if client else "") as is_allowed:
            if is_allowed:
                await super().__call__(scope, receive, send)
                return
            detail = f"too many event streams are open, at most {self._streams.per_peer} for each"
            wait = {"retry-after": str(SILENCE_SECONDS)}
            answer = problem(HTTPStatus.TOO_MANY_REQUESTS, "too_many_streams", detail, wait)
            await answer(scope, receive, send)


def _whole(event: Event) -> bytes:
    return format_sse_event(
        data_str=event.model_dump_json(exclude={"cursor"}), event=event.kind, id=str(event.cursor)
    )


_STAGES = {
    "started": "progress",
    "resumed": "progress",
    "progress": "progress",
    "settled": "settled",
    "item": "settled",
    "finished": "ended",
    "completed": "ended",
    "interrupted": "ended",
    "failed": "ended",
    "succeeded": "ended",
    "cancelled": "ended",
}
"""What the last word of an event's kind means for its run; all others are news of the log."""


def _of_run(event: Event) -> bytes:
    stage = _STAGES.get(event.kind.replace(".", "_").rpartition("_")[2], "log")
    told = event.model_dump_json(exclude={"cursor"})
    return format_sse_event(data_str=told, event=stage, id=str(event.cursor))


def _bare(event: Event) -> bytes:
    data = json.dumps(event.data, ensure_ascii=True, separators=(",", ":"))
    return format_sse_event(data_str=data, event=event.kind, id=str(event.cursor))

"""What goes back over HTTP, and when."""

from dataclasses import dataclass

from whet.testing.model_server.script import Problem
from whet.testing.model_server.wire import JsonObject, Reply, Wire, encoded


@dataclass(frozen=True, slots=True)
class Response:
    """A response that is ready to be sent."""

    status: int | None
    """None: nothing is ever sent."""
    chunks: tuple[bytes, ...] = ()
    stream: bool = False
    retry_after: int | None = None
    delay: float = 0
    chunk_delay: float = 0
    hang: bool = False
    """Whether the stream stays open after the last chunk."""


def plain(data: JsonObject) -> Response:
    """A JSON value."""
    return Response(200, (encoded(data),))


def refused(wire: Wire, problem: Problem, delay: float = 0) -> Response:
    """An error in the words of a protocol."""
    body = encoded(wire.refusal(problem))
    return Response(problem.status, (body,), retry_after=problem.retry_after, delay=delay)


def answered(wire: Wire, reply: Reply, *, stream: bool) -> Response:
    """A scripted answer, with all that is to go wrong with it."""
    answer = reply.answer
    if answer.error:
        return refused(wire, answer.error, answer.delay)
    if answer.hang and answer.cut is None:
        return Response(None, delay=answer.delay)
    if not stream:
        # A cut stream makes clients ask again without streaming: that answer must be whole.
        return Response(200, (encoded(wire.whole(reply)),), delay=answer.delay)
    chunks = tuple(wire.streamed(reply))
    if answer.cut is not None:
        chunks = chunks[: min(answer.cut, len(chunks) - 1)]
    return Response(
        200,
        chunks,
        stream=True,
        delay=answer.delay,
        chunk_delay=answer.chunk_delay,
        hang=answer.hang,
    )

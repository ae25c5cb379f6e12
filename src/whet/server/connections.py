"""Connections of the server: how many there may be, and how long each may take to say something.

A client that sends half a request and falls silent costs a connection for some seconds at most.
When there are too many, the oldest of those that wait for a request make room, so that whoever has
something to ask is heard.
"""

import asyncio
import errno
import logging
import resource
import socket
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from whet.server.log_limit import limit_lines

logger = logging.getLogger(__name__)
limit_lines(logger, logging.getLogger("uvicorn.error"), logging.getLogger("asyncio"))

MOST_CONNECTIONS = 1024
MOST_STREAMS = 512
OPEN_FILES = 4096
"""That the server may have open, where the system allows as many; half of them connections."""

HEAD_SECONDS = 10.0
"""For the whole head of a request, from its first byte, or from the beginning of a connection."""

BODY_SECONDS = 30.0
"""Without a byte of a body that is not complete."""

WRITE_SECONDS = 60.0
"""Without a client taking anything of an answer."""

MOST_HEAD_BYTES = 64 * 1024
MOST_UNREAD_BYTES = 1024 * 1024
"""Of a body of unknown length that nobody wants any more."""

LOOK_SECONDS = 1.0
MOST_ACCEPTED = 16
"""Connections at once, before others have their turn."""

SILENT_SECONDS = 2.0
"""After which half a body may make room."""

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_END = b"\r\n\r\n"

Phase = Literal["head", "body", "answer", "rest"]
"""``rest``: the request is answered, and its body still comes."""


@dataclass
class StreamLimit:
    """Counts event streams."""

    per_peer: int = MOST_STREAMS // 2
    in_all: int = MOST_STREAMS
    _open: Counter[str] = field(default_factory=Counter[str])

    @contextmanager
    def one_more(self, peer: str) -> Generator[bool]:
        """Count one more during the block; gives whether there is room for it."""
        if self._open[peer] >= self.per_peer or self._open.total() >= self.in_all:
            yield False
            return
        self._open[peer] += 1
        try:
            yield True
        finally:
            self._open[peer] -= 1
            if not self._open[peer]:
                del self._open[peer]


class _Cycle(Protocol):
    """One request of a connection of the server library."""

    response_complete: bool
    more_body: bool


class _Flow(Protocol):
    read_paused: bool


class HttpProtocol(Protocol):
    """What is used of a connection of the server library, with whichever parser."""

    cycle: _Cycle | None
    scope: dict[str, Any]
    flow: _Flow


class Connection(asyncio.Protocol):
    """Stands before a connection of the server library and counts what comes in."""

    def __init__(self, inner: HttpProtocol, peer: str, lost: Callable[["Connection"], None]):
        self.peer = peer
        self._inner = inner
        self._protocol = cast(asyncio.Protocol, inner)
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._head = b""
        self._head_bytes = 0
        self._body_left: int | None = 0
        self._unread = 0
        self.since = self.heard = time.monotonic()
        """When the wait for the present head began, and when the last byte came."""

        self._is_new = True
        self._stuck_since: float | None = None

    @property
    def phase(self) -> Phase:
        """What the connection is at."""
        cycle = self._inner.cycle
        if cycle is None:
            return "head"
        if not cycle.response_complete:
            return "body" if cycle.more_body else "answer"
        return "rest" if cycle.more_body and self._body_left != 0 else "head"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See the base class."""
        self._transport = cast(asyncio.Transport, transport)
        self._protocol.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """See the base class."""
        self._lost(self)
        self._protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Let bytes through, unless a head gets too long."""
        self.heard = time.monotonic()
        phase = self.phase
        if phase == "head":
            self._head_received(data)
            return
        if self._body_left is not None:
            self._body_left = max(0, self._body_left - len(data))
        elif phase == "rest":
            self._unread += len(data)
            if self._unread > MOST_UNREAD_BYTES:
                self.close()
                return
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """See the base class."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """See the base class."""
        self._stuck_since = time.monotonic()
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """See the base class."""
        self._stuck_since = None
        self._protocol.resume_writing()

    def close(self, answer: bytes = b"") -> None:
        """End it at once, with a last word where there is one."""
        if self._transport is None or self._transport.is_closing():
            return
        if answer:
            head = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % answer
            self._transport.write(head)
            self._transport.close()
        else:
            self._transport.abort()

    def look(self, now: float) -> None:
        """End it if it has been waited for long enough."""
        phase = self.phase
        is_beginning = phase == "head" and (self._head_bytes > 0 or self._is_new)
        if is_beginning and now - self.since > HEAD_SECONDS:
            self.close(b"408 Request Timeout")
        is_sending = phase in ("body", "rest") and not self._inner.flow.read_paused
        if is_sending and now - self.heard > BODY_SECONDS:
            self.close()
        if self._stuck_since is not None and now - self._stuck_since > WRITE_SECONDS:
            self.close()

    def _head_received(self, data: bytes) -> None:
        if not self._head_bytes and not self._is_new:
            self.since = self.heard
        seen = self._head[-len(_END) + 1 :] + data
        place = seen.find(_END)
        length = len(data) if place < 0 else place
        self._head_bytes += length
        if self._head_bytes > MOST_HEAD_BYTES:
            self.close(b"431 Request Header Fields Too Large")
            return
        self._head = seen[-len(_END) :]
        before = self._inner.cycle
        self._protocol.data_received(data)
        if self._inner.cycle is not before:
            self._begun(len(seen) - place - len(_END) if place >= 0 else 0)
        else:  # empty lines are no request, however many there are
            self._head_bytes += len(data) - length

    def _begun(self, already: int) -> None:
        """A request is complete but for its body, of which some bytes came with the head."""
        self._head, self._head_bytes, self._unread, self._is_new = b"", 0, 0, False
        scope = self._inner.scope if self._inner.cycle is not None else {}
        headers: dict[bytes, bytes] = dict(scope.get("headers", ()))
        length = headers.get(b"content-length", b"")
        if b"transfer-encoding" in headers:
            self._body_left = None
        else:
            self._body_left = max(0, int(length) - already) if length.isdigit() else 0


class Connections:
    """All connections of the server."""

    def __init__(self, in_all: int = MOST_CONNECTIONS, per_peer: int | None = None) -> None:
        self._in_all = min(in_all, _open_files() // 2)
        self._per_peer = min(per_peer or self._in_all // 2, self._in_all)
        self._open: dict[Connection, None] = {}
        self._by_peer: Counter[str] = Counter()

    def add(self, inner: HttpProtocol, peer: str) -> Connection | None:
        """A new connection; None where there is no room for it and none can be made."""
        if self._by_peer[peer] >= self._per_peer:
            mine = [one for one in self._open if one.peer == peer]
            if not self._make_room(mine):
                return None
        elif len(self._open) >= self._in_all and not self._make_room(self._open):
            return None
        made = Connection(inner, peer, self._remove)
        self._open[made] = None
        self._by_peer[peer] += 1
        return made

    async def look_after(self) -> None:
        """End those that keep us waiting, for as long as this runs."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            for one in [*self._open]:
                one.look(now)

    def make_room(self) -> None:
        """End one that can be spared, because the system has no more to give."""
        self._make_room(self._open)

    def _make_room(self, among: Iterable[Connection]) -> bool:
        """End the one that has waited longest for a head, else that was silent in its body."""
        waiting: list[Connection] = []
        silent: list[Connection] = []
        now = time.monotonic()
        for one in among:
            phase = one.phase
            if phase in ("head", "rest"):
                waiting.append(one)
            elif phase == "body" and now - one.heard > SILENT_SECONDS:
                silent.append(one)
        if not waiting and not silent:
            logger.warning("too many connections: new ones are turned away")
            return False
        chosen = min(waiting or silent, key=lambda one: one.since if waiting else one.heard)
        self._remove(chosen)
        chosen.close()
        return True

    def _remove(self, one: Connection) -> None:
        if one in self._open:
            del self._open[one]
            self._by_peer[one.peer] -= 1
            if not self._by_peer[one.peer]:
                del self._by_peer[one.peer]


class Acceptor:
    """Takes the connections of a listening socket in."""

    def __init__(
        self, listener: socket.socket, make: Callable[[], HttpProtocol], connections: Connections
    ) -> None:
        self._listener = listener
        self._make = make
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._beginning: set[asyncio.Task[None]] = set()
        self._pause = _SHORTEST_PAUSE
        self._again: asyncio.TimerHandle | None = None
        listener.settimeout(0)
        self._start()

    def close(self) -> None:
        """Take in nobody else."""
        self._loop.remove_reader(self._listener)
        if self._again is not None:
            self._again.cancel()

    def _start(self) -> None:
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(MOST_ACCEPTED):
            try:
                accepted, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._wait(error)
                return
            self._pause = _SHORTEST_PAUSE
            accepted.settimeout(0)
            self._begin(accepted, str(address[0]))

    def _wait(self, error: OSError) -> None:
        """Try again in a while: the system would say the same at once, over and over."""
        logger.error("no connection can be taken: %s", error.strerror)
        if error.errno in _EXHAUSTED:
            self._connections.make_room()
        self._loop.remove_reader(self._listener)
        self._again = self._loop.call_later(self._pause, self._start)
        self._pause = min(_LONGEST_PAUSE, self._pause * 2)

    def _begin(self, accepted: socket.socket, peer: str) -> None:
        connection = self._connections.add(self._make(), peer)
        if connection is None:
            with suppress(OSError):
                accepted.send(b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n")
            accepted.close()
            return
        task = self._loop.create_task(self._connected(connection, accepted))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _connected(self, connection: Connection, accepted: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, accepted)
        except OSError:  # it is gone already
            connection.connection_lost(None)
            accepted.close()


def _open_files() -> int:
    """How many files may be open; raised to what the server needs, where that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return OPEN_FILES if soft == resource.RLIM_INFINITY else soft

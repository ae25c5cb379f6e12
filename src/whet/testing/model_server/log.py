"""Every request that reached the server."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from whet.documents.text import parse_json
from whet.testing.model_server.call import WireName


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a server takes before it refuses or forgets."""

    requests: int = 2000
    """Some clients ask without end when an answer does not please them."""
    body_bytes: int = 64 * 1024 * 1024
    """Of one request; a larger one is refused."""
    stored_bytes: int = 256 * 1024 * 1024
    """Of all bodies; further ones are answered but not kept."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request and what was decided about it."""

    method: str
    path: str
    """With the query."""
    headers: Mapping[str, str]
    """Names in lower case, values as they came, keys included."""
    body: bytes | None
    """None if it was not kept: too large, or the log is full."""
    wire: WireName | None = None
    marker: str | None = None
    """The conversation's; None for the default and for what is no question to the model."""
    turn: int | None = None
    hit: int | None = None
    status: int | None = None
    """Of the answer; None if there was none."""
    time: float = field(default_factory=time.monotonic)
    """When the request was complete, on the monotonic clock."""

    @property
    def json(self) -> JsonValue:
        """The body as a value; raises ``InvalidDocument``."""
        return parse_json(self.body or b"", f"{self.method} {self.path}")


class RequestLog:
    """What came, in order, within limits. Thread-safe."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._changed = threading.Condition()
        self._kept: list[LoggedRequest] = []
        self._stored = 0
        self._admitted = 0
        self._refused = 0

    def admit(self) -> bool:
        """Count a request; False if there were too many already."""
        with self._changed:
            if self._admitted >= self._limits.requests:
                self._refused += 1
                return False
            self._admitted += 1
            return True

    def add(self, request: LoggedRequest) -> None:
        """Keep a request, without its body when there is no more room."""
        with self._changed:
            size = len(request.body or b"")
            if self._stored + size > self._limits.stored_bytes:
                request = replace(request, body=None)
            else:
                self._stored += size
            self._kept.append(request)
            self._changed.notify_all()

    @property
    def kept(self) -> tuple[LoggedRequest, ...]:
        """All requests so far, oldest first, without those refused."""
        with self._changed:
            return tuple(self._kept)

    @property
    def refused(self) -> int:
        """How many came after the last that was admitted."""
        with self._changed:
            return self._refused

    def wait_for(self, count: int, timeout: float) -> bool:
        """Wait until *count* requests are kept; False if *timeout* seconds were not enough."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._kept) >= count, timeout)

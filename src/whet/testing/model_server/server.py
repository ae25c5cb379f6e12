"""The scripted model as a server in the background."""

import ipaddress
import socket
import socketserver
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self

from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.testing.model_server.connections import Connections
from whet.testing.model_server.desk import Desk
from whet.testing.model_server.handler import Handler, Office
from whet.testing.model_server.log import Limits, LoggedRequest, RequestLog
from whet.testing.model_server.script import Script

POLL_SECONDS = 0.01
"""How soon the listening thread notices that it shall stop."""

STOP_SECONDS = 5.0


class ModelServer:
    """A model that answers by a script, on a port of this machine only.

    Use it as a context manager, or ``start`` and ``stop`` it. It cannot be started again.
    *on_request* is called with every request before it is answered, by many threads at once.
    """

    def __init__(
        self,
        script: Script,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        limits: Limits | None = None,
        on_request: Callable[[LoggedRequest], None] | None = None,
    ) -> None:
        _require_loopback(host)
        self._address = (host, port)
        limits = limits or Limits()
        self._markers = {conversation.marker for conversation in script.conversations}
        self._log = RequestLog(limits)
        self._connections = Connections()
        self._office = Office(
            Desk(script, self._log), limits, self._connections, on_request or _ignore
        )
        self._listener: _Listener | None = None

    def start(self) -> Self:
        """Listen, and answer in the background."""
        self._listener = _listening(self._address, self._office)
        threading.Thread(
            target=self._listener.serve_forever,
            args=(POLL_SECONDS,),
            name="model-server",
            daemon=True,
        ).start()
        return self

    def stop(self) -> None:
        """Close every connection, whatever it waits for, and stop listening."""
        if self._listener:
            self._listener.shutdown()
            self._connections.end(STOP_SECONDS)
            self._listener.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """Where it listens; raises ``UsageError`` before the start."""
        if self._listener is None:
            raise UsageError("the scripted model has not been started")
        return self._listener.server_address[1]

    @property
    def url(self) -> str:
        """The base of all addresses, without a slash at the end."""
        host = self._address[0]
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def requests(self) -> tuple[LoggedRequest, ...]:
        """All requests so far, oldest first."""
        return self._log.kept

    def requests_for(self, marker: str) -> tuple[LoggedRequest, ...]:
        """The requests of one conversation; raises ``NotFound`` if the script has none such."""
        if marker not in self._markers:
            raise NotFound(f"the script has no conversation with the marker {marker!r}")
        return tuple(request for request in self.requests if request.marker == marker)

    @property
    def refused(self) -> int:
        """How many requests came after the limit was reached; they are not in ``requests``."""
        return self._log.refused

    @property
    def exceeded(self) -> bool:
        """Whether there were more requests than the limit allows."""
        return self.refused > 0

    def wait_for(self, count: int, timeout: float = 10.0) -> bool:
        """Wait until there are *count* requests; False if *timeout* seconds were not enough."""
        return self._log.wait_for(count, timeout)


class _Listener(socketserver.ThreadingTCPServer):
    """A thread for every connection."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], office: Office) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, partial(Handler, office=office))

    def handle_error(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        # A client that goes away, or is sent away, is no news.
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _listening(address: tuple[str, int], office: Office) -> _Listener:
    try:
        return _Listener(address, office)
    except (OSError, OverflowError) as error:
        host, port = address
        reason = getattr(error, "strerror", None) or str(error)
        raise EnvironmentProblem(f"cannot listen on {host} port {port}: {reason}") from error


def _require_loopback(host: str) -> None:
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise UsageError(f"the scripted model listens on a loopback address only, not on {host!r}")


def _ignore(request: LoggedRequest) -> None:
    """Nobody asked to be told."""

"""One message over HTTP to somebody who need not be friendly: no redirects, no proxies, and an end
whatever the receiver does."""

import http.client
import logging
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from whet.core.outbound import OutboundPolicy, host_of
from whet.exporters.outbound_http import outbound_connection

TIMEOUT_SECONDS = 10.0
"""For the whole of it: one that answers byte by byte has no more."""

FAILED = "it was not delivered; the log of the server says why"
"""What is told of every failure, and only when the time is over: whether there is nobody, somebody
who says no, or somebody who says nothing is none of the asker's business."""

logger = logging.getLogger(__name__)


class Posting:
    """A message under way."""

    def __init__(self, url: str, policy: OutboundPolicy, timeout: float | None = None) -> None:
        self._url = urlsplit(url)
        self._policy = policy
        self._timeout = TIMEOUT_SECONDS if timeout is None else timeout
        self._connection: http.client.HTTPConnection | None = None
        self._called_off = threading.Event()

    @property
    def is_called_off(self) -> bool:
        """Whether it was ended from here."""
        return self._called_off.is_set()

    def send(self, body: bytes, headers: Mapping[str, str]) -> str | None:
        """``FAILED``, if it was not heard. Blocks: for a thread."""
        if self.is_called_off:
            return FAILED
        begun = time.monotonic()
        clock = threading.Timer(self._timeout, self._hang_up)
        clock.daemon = True
        clock.start()
        try:
            status = self._asked(body, headers)
            is_heard = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
            trouble = None if is_heard else f"it answered {status}"
        except (OSError, ValueError, http.client.HTTPException) as error:
            trouble = " ".join(f"{error}".split())[:200] or type(error).__name__
        finally:
            clock.cancel()
            if self._connection is not None:
                self._connection.close()
        if trouble is None:
            return None
        if not self.is_called_off:
            logger.warning("webhook to %s: %s", host_of(self._url)[:200], trouble)
        self._called_off.wait(max(0.0, self._timeout - (time.monotonic() - begun)))
        return FAILED

    def call_off(self) -> None:
        """Let it end now; from any thread."""
        self._called_off.set()
        self._hang_up()

    def _asked(self, body: bytes, headers: Mapping[str, str]) -> int:
        url = self._url
        self._connection = outbound_connection(url, self._timeout, self._policy)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        self._connection.request("POST", path, body, dict(headers))
        return self._connection.getresponse().status

    def _hang_up(self) -> None:
        connection = self._connection
        if connection is not None and isinstance(connection.sock, socket.socket):
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

"""One message over HTTP to somebody who need not be friendly: no redirects, no proxies, and an end
whatever the receiver does."""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 10.0
"""For the whole of it: one that answers byte by byte has no more."""


class Posting:
    """A message under way."""

    def __init__(self, url: str, timeout: float = TIMEOUT_SECONDS) -> None:
        self._url = urlsplit(url)
        self._timeout = timeout
        self._connection: http.client.HTTPConnection | None = None
        self.is_called_off = False

    def send(self, body: bytes, headers: Mapping[str, str]) -> str | None:
        """What went wrong, if anything did. Blocks: for a thread."""
        if self.is_called_off:
            return "it was called off"
        clock = threading.Timer(self._timeout, self._hang_up)
        clock.daemon = True
        clock.start()
        try:
            status = self._asked(body, headers)
        except (OSError, ValueError, http.client.HTTPException) as error:
            told = " ".join(f"{error}".split())[:200] or type(error).__name__
            return f"it could not be reached: {told}"
        finally:
            clock.cancel()
            if self._connection is not None:
                self._connection.close()
        is_heard = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
        return None if is_heard else f"it answered {status}"

    def call_off(self) -> None:
        """Let it end now; from any thread."""
        self.is_called_off = True
        self._hang_up()

    def _asked(self, body: bytes, headers: Mapping[str, str]) -> int:
        url, host = self._url, self._url.hostname or ""
        if url.scheme == "https":
            self._connection = http.client.HTTPSConnection(
                host, url.port, timeout=self._timeout, context=_trusted()
            )
        else:
            self._connection = http.client.HTTPConnection(host, url.port, timeout=self._timeout)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        self._connection.request("POST", path, body, dict(headers))
        return self._connection.getresponse().status

    def _hang_up(self) -> None:
        connection = self._connection
        if connection is not None and isinstance(connection.sock, socket.socket):
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()

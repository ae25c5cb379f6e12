"""Connections to addresses that somebody else named: what was checked is what is connected to."""

import http.client
import socket
import ssl
import threading
import time
from functools import cache
from urllib.parse import SplitResult

from whet.core.outbound import OutboundPolicy, host_of, port_of

LONGEST_SECONDS = 30.0


class Refused(OSError):
    """The host has no address that may be sent to."""


def outbound_connection(
    place: SplitResult, timeout: float, policy: OutboundPolicy
) -> http.client.HTTPConnection:
    """A connection that looks the host up once, when it is opened, and takes only an address that
    the policy allows. No proxy is used, and nobody follows a redirect."""
    host, port = host_of(place), port_of(place)
    if place.scheme == "https":
        return _Secure(host, port, timeout, policy)
    return _Plain(host, port, timeout, policy)


class _Plain(http.client.HTTPConnection):
    """Over http."""

    def __init__(self, host: str, port: int, timeout: float, policy: OutboundPolicy) -> None:
        super().__init__(host, port, timeout=timeout)
        self._policy = policy

    def connect(self) -> None:
        """Open it; raises ``OSError``."""
        self.sock = _opened(self.host, self.port, self.timeout, self._policy)


class _Secure(http.client.HTTPSConnection):
    """Over https; the certificate must be that of the name."""

    def __init__(self, host: str, port: int, timeout: float, policy: OutboundPolicy) -> None:
        super().__init__(host, port, timeout=timeout, context=_trusted())
        self._policy = policy

    def connect(self) -> None:
        """Open it; raises ``OSError``."""
        plain = _opened(self.host, self.port, self.timeout, self._policy)
        self.sock = plain
        self.sock = _trusted().wrap_socket(plain, server_hostname=self.host)


def _opened(host: str, port: int, timeout: float | None, policy: OutboundPolicy) -> socket.socket:
    """A connection within *timeout* seconds, those of the look-up included."""
    seconds = LONGEST_SECONDS if timeout is None else timeout
    end = time.monotonic() + seconds
    addresses = _addresses(host, port, seconds)
    trouble: OSError = Refused(f"{host} has no address that may be sent to")
    for address in policy.reachable(host, port, addresses):
        left = end - time.monotonic()
        if left <= 0:
            break
        try:
            made = socket.create_connection((address, port), left)
        except OSError as error:
            trouble = error
        else:
            made.settimeout(seconds)
            return made
    raise trouble


def _addresses(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a host. The system has no limit for a look-up: the thread that does it is
    left behind where it takes too long."""
    found: list[list[str] | OSError] = []

    def look_up() -> None:
        try:
            every = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.append([*dict.fromkeys(str(entry[4][0]) for entry in every)])
        except (OSError, UnicodeError) as error:
            found.append(error if isinstance(error, OSError) else OSError(str(error)))

    worker = threading.Thread(target=look_up, daemon=True, name="whet-look-up")
    worker.start()
    worker.join(seconds)
    if not found:
        raise TimeoutError(f"{host} was not looked up within {seconds:g} s")
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()

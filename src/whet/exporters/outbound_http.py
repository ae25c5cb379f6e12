"""Connections to addresses that somebody else named: what was checked is what is connected to."""

import http.client
import socket
import ssl
from functools import cache
from urllib.parse import SplitResult

from whet.core.outbound import OutboundPolicy, host_of, port_of


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
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(str(entry[4][0]) for entry in found)
    trouble: OSError = Refused(f"{host} has no address that may be sent to")
    for address in policy.reachable(host, port, addresses):
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            trouble = error
    raise trouble


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()

"""Requests with a wrong token: counted, logged, and answered ever more slowly.

Only who sent a wrong token waits. The right one is never held up, not even from an address that
others guess from, as all clients of a proxy have one address.
"""

import asyncio
import ipaddress
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from whet.server.log_limit import limit_lines

logger = logging.getLogger(__name__)
limit_lines(logger)

FREE_ATTEMPTS = 3
"""For typing mistakes: they are answered at once."""

FIRST_SECONDS, LONGEST_SECONDS = 0.1, 3.0
FORGET_SECONDS = 900.0
"""Without another one, after which an address begins anew."""

MOST_PEERS = 1024
MOST_WAITING = 16
"""Of one address at once; more of them are answered as they come, or they would hold connections
that others need."""

_IPV6_NETWORK = 64
"""One client has at least that many bits of addresses to choose from."""


@dataclass
class _Peer:
    """What one address did."""

    count: int = 0
    last: float = 0.0
    waiting: int = 0
    free_at: float = 0.0
    """When the last of those that wait is answered."""


@dataclass
class FailedAttempts:
    """Wrong tokens since the server started."""

    count: int = 0
    _peers: "OrderedDict[str, _Peer]" = field(default_factory=OrderedDict[str, _Peer])

    async def record(self, address: str) -> None:
        """Count one more of an address, and return when it may be answered. Those of one address
        are answered one after another, so that sending many at once gains nothing."""
        self.count += 1
        now = time.monotonic()
        peer = self._peer(_network(address), now)
        peer.count += 1
        peer.last = now
        logger.warning("wrong token from %s: attempt %d", address or "unknown", peer.count)
        beyond = peer.count - FREE_ATTEMPTS
        if beyond <= 0 or peer.waiting >= MOST_WAITING:
            return
        pause = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(beyond - 1, 20))
        peer.free_at = min(max(peer.free_at, now) + pause, now + MOST_WAITING * LONGEST_SECONDS)
        peer.waiting += 1
        try:
            await asyncio.sleep(peer.free_at - now)
        finally:
            peer.waiting -= 1

    def _peer(self, network: str, now: float) -> _Peer:
        found = self._peers.pop(network, None)
        if found is None or (now - found.last > FORGET_SECONDS and not found.waiting):
            found = _Peer()
        self._peers[network] = found
        while len(self._peers) > MOST_PEERS:
            self._peers.popitem(last=False)
        return found


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    if (inner := found.ipv4_mapped) is not None:
        return str(inner)
    return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))

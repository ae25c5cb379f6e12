"""Where endpoints are found inside a network of its own.

Every endpoint keeps its port. An IP address keeps itself. A host name gets a loopback address
of its own and a line in the hosts file, so that a program asks for the name it always asks
for, and its TLS sees the name it expects.
"""

import ipaddress
from dataclasses import dataclass

from whet.core.errors import UsageError
from whet.shell.policy import Endpoint

_FIRST = ipaddress.IPv4Address("127.0.0.2")
_MOST = 200
_PRIVILEGED = 1024


@dataclass(frozen=True, slots=True)
class Gate:
    """An address inside, and the endpoint that is behind it."""

    address: str
    endpoint: Endpoint

    @property
    def foreign(self) -> bool:
        """Whether the loopback interface must be given this address first."""
        return not ipaddress.ip_address(self.address).is_loopback

    @property
    def privileged(self) -> bool:
        """Whether listening needs a capability."""
        return self.endpoint.port < _PRIVILEGED


def gates(endpoints: tuple[Endpoint, ...]) -> tuple[Gate, ...]:
    """One gate for every endpoint; what would listen at the same place is one."""
    if len(endpoints) > _MOST:
        raise UsageError(f"{len(endpoints)} endpoints, at most {_MOST}")
    fixed = {endpoint.host: _fixed(endpoint.host) for endpoint in endpoints}
    taken = set(fixed.values())
    free = (str(_FIRST + number) for number in range(2 * _MOST))
    addresses: dict[str, str] = {}
    found: dict[tuple[str, int], Gate] = {}
    for endpoint in endpoints:
        name = endpoint.host.lower()
        address = fixed[endpoint.host] or addresses.get(name)
        if address is None:
            address = next(one for one in free if one not in taken)
        addresses[name] = address
        found.setdefault((address, endpoint.port), Gate(address, endpoint))
    return tuple(found.values())


def hosts(inside: tuple[Gate, ...]) -> str:
    """The hosts file. Names have IPv4 addresses only, as nobody listens at others."""
    lines = {"127.0.0.1 localhost": None}
    for gate in inside:
        if not _is_address(gate.endpoint.host):
            lines[f"{gate.address} {gate.endpoint.host.lower()}"] = None
    return "".join(f"{line}\n" for line in lines)


def _fixed(host: str) -> str | None:
    """The address of *host* that is not ours to choose."""
    if host.lower() == "localhost":
        return "127.0.0.1"
    if not _is_address(host):
        return None
    address = ipaddress.ip_address(host)
    if address.is_unspecified or address.is_multicast:
        raise UsageError(f"{host} is nobody's address")
    if address.version != 4 and not address.is_loopback:
        raise UsageError(f"{host}: IPv6 addresses are not supported; give the host's name")
    return str(address)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

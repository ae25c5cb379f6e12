"""Where whet itself sends messages on behalf of somebody else: webhooks, and spans over HTTP.

Whoever may name an address could otherwise reach what only this machine reaches. Public addresses
may be sent to; others, and with a list all, only where the owner of the machine lists the host.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from whet.core.errors import UsageError

Address = IPv4Address | IPv6Address

MOST_URL = 2_000
ANY = "*"
_PORTS = {"http": 80, "https": 443}
_SPECIAL = (ip_network("192.0.0.0/24"), ip_network("168.63.129.16/32"))
"""Addresses by which clouds tell a machine its secrets, and which look public."""

_NAT64 = ip_network("64:ff9b::/96")
_LOCAL_NAMES = ("localhost", "*.localhost", "*.local", "*.internal")


@dataclass(frozen=True)
class OutboundPolicy:
    """What may be sent to."""

    hosts: tuple[str, ...] = ()
    """``name``, ``address`` or either with ``:port``; ``*`` stands for any characters of a name and
    for any port. Without a port: that of http or https. Empty: every public address."""

    anywhere: bool = False
    """For a person at this machine, who could reach everything without whet."""

    def check(self, url: str, field: str) -> SplitResult:
        """The parts of an address; raises ``UsageError`` for one that is none or is not listed.
        Nothing is looked up: a name may still lead to an address that is refused."""
        parts = web_address(url, field)
        host, port = host_of(parts), port_of(parts)
        literal = _literal(host)
        is_inside = any(fnmatchcase(host, each) for each in _LOCAL_NAMES)
        if literal is not None:
            is_inside = not is_public(literal)
        if not self._may(host, port, is_inside=is_inside):
            raise UsageError(
                f"{field}: this server does not send to {host[:200]} on port {port}; its owner can "
                "list it as outbound in policy.json, or in WHET_OUTBOUND_HOSTS"
            )
        return parts

    def reachable(self, host: str, port: int, found: Iterable[str]) -> list[str]:
        """Those of the addresses of a host that may be connected to."""
        return [
            address
            for address in found
            if self._may(host, port, is_inside=not is_public(_parsed(address)))
        ]

    def _may(self, host: str, port: int, *, is_inside: bool) -> bool:
        if self.anywhere:
            return True
        if is_inside:
            # A name with a star in it may belong to anybody, and lead anywhere.
            return any(_fits(each, host, port) for each in self.hosts if ANY not in _host(each))
        return not self.hosts or any(_fits(each, host, port) for each in self.hosts)


ANYWHERE = OutboundPolicy(anywhere=True)


def outbound_policy(listed: str) -> OutboundPolicy:
    """The policy that a list of hosts stands for, with commas or spaces between them; raises
    ``UsageError``."""
    try:
        return OutboundPolicy(check_hosts(tuple(listed.replace(",", " ").split())))
    except ValueError as error:
        raise UsageError(f"WHET_OUTBOUND_HOSTS: {error}") from None


def check_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    """The hosts of a policy; raises ``ValueError`` for what is none."""
    for each in hosts:
        host, port = _split(each)
        is_number = port == ANY or not port or (port.isdecimal() and 0 < int(port[:6]) < 65_536)
        if not host or not is_number or not {"/", "@", " ", ","}.isdisjoint(each):
            raise ValueError(
                f"{each[:80]!r} is no host; write hooks.example.com, 127.0.0.1:4318 or [::1]:4318"
            )
    return hosts


def web_address(url: str, field: str) -> SplitResult:
    """The parts of an address of http or https; raises ``UsageError`` for others, and for one with
    a password in it."""
    try:
        parts = urlsplit(url) if len(url) <= MOST_URL else None
        is_fit = parts is not None and parts.scheme in _PORTS and parts.port != 0
        name = host_of(parts) if parts is not None else ""
    except ValueError:
        raise UsageError(f"{field}: {url[:200]!r} is no web address") from None
    is_plain = url.isprintable() and " " not in url and "\\" not in url
    if parts is None or not is_fit or not is_plain or not _is_name(name):
        raise UsageError(f"{field}: {url[:200]!r} is no address of http or https")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"{field}: must not have a password in it")
    return parts


def host_of(parts: SplitResult) -> str:
    """The host in lower case, without a dot at its end; an address in its usual form."""
    name = (parts.hostname or "").lower().rstrip(".")
    literal = _literal(name)
    return name if literal is None else str(literal)


def port_of(parts: SplitResult) -> int:
    """The port, that of the scheme where none is given."""
    return parts.port or _PORTS[parts.scheme]


def is_public(address: Address) -> bool:
    """Whether it is one of the internet; also for those that another address is hidden in."""
    if isinstance(address, IPv6Address):
        inner = _inner(address)
        if inner:
            return all(map(is_public, inner))
        if address.is_site_local:
            return False
    is_odd = address.is_multicast or address.is_reserved or address.is_unspecified
    is_special = any(address in network for network in _SPECIAL)
    return address.is_global and not is_odd and not is_special and not address.is_loopback


def _inner(address: IPv6Address) -> Sequence[IPv4Address]:
    """The IPv4 addresses that an IPv6 address stands for."""
    if address in _NAT64 or int(address) >> 32 == 0:
        return () if int(address) <= 1 else (IPv4Address(int(address) & 0xFFFF_FFFF),)
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    return [each for each in found if each is not None]


def _literal(host: str) -> Address | None:
    """An address as it may be written in a URL, the short and octal forms of the C library too."""
    try:
        return _parsed(host)
    except ValueError:
        return _short_form(host)


def _parsed(address: str) -> Address:
    return ip_address(address.partition("%")[0])


def _short_form(host: str) -> IPv4Address | None:
    """``127.1``, ``0x7f000001``, ``017700000001`` and the like."""
    pieces = host.split(".")
    numbers = [_number(piece) for piece in pieces]
    if not 1 <= len(pieces) <= 4 or any(number is None for number in numbers):
        return None
    *leading, last = [number for number in numbers if number is not None]
    room = 256 ** (4 - len(leading))
    if any(number > 255 for number in leading) or last >= room:
        return None
    whole = sum(number << 8 * (3 - at) for at, number in enumerate(leading))
    return IPv4Address(whole + last)


def _number(text: str) -> int | None:
    base = 16 if text.startswith("0x") else 8 if text.startswith("0") else 10
    try:
        return int(text, base) if text.isalnum() and len(text) <= 40 else None
    except ValueError:
        return None


def _is_name(name: str) -> bool:
    """Whether it can be looked up at all."""
    try:
        return bool(name.encode("idna"))
    except UnicodeError:
        return False


def _fits(listed: str, host: str, port: int) -> bool:
    name, wanted = _split(listed)
    literal = _literal(name)
    is_host = fnmatchcase(host, name if literal is None else str(literal))
    return is_host and (wanted == ANY or port in ((int(wanted),) if wanted else _PORTS.values()))


def _host(listed: str) -> str:
    return _split(listed)[0]


def _split(listed: str) -> tuple[str, str]:
    """The host in lower case and the port, which may be empty."""
    if listed.startswith("["):
        host, _, port = listed[1:].partition("]")
        return host.lower(), port.removeprefix(":")
    if listed.count(":") > 1:
        return listed.lower(), ""
    host, _, port = listed.partition(":")
    return host.lower().rstrip("."), port

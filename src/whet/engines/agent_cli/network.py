"""Whom an agent may talk to, and what it needs for that."""

from pathlib import Path
from urllib.parse import urlsplit

from whet.core.errors import UsageError
from whet.ports.machine import Machine
from whet.shell.policy import Endpoint

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS")


def endpoint(text: str) -> Endpoint:
    """Read ``name:443``, ``127.0.0.1:80`` or ``[::1]:80``."""
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal():
        raise UsageError(f"{text!r} is not a host with a port, like name:443")
    return Endpoint(host.strip("[]"), int(port))


def address_of(url: str) -> str:
    """The host and port behind a URL; raises ``UsageError``, without a password in it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{_shown(url)!r} is not a URL: {error}") from None
    if not host or parts.scheme not in ("http", "https"):
        raise UsageError(f"{_shown(url)!r} is not a URL of a service")
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{port or (80 if parts.scheme == 'http' else 443)}"


def _shown(url: str) -> str:
    before, at, after = url.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return f"{scheme}{mark}…@{after}" if at and mark else after


def handed_on(machine: Machine) -> dict[str, str]:
    """How this machine reaches the world at all: proxies and certificates."""
    given = (*_PROXIES, "NO_PROXY")
    names = (*given, *map(str.lower, given), *_CERTIFICATES)
    return {name: machine.environment[name] for name in names if name in machine.environment}


def proxies(machine: Machine) -> list[str]:
    """The hosts with ports that stand between this machine and the world."""
    names = (*_PROXIES, *map(str.lower, _PROXIES))
    urls = {machine.environment[name] for name in names if name in machine.environment}
    return [address_of(url if "://" in url else f"http://{url}") for url in sorted(urls)]


def certificates(machine: Machine) -> list[Path]:
    """Files of a company's own; without them nothing can be reached from inside."""
    named = (machine.environment.get(name) for name in _CERTIFICATES)
    return [path for path in map(Path, filter(None, named)) if path.is_file()]

"""What a command is allowed: the folders it is given, and whom it may talk to."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from whet.core.errors import UsageError

Sandbox = Literal["bubblewrap", "landlock", "none"]

_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
_LONGEST_HOST = 253
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Somebody to talk to over TCP: a host, by name or by IP address, and a port."""

    host: str
    port: int

    def __post_init__(self) -> None:
        if len(self.host) > _LONGEST_HOST or not _HOST.fullmatch(self.host):
            raise UsageError(f"{self.host[:_LONGEST_HOST]!r} is neither a host name nor an address")
        if not 0 < self.port <= _LAST_PORT:
            raise UsageError(f"{self.host}: {self.port} is not a port (1 to {_LAST_PORT})")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a command is given besides the system: folders or files, and whom it may reach.

    A readable path inside a writable one stays read-only under bubblewrap. Landlock adds
    rights up, and there it is writable like the folder it lies in.
    """

    writable: tuple[Path, ...]
    readable: tuple[Path, ...] = ()
    network: bool = False
    """The whole network. Otherwise there is nothing but the endpoints."""

    endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Confinement:
    """The sandbox a command runs in."""

    sandbox: Literal["bubblewrap", "landlock"]
    policy: Policy

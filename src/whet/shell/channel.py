"""Our end of the line to the process that becomes the agent. See ``inside``."""

import os
import socket
from dataclasses import dataclass

from whet.shell.readiness import readable

_LONGEST = 4096
_MOST_SOCKETS = 253


@dataclass(frozen=True, slots=True)
class Refusal:
    """It could not become the agent."""

    error: OSError
    tried: str
    """``exec`` if the program itself could not be started."""


class Channel:
    """A socket pair; the other end is inherited by the process."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.settimeout(0)

    @property
    def inherited(self) -> int:
        """The descriptor of the other end."""
        return self._theirs.fileno()

    def handed_over(self) -> None:
        """The process has its end; ours of it would hide that it has closed it."""
        self._theirs.close()

    async def listeners(self) -> list[socket.socket] | Refusal | None:
        """The sockets it listens on. None if it went without a word."""
        message, descriptors = await self._message()
        found = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if message == b"L":
            return found
        return _refusal(message)

    async def refusal(self) -> Refusal | None:
        """None when it has become the agent, or is gone."""
        message, _ = await self._message()
        return _refusal(message)

    def close(self) -> None:
        """Let go of both ends."""
        self._ours.close()
        self._theirs.close()

    async def _message(self) -> tuple[bytes, list[int]]:
        while True:
            try:
                message, descriptors, _, _ = socket.recv_fds(self._ours, _LONGEST, _MOST_SOCKETS)
            except BlockingIOError:
                await readable(self._ours.fileno())
            except ConnectionError:
                return b"", []
            else:
                return message, descriptors


def _refusal(message: bytes) -> Refusal | None:
    if not message:
        return None
    number, _, tried = message[1:].decode("utf-8", "replace").partition(" ")
    return Refusal(OSError(int(number), os.strerror(int(number))), tried)

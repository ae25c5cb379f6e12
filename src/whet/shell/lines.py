"""Bytes as they come, cut into lines within limits."""

from collections.abc import Iterator


class LineSplitter:
    """Cuts chunks of bytes at newlines; what goes beyond a limit is left out and remembered.

    Only the newline ends a line: a JSON document may hold every other kind of line break.
    """

    def __init__(self, line_limit: int, total_limit: int) -> None:
        self._line_limit = line_limit
        self._room = total_limit
        self._line = bytearray()
        self.truncated = False
        """Whether anything was left out."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Take the next chunk and yield the lines it completes, without their newline."""
        if len(chunk) > self._room:
            self.truncated = True
            chunk = chunk[: self._room]
        self._room -= len(chunk)
        *complete, rest = chunk.split(b"\n")
        for part in complete:
            self._extend(part)
            yield self._take()
        self._extend(rest)

    def rest(self) -> bytes:
        """The last line, if it had no newline; else nothing."""
        return self._take()

    def _extend(self, part: bytes) -> None:
        room = self._line_limit - len(self._line)
        if len(part) > room:
            self.truncated = True
        self._line += part[:room]

    def _take(self) -> bytes:
        line = bytes(self._line)
        self._line.clear()
        return line

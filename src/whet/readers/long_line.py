"""A line that is too long to be held: its long texts are cut, the rest of it stays."""

import re
from typing import BinaryIO

from whet.documents.session_import import Repairs
from whet.readers.source import PIECE

LONGEST_TEXT = PIECE
"""Bytes of one text in a log, as they are written there. What is longer is cut."""

LONGEST_VALUE = 16 * 1024 * 1024
"""Bytes of one line or element, when its long texts are cut. What is longer is skipped."""

_OUTSIDE = re.compile(rb'[^"\n]*+')
_INSIDE = re.compile(rb'(?:[^"\\\n]++|\\[^\n])*+')
_UNITS = re.compile(rb"(?:[^\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+", re.DOTALL)
_HALF = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")


def shortened_line(begun: bytes, stream: BinaryIO, repairs: Repairs) -> bytes | None:
    """The line that began so, up to and with its end; None if it is too long even so."""
    line, size = _Shortened(), 0
    piece = begun
    while piece:
        size += len(piece)
        line.take(piece)
        if piece.endswith(b"\n"):
            break
        piece = stream.readline(PIECE)
    if line.data is None:
        repairs.note("skipped", "too_long", f"a line of {size} bytes is too long")
    elif line.cut is not None:
        repairs.note("cut", "long_text", f"a text of {line.longest} bytes is cut", column=line.cut)
    return None if line.data is None else bytes(line.data)


def whole_characters(text: bytes) -> bytes:
    """*text* of a JSON string without what a cut has left of its last character."""
    units = _UNITS.match(text)
    text = text[: units.end()] if units else b""
    text = _HALF.sub(b"", text)
    for back in range(1, min(4, len(text)) + 1):
        lead = text[-back]
        if lead & 0xC0 != 0x80:
            needed = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
            return text[:-back] if needed > back else text
    return text


class _Shortened:
    """What is kept of a line, piece by piece."""

    def __init__(self) -> None:
        self.data: bytearray | None = bytearray()
        self.cut: int | None = None
        """The column of the first text that was cut."""

        self.longest = 0
        self._begins: int | None = None
        """Where the text begins in ``data`` that is being read; None outside of one."""

        self._length = 0
        self._seen = 0
        self._held = b""

    def take(self, piece: bytes) -> None:
        if self.data is None:
            return
        piece, at = self._held + piece, 0
        self._held = b""
        while at < len(piece) and self.data is not None:
            at = self._outside(piece, at) if self._begins is None else self._inside(piece, at)
            if len(self.data) > LONGEST_VALUE:
                self.data = None
        self._seen += len(piece) - len(self._held)

    def _outside(self, piece: bytes, at: int) -> int:
        assert self.data is not None
        found = _OUTSIDE.match(piece, at)
        end = found.end() if found else at
        # The line's end, or a text begins.
        self.data += piece[at : end + 1]
        if piece[end : end + 1] == b'"':
            self._begins, self._length = len(self.data), 0
        return end + 1

    def _inside(self, piece: bytes, at: int) -> int:
        assert self.data is not None
        assert self._begins is not None
        found = _INSIDE.match(piece, at)
        end = found.end() if found else at
        room = max(0, LONGEST_TEXT - (len(self.data) - self._begins))
        self.data += piece[at : min(end, at + room)]
        self._length += end - at
        match piece[end : end + 1]:
            case b"\\":
                self._held = piece[end:]
                return len(piece)
            case b"":
                return end
            case closing:
                self._close(end)
                self.data += closing
                return end + 1

    def _close(self, end: int) -> None:
        assert self.data is not None
        assert self._begins is not None
        if self._length > LONGEST_TEXT:
            self.data[self._begins :] = whole_characters(bytes(self.data[self._begins :]))
            self.longest = max(self.longest, self._length)
            if self.cut is None:
                self.cut = self._seen + end - self._length
        self._begins = None

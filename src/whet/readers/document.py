"""Logs that are one JSON object, which may be larger than memory: member by member, and lists
element by element."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import EllipsisType
from typing import BinaryIO

from pydantic import JsonValue
from pydantic_core import from_json

from whet.documents.session_import import Repairs
from whet.readers.decode import decoded
from whet.readers.long_line import LONGEST_TEXT, LONGEST_VALUE, whole_characters
from whet.readers.source import PIECE, opened
from whet.readers.torn import mended, rest_of_text, text_of

_SPACE = re.compile(rb"[ \t\r\n\0]*+")
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_INSIDE = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_PLAIN = re.compile(rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+', re.DOTALL)
_SCALAR = re.compile(rb"[^,\]}\s]*+")
_FOLLOWS = re.compile(rb"[ \t\r\n]*+(?:[,}]|\Z)")
_LONGEST_LINE = 64 * 1024
_KEY = rb'"(?:[^"\\\n]++|\\.)*+"[ \t]*:'


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the object, or one element of a member that is a list."""

    key: str
    value: JsonValue
    index: int | None = None
    """Of the element; -1 for the list itself, before its elements."""


class _Broken(Exception):
    """The document's structure is lost here."""


def members(path: Path, repairs: Repairs) -> Iterator[Member]:
    """What a file has. ``repairs.line`` is where the one given out last begins."""
    with opened(path, repairs) as stream:
        document = Walked(stream, repairs)
        yield from document.members()
        repairs.lines += document.line
    repairs.line = None


class Walked:
    """A window on the document: all before ``_at`` is done with."""

    def __init__(self, stream: BinaryIO, repairs: Repairs) -> None:
        self._stream = stream
        self._repairs = repairs
        self._data = b""
        self._at = 0
        self._ended = False
        self._column = 1
        self._next_key: re.Pattern[bytes] | None = None
        self.line = 1

    def members(self) -> Iterator[Member]:
        if self._peek() != b"{":
            self._note("no_object", "a log must be an object here")
            return
        self._advance(1)
        before = self.line
        if self._peek() == b'"' and self.line > before:
            # As people's JSON has it: every key begins a line, those within another one deeper.
            self._next_key = re.compile(rb"\n[ \t]{%d}" % (self._column - 1) + _KEY)
        while True:
            try:
                yield from self._rest()
            except _Broken as error:
                self._note("broken_json", f"broken JSON: {error}")
                if not self._skip_to_key():
                    return
            else:
                break
        if self._peek():
            self._note("more", "there is more after the end of the document")

    def _rest(self) -> Iterator[Member]:
        while (byte := self._peek()) != b"}":
            if byte == b"":
                raise _Broken("the document is cut off")
            key, byte = self._key(), self._peek()
            if byte == b"[":
                yield from self._elements(key)
            elif (value := self._text() if byte == b'"' else self._value()) is not ...:
                yield Member(key, value)
            self._separator(b"}")
        self._advance(1)

    def _key(self) -> str:
        if self._peek() != b'"':
            raise _Broken("expected a key")
        key = self._value()
        if self._peek() != b":":
            raise _Broken("expected a colon")
        self._advance(1)
        return key if isinstance(key, str) else ""

    def _elements(self, key: str) -> Iterator[Member]:
        self._peek()
        self._repairs.line = self.line
        yield Member(key, None, -1)
        self._advance(1)
        index = 0
        while (byte := self._peek()) != b"]":
            if byte == b"":
                raise _Broken("the document is cut off")
            value = self._value()
            if value is not ...:
                yield Member(key, value, index)
            index += 1
            self._separator(b"]")
        self._advance(1)

    def _separator(self, closing: bytes) -> None:
        match self._peek():
            case b",":
                self._advance(1)
            case byte if byte == closing:
                pass
            case b"":
                raise _Broken("the document is cut off")
            case _:
                raise _Broken("expected a comma")

    def _peek(self) -> bytes:
        """The next byte that is no space; empty at the end."""
        while True:
            found = _SPACE.match(self._data, self._at)
            self._advance((found.end() if found else self._at) - self._at)
            if self._at < len(self._data) or not self._more():
                return self._data[self._at : self._at + 1]

    def _more(self) -> bool:
        """Read on; whether there was anything."""
        piece = b"" if self._ended else self._stream.read(PIECE)
        self._ended = not piece
        self._data = self._data[self._at :] + piece
        self._at = 0
        return bool(piece)

    def _advance(self, count: int) -> None:
        if not count:
            return
        end = self._at + count
        lines = self._data.count(b"\n", self._at, end)
        if lines:
            self.line += lines
            self._column = end - self._data.rfind(b"\n", self._at, end)
        else:
            self._column += count
        self._at = end

    def _value(self) -> JsonValue | EllipsisType:
        """The value that begins here; ``...`` if it cannot be read, which is noted."""
        self._peek()
        self._repairs.line = self.line
        end = self._end()
        if end is None:
            self._repairs.note("skipped", "too_long", "a value is too long to be read")
            return ...
        data = self._data[self._at : end]
        if not data:
            raise _Broken("expected a value")
        value = self._decoded(data)
        self._advance(end - self._at)
        return value

    def _decoded(self, data: bytes) -> JsonValue | EllipsisType:
        try:
            return from_json(data, allow_inf_nan=False)
        except ValueError:
            torn = mended(data, self._repairs)
            return torn if torn is not None else decoded(data + b"\n", self._repairs)

    def _text(self) -> JsonValue | EllipsisType:
        """A text that begins here. If something else than a comma follows, it is torn."""
        self._repairs.line = self.line
        size = self._text_end(self._at) - self._at
        while len(self._data) < self._at + size + _LONGEST_LINE and self._more():
            pass
        end = self._at + size
        if not _FOLLOWS.match(self._data, end):
            last = rest_of_text(self._data, end, end + _LONGEST_LINE)
            torn = text_of(self._data[self._at : last + 1], self._repairs) if last else None
            if torn is not None and last is not None:
                self._advance(last + 1 - self._at)
                return torn
        return self._value()

    def _end(self) -> int | None:
        """Where the value ends; None if it was too long, and has been gone past already."""
        first = self._data[self._at : self._at + 1]
        if first == b'"':
            return self._text_end(self._at)
        if first in (b"{", b"["):
            return self._bracket_end()
        while (found := _SCALAR.match(self._data, self._at)) and found.end() == len(self._data):
            if not self._more():
                raise _Broken("the document is cut off")
        return found.end() if found else self._at

    def _bracket_end(self) -> int | None:
        depth, at, is_long = 0, self._at, False
        while True:
            found = _PLAIN.match(self._data, at)
            at = found.end() if found else at
            byte = self._data[at : at + 1]
            if byte in (b"", b'"'):
                at = self._continued(at, byte)
                continue
            at += 1
            depth += 1 if byte in (b"{", b"[") else -1
            if is_long or at - self._at > LONGEST_VALUE:
                is_long = True
                self._advance(at - self._at)
            if not depth:
                return None if is_long else at

    def _continued(self, at: int, byte: bytes) -> int:
        """Go on at the end of the window, or with a text that does not end in it."""
        if byte:
            return self._text_end(at)
        offset = at - self._at
        if not self._more():
            raise _Broken("the document is cut off")
        return self._at + offset

    def _text_end(self, at: int) -> int:
        """Where the text ends that begins at *at*; a long one is cut."""
        while (found := _TEXT.match(self._data, at)) is None:
            if len(self._data) - at > LONGEST_TEXT:
                return self._cut_text(at)
            offset = at - self._at
            if not self._more():
                raise _Broken("the document is cut off")
            at = self._at + offset
        return found.end()

    def _cut_text(self, at: int) -> int:
        kept = whole_characters(self._data[at + 1 : at + 1 + LONGEST_TEXT])
        length, rest = 0, self._data[at + 1 :]
        while True:
            found = _INSIDE.match(rest)
            end = found.end() if found else 0
            length += end
            if rest[end : end + 1] == b'"':
                break
            piece = self._stream.read(PIECE)
            if not piece:
                raise _Broken("the document is cut off")
            rest = rest[end:] + piece
        self._repairs.note("cut", "long_text", f"a text of {length} bytes is cut")
        self._data = self._data[:at] + b'"' + kept + rest[end:]
        return at + len(kept) + 2

    def _skip_to_key(self) -> bool:
        """Go to the next key of the document itself, if its layout tells where that is."""
        while self._next_key is not None:
            if found := self._next_key.search(self._data, self._at):
                self._advance(found.start() + 1 - self._at)
                return True
            self._advance(max(0, len(self._data) - LONGEST_TEXT - self._at))
            if not self._more():
                break
        return False

    def _note(self, code: str, message: str) -> None:
        self._repairs.line = self.line
        self._repairs.note("skipped", code, message, column=self._column)

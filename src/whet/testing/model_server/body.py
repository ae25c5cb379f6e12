"""Read the body of an HTTP request: of a known length, or in chunks."""

from email.message import Message
from typing import Protocol

LINE_BYTES = 1024
DIGITS = 16
"""More than any size has."""


class Source(Protocol):
    """The part of a file that reading a body needs."""

    def read(self, size: int, /) -> bytes: ...
    def readline(self, size: int, /) -> bytes: ...


class BadBody(Exception):
    """A body that cannot be read; ``status`` says why to the client."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def read_body(source: Source, headers: Message, limit: int) -> bytes:
    """The whole body; raises ``BadBody`` for one that is broken or larger than *limit*."""
    length, coding = headers.get("content-length"), headers.get("transfer-encoding")
    if coding is not None:
        if length is not None or coding.strip().lower() != "chunked":
            raise BadBody(400, "a body is either of a known length or chunked")
        return _chunked(source, limit)
    if length is None:
        return b""
    if not (length.isascii() and length.isdigit()):
        raise BadBody(400, f"content-length must be a whole number, found {length[:20]!r}")
    size = int(length) if len(length) <= DIGITS else limit + 1
    return _exactly(source, _within(size, limit))


def _chunked(source: Source, limit: int) -> bytes:
    body = bytearray()
    while size := _chunk_size(source):
        _within(len(body) + size, limit)
        body += _exactly(source, size)
        if _line(source) != b"":
            raise BadBody(400, "a chunk is longer than it says")
    while _line(source) != b"":
        pass  # trailers say nothing that matters here
    return bytes(body)


def _chunk_size(source: Source) -> int:
    digits = _line(source).partition(b";")[0].strip()
    if not digits or len(digits) > DIGITS or digits.strip(b"0123456789abcdefABCDEF"):
        raise BadBody(400, f"a chunk must begin with its size, found {digits[:20]!r}")
    return int(digits, 16)


def _line(source: Source) -> bytes:
    line = source.readline(LINE_BYTES)
    if not line.endswith(b"\n"):
        raise BadBody(400, "the body ends in the middle of a chunk")
    return line.rstrip(b"\r\n")


def _exactly(source: Source, size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise BadBody(400, f"the body ends after {len(data)} of {size} bytes")
    return data


def _within(size: int, limit: int) -> int:
    if size > limit:
        raise BadBody(413, f"the body has more than {limit} bytes")
    return size

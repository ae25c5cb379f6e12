"""Forms with files in them, written to their places as they come in.

The framework keeps a form in memory or in files of its own first, and leaves those of a form that
is cut off to the garbage collector.
"""

import asyncio
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from whet.core.errors import EnvironmentProblem, UsageError
from whet.documents.files import reason

MOST_PARTS = 64
MOST_HEADERS = 16 * 1024
"""Bytes of what a form says of one part."""


def is_form(request: Request) -> bool:
    """Whether the body has parts."""
    return request.headers.get("content-type", "").lower().startswith("multipart/")


class Part(NamedTuple):
    """One part of a form, on disk."""

    path: Path
    filename: str | None
    """As the form has it; None for a part that is no file."""


async def received_form(
    request: Request, folder: Path, fields: Collection[str]
) -> dict[str, list[Part]]:
    """Write the parts of a form that belong to *fields* into *folder*; other texts are passed over.

    Raises ``UsageError`` for what is no form, and for files that nobody asked for, and
    ``EnvironmentProblem`` where there is no room.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise UsageError("the body is no form: its content type must be multipart/form-data")
    try:
        with closing(_Parts(folder, fields, options[b"boundary"])) as parts:
            async for chunk in request.stream():
                await asyncio.to_thread(parts.take, chunk)
    except FormParserError as error:
        raise UsageError(f"the form cannot be read: {error}") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep what is sent: {reason(error)}") from error
    if not parts.is_whole:
        raise UsageError("the form is cut off")
    return parts.found


def only(parts: dict[str, list[Part]], field: str) -> Part | None:
    """The part of a field that may be there once; raises ``UsageError`` where it is there twice."""
    found = parts.get(field, [])
    if len(found) > 1:
        raise UsageError(f"the form has {field!r} twice")
    return found[0] if found else None


class _Parts:
    """Takes a form apart, piece by piece."""

    def __init__(self, folder: Path, fields: Collection[str], boundary: bytes) -> None:
        self.found: dict[str, list[Part]] = {}
        self.is_whole = False
        self._folder = folder
        self._fields = fields
        self._count = 0
        self._said = 0
        self._header = self._value = b""
        self._disposition = b""
        self._file: BinaryIO | None = None
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._add_header,
                "on_header_value": self._add_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._open,
                "on_part_data": self._write,
                "on_part_end": self.close,
                "on_end": self._end,
            },
        )

    def take(self, chunk: bytes) -> None:
        """The next piece."""
        if chunk:
            self._parser.write(chunk)

    def close(self) -> None:
        """Let go of the file under way."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._count += 1
        if self._count > MOST_PARTS:
            raise UsageError(f"a form has at most {MOST_PARTS} parts")
        self._said = 0
        self._header = self._value = self._disposition = b""

    def _add_header(self, data: bytes, start: int, end: int) -> None:
        self._header += self._more(data[start:end])

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += self._more(data[start:end])

    def _more(self, piece: bytes) -> bytes:
        self._said += len(piece)
        if self._said > MOST_HEADERS:
            raise UsageError("the form says too much of one of its parts")
        return piece

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header = self._value = b""

    def _open(self) -> None:
        _, options = parse_options_header(self._disposition)
        field = options.get(b"name", b"").decode(errors="replace")
        filename = options.get(b"filename")
        if field not in self._fields:
            if filename is not None:
                known = ", ".join(self._fields)
                raise UsageError(f"{field[:100]!r} is no field of this form; it has {known}")
            return
        path = self._folder / f"part-{self._count}"
        self._file = path.open("xb")
        name = None if filename is None else filename.decode(errors="replace")
        self.found.setdefault(field, []).append(Part(path, name))

    def _write(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(memoryview(data)[start:end])

    def _end(self) -> None:
        self.is_whole = True

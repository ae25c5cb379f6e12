"""Which format a file has, by how it begins."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue
from pydantic_core import from_json

from whet.core.errors import InvalidDocument
from whet.ports.reader import Head, Reader
from whet.readers.source import opened

_SIZE = 64 * 1024
_ROWS = 40
_LEFT_OUT = b" \t\r\n\0"
_BEGIN = "line 1, column 1"
_PLACE = re.compile(r" at line (\d+) column (\d+)$")
_KEY = re.compile(rb'"([A-Za-z_]{1,40})"\s*:')


def head_of(path: Path) -> Head:
    """How a file begins; raises ``WhetError``."""
    with opened(path) as stream:
        start = stream.read(_SIZE)
    return Head(path, start, tuple(_rows(start)))


def recognised(path: Path, readers: Iterable[Reader]) -> Reader | None:
    """The reader for a file, if one of them knows it; raises ``WhetError``."""
    head = head_of(path)
    return next((reader for reader in readers if reader.recognises(head)), None)


def reader_for(path: Path, readers: Sequence[Reader]) -> Reader:
    """The reader for a file; raises ``WhetError``, also if nobody knows what it is."""
    if (found := recognised(path, readers)) is not None:
        return found
    start = head_of(path).start
    if not start.strip(_LEFT_OUT):
        raise InvalidDocument(path, _BEGIN, "it is empty")
    if (broken := _broken(start)) is not None:
        raise InvalidDocument(path, *broken)
    known = ", ".join(sorted(reader.name for reader in readers))
    raise InvalidDocument(path, _BEGIN, f"no session log (known: {known})")


def _broken(start: bytes) -> tuple[str, str] | None:
    """Where JSON that nobody knows is broken, and why."""
    if not start.lstrip(_LEFT_OUT).startswith(b"{"):
        return None
    try:
        from_json(start)
    except ValueError as error:
        found = _PLACE.search(str(error))
        if found and not str(error).startswith(("trailing", "EOF")):
            why = f"broken JSON: {_PLACE.sub('', str(error))}"
            return f"line {found[1]}, column {found[2]}", why
    return None


def _rows(start: bytes) -> Iterable[Mapping[str, JsonValue]]:
    """The first objects, line by line; or the document that begins there and goes on below."""
    lines = [line for line in start.split(b"\n") if line.strip(_LEFT_OUT)][:_ROWS]
    rows = [value for line in lines if isinstance(value := _value(line), dict)]
    if rows and isinstance(_value(lines[0]), dict):
        last = _value(lines[-1], partial=True)
        return [*rows, last] if isinstance(last, dict) and last != rows[-1] else rows
    whole = _value(start, partial=True)
    return [whole] if isinstance(whole, dict) else rows or _keys(start)


def _value(data: bytes, *, partial: bool = False) -> JsonValue:
    """A value, or as much of it as is there; None if it is broken."""
    text = data.strip(_LEFT_OUT).decode(errors="replace")
    try:
        value: JsonValue = from_json(text, allow_partial="trailing-strings" if partial else False)
    except ValueError:
        return None
    return value


def _keys(start: bytes) -> list[dict[str, JsonValue]]:
    """What a broken document seems to have."""
    found = _KEY.findall(start) if start.lstrip(_LEFT_OUT).startswith(b"{") else []
    return [{key.decode(): None for key in found}] if found else []

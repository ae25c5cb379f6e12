"""Logs of JSON lines, one object after the other."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from whet.documents.session_import import Repairs, quoted
from whet.readers.decode import decoded
from whet.readers.long_line import LONGEST_TEXT, shortened_line
from whet.readers.source import opened

Row = dict[str, JsonValue]


def rows(path: Path, repairs: Repairs) -> Iterator[Row]:
    """The objects of a file. ``repairs.line`` is where the one given out last stands."""
    number = 0
    with opened(path, repairs) as stream:
        while line := stream.readline(LONGEST_TEXT):
            number += 1
            repairs.line = number
            if len(line) == LONGEST_TEXT and not line.endswith(b"\n"):
                shortened = shortened_line(line, stream, repairs)
                if shortened is None:
                    continue
                line = shortened
            value = decoded(line, repairs)
            if isinstance(value, dict):
                yield value
            elif value is not ...:
                said = f"a line must be an object, found {quoted(value)}"
                repairs.note("skipped", "not_an_object", said, column=1)
    repairs.line = None
    repairs.lines += number

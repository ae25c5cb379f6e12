"""The reader port."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from whet.core.logged import Logged
from whet.documents.session_import import Repairs


@dataclass(frozen=True, slots=True)
class Head:
    """How a file begins."""

    path: Path
    start: bytes
    """Its first bytes, at most 64 KiB, in whatever encoding."""

    rows: tuple[Mapping[str, JsonValue], ...]
    """The first objects in it, line by line, or the one of a whole document. The last one may be
    incomplete."""

    @property
    def first(self) -> Mapping[str, JsonValue]:
        """The first object; empty if there is none."""
        return self.rows[0] if self.rows else {}


class Reader(Protocol):
    """Reads the session logs of one format. Made without arguments, sync, without state.

    It gives out what a log tells while it reads, and holds no more than a line or an element of
    it. What is missing, odd or broken is noted and gone on with, never made up in silence.
    """

    @property
    def name(self) -> str:
        """The format."""
        ...

    def recognises(self, head: Head, /) -> bool:
        """Whether a file that begins so is of this format; names are hints only."""
        ...

    def belongs(self, head: Head, /) -> bool:
        """Whether it is read along with another file, as a subagent's is."""
        ...

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """What the log tells, with files beside it that belong to it. Raises ``WhetError`` if
        the file cannot be opened."""
        ...

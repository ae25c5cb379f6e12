"""The port of what an index of sessions follows beside the files."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from whet.ports.recorded import Recorded


class RecordFeed(Protocol):
    """The records of trials, as the index follows them."""

    def at_cursor(self, cursor: int) -> tuple[str, int] | None: ...
    def recorded(self, after: int, limit: int) -> Sequence[Recorded]: ...
    def session(self, digest: str) -> JsonValue:
        """The session log of a record; raises ``WhetError``."""
        ...

"""The event port."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from whet.core.event import Event


class Events(Protocol):
    """An append-only log. Cursors grow in commit order: whoever has seen cursor *c* has seen,
    or will never see, every event with a smaller one."""

    def append(self, kind: str, subject: str, data: dict[str, JsonValue]) -> None:
        """Add an event to the current transaction."""
        ...

    def since(self, cursor: int, subject: str | None = None, limit: int = 500) -> Sequence[Event]:
        """Events after *cursor*, oldest first, of one subject or of all."""
        ...

    def last(self) -> int:
        """The newest cursor, 0 when there is none."""
        ...

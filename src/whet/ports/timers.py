"""The timer port."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from pydantic import JsonValue


class Timer(NamedTuple):
    """Something to do once, not before ``due``."""

    kind: str
    key: str
    due: datetime
    data: dict[str, JsonValue]


class Timers(Protocol):
    """Rows that survive a restart (expiry, automatic replies). One per kind and key."""

    def set(self, timer: Timer) -> None:
        """Add the timer, or move it when it exists."""
        ...

    def due(
        self, now: datetime, kinds: Collection[str] | None = None, limit: int = 100
    ) -> Sequence[Timer]:
        """Timers whose moment has come, oldest first, of all kinds or of these."""
        ...

    def take(self, kind: str, key: str, due: datetime) -> bool:
        """Remove the timer; True for exactly one caller, False if it was moved or taken."""
        ...

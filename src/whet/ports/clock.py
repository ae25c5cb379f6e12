"""The clock port."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; a test may hand in its own."""

    def now(self) -> datetime:
        """The present moment, time zone aware."""
        ...

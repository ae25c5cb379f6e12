"""The real clock."""

from datetime import UTC, datetime


class SystemClock:
    """``ports.clock.Clock`` of this machine."""

    def now(self) -> datetime:
        """See the port."""
        return datetime.now(UTC)

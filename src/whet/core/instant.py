"""Points in time as the documents write them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def iso(moment: datetime) -> str:
    """UTC with milliseconds, ``2024-01-01T12:00:00.000Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iso_seconds(moment: datetime) -> str:
    """UTC to the second, ``2024-01-01T12:00:00Z``, as asset and project files have it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def milliseconds(start: datetime, end: datetime) -> int:
    """How long it took, by the times as ``iso`` writes them."""
    return (end - _EPOCH) // _MILLISECOND - (start - _EPOCH) // _MILLISECOND

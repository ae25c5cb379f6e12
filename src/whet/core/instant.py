"""Points in time as the documents write them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_SECOND = 1000


def iso(moment: datetime) -> str:
    """UTC with milliseconds, ``2024-01-01T12:00:00.000Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iso_seconds(moment: datetime) -> str:
    """UTC to the second, ``2024-01-01T12:00:00Z``, as asset and project files have it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def seconds_since(began: str, moment: datetime) -> float:
    """How many seconds ago something began; 0 where the clock was set back meanwhile."""
    return round(max(0.0, (moment - datetime.fromisoformat(began)).total_seconds()), 3)


def call_length(start: float, end: float, stated: float) -> float:
    """How many milliseconds a call took that began and ended then and says it took *stated*.

    Times to the whole second, and two that are equal, are too coarse to tell: there the stated
    duration counts, except one of 0 beside times that are more than a second apart. Finer times
    are measured and count themselves.
    """
    span = end - start
    if span <= 0:
        return stated
    if start % _SECOND or end % _SECOND:
        return span
    return span if not stated and span > _SECOND else stated


def milliseconds(start: datetime, end: datetime) -> int:
    """How long it took, by the times as ``iso`` writes them."""
    return (end - _EPOCH) // _MILLISECOND - (start - _EPOCH) // _MILLISECOND

"""Times as logs have them."""

from datetime import UTC, datetime

from pydantic import JsonValue

_MILLISECONDS = 1e11
"""As seconds this is the year 5138; a larger number counts milliseconds."""

_FIRST_YEAR, _LAST_YEAR = 1900, 9000


def moment(value: JsonValue) -> datetime | None:
    """The time that a value means: ISO 8601, or seconds or milliseconds since 1970. Without a
    zone it is UTC. None if it means no time."""
    try:
        at = _read(value)
    except (ValueError, OverflowError, OSError):
        return None
    return at if at is not None and _FIRST_YEAR <= at.year <= _LAST_YEAR else None


def _read(value: JsonValue) -> datetime | None:
    if isinstance(value, str):
        at = datetime.fromisoformat(value.strip())
        return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if abs(value) >= _MILLISECONDS else value
        return datetime.fromtimestamp(seconds, UTC)
    return None


def is_exact(value: JsonValue) -> bool:
    """Whether a value is a time as it should be written: a text, with its zone."""
    return (
        isinstance(value, str)
        and moment(value) is not None
        and datetime.fromisoformat(value.strip()).tzinfo is not None
    )


def file_time(seconds: float) -> datetime:
    """When a file was last changed."""
    return datetime.fromtimestamp(seconds, UTC)

"""Points in time as people write them."""

from datetime import UTC, date, datetime, time
from typing import Annotated

from pydantic import Field

from whet.core.errors import UsageError

Moment = Annotated[
    str, Field(json_schema_extra={"anyOf": [{"format": "date"}, {"format": "date-time"}]})
]
"""A date, or a point in time; ``moment`` reads it."""

EXAMPLE = "2026-01-31 or 2026-01-31T12:00:00Z"


def moment(what: str, text: str | None, of_day: time) -> datetime | None:
    """A point in time; a mere date is *of_day*, and UTC holds where no zone is said. Raises
    ``UsageError`` that names *what*."""
    if text is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(text), of_day, UTC)
    except ValueError:
        pass
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{what}: {text[:60]!r} is no date; write {EXAMPLE}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

"""Questions for capability runs, checked and with their times in one form."""

from dataclasses import replace
from datetime import UTC, datetime

from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import UsageError
from whet.core.instant import iso
from whet.ports.evaluations import RunQuery

NARROWING = ("run_id", "user_id", "model_name", "status", "case_set", "language")
"""Fields of a run that have to be equal to those of the query."""


def checked(query: RunQuery) -> RunQuery:
    """The same query; raises ``UsageError`` if there can be no answer."""
    if query.offset < 0 or not 1 <= query.limit <= LARGEST_PAGE:
        raise UsageError(f"a part begins with 0 or later and has 1 to {LARGEST_PAGE} runs")
    return replace(query, since=_moment(query.since), until=_moment(query.until))


def page_number(query: RunQuery) -> int:
    """The page that the part begins on."""
    return query.offset // query.limit + 1


def _moment(text: str | None) -> str | None:
    """As runs have it: texts are compared, and 10:00:00Z would come after 10:00:00.500Z."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return iso(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise UsageError(f"{text!r} is no time; write it as 2024-01-31T12:00:00Z") from None

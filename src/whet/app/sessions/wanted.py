"""Which sessions somebody wants, as every door takes it."""

from datetime import time

from pydantic import Field

from whet.app.moment import Moment, moment
from whet.core.value import Value
from whet.ports.listing import LARGEST_PAGE, LAST_PAGE
from whet.ports.session_entry import SessionKind, SessionStatus
from whet.ports.session_query import LISTED, SessionQuery


class Wanted(Value):
    """Which sessions, and which page of them; what is not given does not narrow."""

    kind: list[SessionKind] = Field(
        default=[], description="Only these; all but what judges ask unless it is given."
    )
    status: SessionStatus | None = Field(default=None, description="Only those that ended so.")
    engine: str | None = Field(default=None, description="Only of this one.")
    model: str | None = Field(default=None, description="Only of this one.")
    skill: str | None = Field(default=None, description="Only those in which the agent took it up.")
    since: Moment | None = Field(
        default=None, description="Begun then or later: a date, or a time; UTC."
    )
    until: Moment | None = Field(
        default=None, description="Begun then or earlier; a date is that whole day."
    )
    page: int = Field(default=1, ge=1, le=LAST_PAGE, description="Pages are counted from 1.")
    page_size: int = Field(default=20, ge=1, le=LARGEST_PAGE, description="Sessions on a page.")

    def query(self, text: str = "") -> SessionQuery:
        """The question to the index; raises ``UsageError`` for what is no time."""
        since = moment("since", self.since, time.min)
        until = moment("until", self.until, time.max)
        return SessionQuery(
            text=text,
            kinds=tuple(self.kind) or LISTED,
            status=self.status,
            engine=self.engine,
            model=self.model,
            skill=self.skill,
            since=since.timestamp() if since else None,
            until=until.timestamp() if until else None,
            page=self.page,
            page_size=self.page_size,
        )

"""What is asked of sessions, over HTTP and on the command line."""

from datetime import time
from typing import Literal

from pydantic import BaseModel, Field, StrictBool

from whet.app.moment import Moment, moment
from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.value import RequestModel
from whet.documents.base import Document, Items
from whet.documents.session import Confidence, ContextReference, Decision, PhaseType, ToolCallRange
from whet.ports.session_entry import SessionKind, SessionStatus
from whet.ports.session_query import LISTED, SessionQuery

MOST_AT_ONCE = 10_000
"""Phases in one request."""


class SessionFilter(RequestModel):
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

    @property
    def is_narrow(self) -> bool:
        """Whether there may be sessions that do not fit, or that are on other pages."""
        return bool(self.model_dump(exclude={"page", "page_size"}, exclude_defaults=True)) or (
            self.page > 1
        )

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


class SessionSearch(SessionFilter):
    """What is looked for."""

    q: str = Field(
        min_length=1,
        max_length=2_000,
        description="Words, and tool:Bash status:failed file:app.py engine:claude skill:NAME "
        "session:failed.",
    )


class SessionExport(BaseModel, frozen=True):
    """As what a session is taken away."""

    format: Literal["html", "md", "json", "otlp"] = Field(
        default="html", description="What is written."
    )
    language: Literal["en", "zh"] | None = None
    full: bool = Field(default=False, description="Long texts are not cut.")
    redact: bool = Field(
        default=True,
        description="Take secrets and paths out that tell whose machine it was.",
    )


class PhaseByHand(Document):
    """A phase annotation of the session log format. What need not be said is filled in: an id, the
    time, who says it, and that one is sure."""

    phase_type: PhaseType
    tool_call_range: ToolCallRange
    confidence: Confidence | None = None
    description: str | None = None
    decisions: Items[Decision] | None = None
    context_used: Items[ContextReference] | None = None
    is_point: StrictBool | None = None


class PhasesByHand(Document):
    """Phases that a person sees."""

    phase_annotations: Items[PhaseByHand] = Field(max_length=MOST_AT_ONCE)
    name: str | None = Field(default=None, max_length=200, description="Who says it.")
    replace: StrictBool = Field(default=False, description="In place of all that they said before.")


class EngineAsked(RequestModel):
    """Who is asked for phases; as configured where nobody is named."""

    engine: str | None = Field(
        default=None,
        max_length=200,
        description="The engine that is asked. Default: as configured.",
    )
    model: str | None = Field(default=None, max_length=200, description="Its model.")
    confirmed: StrictBool = Field(
        default=False, description="Agrees that somebody is charged for it."
    )

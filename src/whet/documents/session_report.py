"""What is reported of a session: the session itself, laid out in time."""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.session import Confidence, PhaseType, Session


class SessionBand(Document):
    """A stretch of calls that somebody saw a phase in."""

    phase_type: PhaseType
    first: int
    """The first call of it by its place, which is counted from 0."""

    last: int
    annotation_id: str | None = None
    annotated_by: Literal["agent", "human", "auto"] | None = None
    confidence: Confidence | None = None
    description: str | None = None


class SessionLayout(Document):
    """When each call was made, in the order of the session's calls."""

    duration_ms: Number
    starts_ms: Items[Number]
    """Since the session began."""

    ends_ms: Items[Number]
    lanes: Items[int]
    """From 0; calls that ran at the same time have different ones."""

    bands: Items[SessionBand]
    """In the order in which they begin; they may overlap, and need not cover all calls."""


class SessionReport(Document):
    """A session to be exported: everything in it may come from agents, tools or logs."""

    session: Session
    layout: SessionLayout
    redactions: dict[str, int] | None = None
    """How many private things were replaced, by kind; null where nothing was looked for."""

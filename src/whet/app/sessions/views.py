"""The answers of the door of sessions, over HTTP and with ``--json``."""

from typing import Self

from whet.core.value import Value
from whet.documents.base import Document, Items, Number
from whet.documents.session import Agent, PhaseAnnotation, SessionSummary, SpendingPoint
from whet.documents.session_timeline import VerdictLink
from whet.ports.listing import Page
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit


class SessionPage(Value):
    """A page of sessions, the newest first."""

    sessions: tuple[SessionEntry, ...]
    total: int
    page: int
    page_size: int

    @classmethod
    def of(cls, page: Page[SessionEntry]) -> Self:
        """The page as it is answered."""
        return cls(sessions=page.items, total=page.total, page=page.page, page_size=page.page_size)


class SessionHits(Value):
    """A page of what was found, the newest first."""

    hits: tuple[SessionHit, ...]
    total: int
    page: int
    page_size: int

    @classmethod
    def of(cls, page: Page[SessionHit]) -> Self:
        """The page as it is answered."""
        return cls(hits=page.items, total=page.total, page=page.page, page_size=page.page_size)


class SessionHead(Document):
    """All of a session but its calls, what was said on the way, and the phases."""

    name: str
    session_id: str
    task_title: str
    task_description: str | None
    user_prompt: str
    created_at: str
    completed_at: str
    status: str
    agent: Agent
    summary: SessionSummary
    engine: str | None
    engine_version: str | None
    sandbox: str | None
    simulated: bool | None
    final_answer: str | None
    error: str | None
    skills_used: Items[str]
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    cost_usd: Number | None
    estimated_tokens: int | None
    spending: Items[SpendingPoint]
    timing_quality: str | None
    calls: int
    messages: int
    """How many there are."""

    cut: bool
    """Whether the prompt or the answer is longer than it is here."""

    annotators: Items[str]


class SessionMessage(Document):
    """Something that was said."""

    index: int
    who: str
    """``user`` or ``agent``."""

    at: str | None
    text: str


class SessionMessages(Document):
    """A part of what was said, in order."""

    total: int
    offset: int
    messages: Items[SessionMessage]


class Annotations(Document):
    """What was said of a session, by whom."""

    name: str
    annotators: Items[str]
    phase_annotations: Items[PhaseAnnotation]


class SessionVerdict(Document):
    """What a check or a judge decided of the trial."""

    verdict: str
    """``check:{id}``, ``expectation:{number}`` or ``dimension:{name}``."""

    text: str
    passed: bool | None
    score: Number | None
    evidence: str


class Verdicts(Document):
    """All verdicts on a session, and the calls that they speak of."""

    name: str
    verdicts: Items[SessionVerdict]
    links: Items[VerdictLink]


class RemovedSession(Value):
    """What was taken away."""

    name: str
    original: bool
    """Whether the log that it was read from is gone too."""


class AnnotatedSession(Document):
    """What an annotator has said, after a change."""

    name: str
    annotator: str
    """``auto:signals``, ``human:anna``, ``agent:claude``."""

    phase_annotations: Items[PhaseAnnotation]
    """All that it says now."""

    annotators: Items[str]
    """All who have said something."""


class RemovedAnnotations(Value):
    """Who is left after something was taken away."""

    name: str
    removed: str
    annotators: tuple[str, ...]


class SpansSent(Value):
    """What came of it."""

    spans: int
    rejected: int
    message: str
    redactions: dict[str, int] | None
    """How many private things were replaced, by kind; null where nothing was looked for."""

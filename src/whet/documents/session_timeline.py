"""A session as a picture: one small answer for all of it, and pages of calls; made by queries,
never stored.

Times are milliseconds after the session began, and calls are named by their places in the log,
from 0 on. What would be too much is gathered by time: however long a session is, its timeline is
small.
"""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.session import Confidence, PhaseType, ToolCall, ToolCategory
from whet.documents.session_figures import FlowFigure

MarkKind = Literal["error", "question", "prompt", "skill", "verdict"]


class TimelineBuckets(Document):
    """Equal parts of the session; each list has one entry a part."""

    width_ms: int
    calls: Items[int]
    """Calls that start in it."""

    failed: Items[int]
    first: Items[int]
    """The first call that starts in it, or the next one to do so."""

    at_once: Items[int]
    """Calls that were running at the same time, at most."""

    busy_ms: dict[str, Items[int]]
    """How long calls of each category were running in it, added up."""


class TimelineSpans(Document):
    """What ran when, in lanes; each list has one entry a span."""

    exact: bool
    """Whether each span is one call; else neighbours in a lane are drawn as one."""

    lane: Items[int]
    agent: Items[int]
    """The call of the subagent; -1 for the main agent, -2 for several."""

    first: Items[int]
    calls: Items[int]
    failed: Items[int]
    start_ms: Items[int]
    end_ms: Items[int]
    category: Items[ToolCategory]
    """That most of them have."""


class TimelineAgent(Document):
    """A subagent and the lanes it is drawn in."""

    call: int
    label: str
    first_lane: int
    lanes: int
    calls: int
    start_ms: int
    end_ms: int


class TimelineBand(Document):
    """A phase that an annotator sees."""

    annotator: str
    phase: PhaseType
    first: int
    last: int
    start_ms: int
    end_ms: int
    confidence: Confidence | None
    """Null where several phases are drawn as one."""

    annotation: int | None
    """Its place among the session's annotations."""


class TimelineMark(Document):
    """Something to notice at a moment."""

    kind: MarkKind
    call: int | None
    at_ms: int
    text: str
    count: int
    """How many of a kind are drawn as this one."""


class SessionTimeline(Document):
    """All of a session at a glance."""

    session_id: str
    task_title: str
    status: Literal["success", "failed", "in_progress"]
    created_at: str
    wall_ms: int
    calls: int
    failed: int
    lanes: int
    crowded: bool
    """Whether there are more lanes than are drawn; the last one holds the rest."""

    buckets: TimelineBuckets
    spans: TimelineSpans
    agents: Items[TimelineAgent]
    bands: Items[TimelineBand]
    marks: Items[TimelineMark]
    colours: dict[str, dict[str, str]]
    left_out: dict[str, int]
    """How many more there are, by the name of the list."""


class CallRow(Document):
    """A call in a page."""

    index: int
    call_id: str
    tool: str
    category: ToolCategory
    kind: str
    start_ms: int
    duration_ms: int
    failed: bool
    lane: int
    agent: int | None
    """The call of the subagent that made it."""

    subject: str
    display: str
    phases: dict[str, PhaseType]
    """By annotator."""

    marks: Items[MarkKind]


class CallPage(Document):
    """Some calls of a session, in the order of its log."""

    total: int
    offset: int
    calls: Items[CallRow]


class VerdictLink(Document):
    """A call that a verdict speaks of, and how one can tell."""

    verdict: str
    """``check:{id}``, ``expectation:{number}`` or ``dimension:{name}``."""

    text: str
    passed: bool | None
    """Null for a score."""

    score: Number | None
    index: int
    call_id: str
    reason: Literal["file", "tool", "arguments", "quote", "failure", "skill"]
    because: str
    """The file, tool or words that both have."""


class CallDetail(Document):
    """One call and all that is known of its neighbours."""

    index: int
    start_ms: int
    duration_ms: int
    agent: int | None
    inner: Items[int]
    """Calls that it made itself, if it is a subagent's."""

    call: ToolCall
    said: Items[str]
    """What the agent said between the call before and this one, where the log has the times."""

    annotations: Items[str]
    """The ids of those that cover it."""

    flow: Items[FlowFigure]
    attempts: Items[str]
    """The calls of which this is one attempt."""

    verdicts: Items[VerdictLink]

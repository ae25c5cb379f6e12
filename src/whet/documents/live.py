"""Executions under way: the file in which an agent's steps can be followed, and what is told of it.

The first line says who tries what, each further one is a step as on a tape, and the last says how
it ended. Long outputs are cut as the session cuts them.
"""

from typing import Literal

from pydantic import JsonValue
from pydantic_core import to_json

from whet.documents.base import Document
from whet.documents.session import ToolCall

FORMAT = "whet-live"
VERSION = 1


class LivePlace(Document):
    """What an execution is for, as its experiment sees it."""

    subject: str
    """The experiment, run or job."""

    arm: str
    set: str
    case: str
    attempt: int


class LiveHead(Document):
    """Who tries what, since when."""

    execution: str
    address: str
    generation: int
    owner: str
    """The process behind it."""

    engine: str
    engine_version: str
    model: str
    simulated: bool
    scope: str
    skill: str | None
    prompt: str
    """What the agent was told; a long one is cut."""

    started_at: str
    place: LivePlace | None
    job: str | None = None
    """The request id of the job that it is a turn of."""


class LiveEnd(Document):
    """How an execution ended."""

    outcome: Literal["answered", "failed", "cancelled", "abandoned"]
    """Abandoned: the process behind it is gone."""

    at: str | None
    failure: str | None
    error: str | None
    session: str | None
    """The digest of the session, if there is one."""


class LiveCall(Document):
    """A call that has not come back yet."""

    call_id: str
    tool_name: str
    tool_category: str
    started_at: str
    input: dict[str, JsonValue]
    parent_call_id: str | None = None


class LiveUsage(Document):
    """What was used up so far."""

    input_tokens: int
    output_tokens: int
    cost_usd: float | None


LiveKind = Literal[
    "started", "message", "call_opened", "call_closed", "skill", "usage", "cut", "ended", "finished"
]
"""``ended`` is the end of an execution, ``finished`` that of a job."""


class LiveEvent(Document):
    """One thing that happened. ``number`` counts the events of an execution from 1 on; the same
    steps always give the same events."""

    kind: LiveKind
    execution: str
    number: int
    at: str | None = None
    head: LiveHead | None = None
    text: str | None = None
    opened: LiveCall | None = None
    call: ToolCall | None = None
    """As it stands in the session."""

    usage: LiveUsage | None = None
    end: LiveEnd | None = None
    unanswered: int | None = None
    """Of an end: the calls that had not come back."""

    session_id: str | None = None
    """Of an end: where the whole session is, if there is one."""


def first_line(head: LiveHead) -> bytes:
    """The first line of the file."""
    about = to_json(head.to_data())
    return b'{"format":"%s","version":%d,"head":%s}\n' % (FORMAT.encode(), VERSION, about)


def last_line(end: LiveEnd) -> bytes:
    """The last one."""
    return b'{"type":"closed","end":%s}\n' % to_json(end.to_data())


CUT = b'{"type":"cut"}\n'
"""There is more than is told here; the session has it."""

"""Two sessions beside each other; made by queries, never stored. A difference is always left minus
right."""

from typing import Literal

from whet.documents.base import Document, Items, Number

Status = Literal["success", "failed", "in_progress"]


class SessionSide(Document):
    """One of the two."""

    session_id: str
    task_title: str
    model_id: str
    engine: str | None
    calls: int


class ComparedCall(Document):
    """A call, in short."""

    index: int
    call_id: str
    tool: str
    subject: str
    failed: bool


class Divergence(Document):
    """The first thing that the two did not do alike.

    ``call``: another call. ``status``: the same call, which failed on one side. ``ended``: one
    side has no more calls.
    """

    kind: Literal["call", "status", "ended"]
    shared: int
    """How many calls they had in common before."""

    left: ComparedCall | None
    right: ComparedCall | None


class AlignedRun(Document):
    """Calls one after the other that compare in the same way.

    ``same``: the same tool and subject on both sides. ``changed``: the same tool, about something
    else. ``left`` and ``right``: one side only. The starts are places in ``left_order`` and
    ``right_order``.
    """

    kind: Literal["same", "changed", "left", "right"]
    left_start: int
    right_start: int
    count: int


class CountDifference(Document):
    """How often something is on each side."""

    name: str
    left: int
    right: int


class FileDifference(Document):
    """What became of a file on each side; null where it was not touched."""

    path: str
    left: Literal["read", "modified", "read_then_modified"] | None
    right: Literal["read", "modified", "read_then_modified"] | None
    left_calls: int
    right_calls: int


class AmountDifference(Document):
    """An amount; null where it is not known."""

    name: str
    left: Number | None
    right: Number | None
    delta: Number | None


class OutcomeDifference(Document):
    """What each came to."""

    left: Status
    right: Status
    left_error: str | None
    right_error: str | None
    same_answer: bool | None
    """Null where a side has no answer."""


class SessionComparison(Document):
    """All that two sessions have in common and not."""

    left: SessionSide
    right: SessionSide
    same: int
    changed: int
    only_left: int
    only_right: int
    other_status: int
    """Calls that are the same and failed on one side only."""

    similarity: Number
    """Twice the calls that are the same, of the calls of both."""

    divergence: Divergence | None
    """Null where all calls are the same and ended alike."""

    runs: Items[AlignedRun]
    left_order: Items[int] | None = None
    """The places of the calls as they were aligned, where that is another order than the log's:
    those of a subagent stand together."""
    right_order: Items[int] | None = None

    tools: Items[CountDifference]
    kinds: Items[CountDifference]
    errors: Items[CountDifference]
    files: Items[FileDifference]
    """Those that were not used alike; the most calls first."""
    amounts: Items[AmountDifference]
    outcome: OutcomeDifference
    left_out: dict[str, int]
    """How many more entries there are, by the name of the list."""

"""The calls of a session, read once: when each ran, for whom, and what it was about.

An *act* is a call with its place. Times are whole milliseconds after the session began. Sessions
may have been written by hand or by anybody, so nothing here trusts them:

- a call ends at ``ended_at``; where that cannot be read, is not after ``started_at``, or both are
  to the whole second, it takes its ``duration_ms``. No duration is negative;
- a call whose ``started_at`` cannot be read starts with the call before it;
- the session begins at ``created_at`` or with its first call, whichever is earlier, and ends at
  ``completed_at`` or with its last call, whichever is later;
- of several calls with one id, ranges and parents mean the first;
- a ``parent_call_id`` that leads nowhere, or round in a circle, is none.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import overload

from whet.core.instant import call_length
from whet.core.tools import canonical
from whet.documents.session import Session, ToolCall
from whet.replay.subjects import Kind, Subject, subject_of
from whet.replay.tasks import TaskLists, tasks_in

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_LONGEST = 10**12
"""Milliseconds that a call may claim to have taken: about 30 years."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call."""

    index: int
    call: ToolCall
    tool: str
    """The name that all engines share."""

    start: int
    end: int
    parent: int | None
    """The place of the subagent's call that this one belongs to."""

    about: Subject
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    failed: bool

    @property
    def call_id(self) -> str:
        """Its name."""
        return self.call.call_id

    @property
    def kind(self) -> Kind:
        """What it does, coarsely."""
        return self.about.kind

    @property
    def subject(self) -> str:
        """What it is about, on one line."""
        return self.about.text

    @property
    def length(self) -> int:
        """How long it took."""
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Acts(Sequence[Act]):
    """All calls of a session, in the order of its log."""

    session: Session
    every: tuple[Act, ...]
    began: int
    """Milliseconds since 1970; 0 where the session has no time at all."""

    wall: int
    """From beginning to end."""

    @overload
    def __getitem__(self, index: int) -> Act: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Act, ...]: ...
    def __getitem__(self, index: int | slice) -> Act | tuple[Act, ...]:
        """The call at a place."""
        return self.every[index]

    def __iter__(self) -> Iterator[Act]:
        """Go through them in order."""
        return iter(self.every)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.every)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where the call of that id is."""
        return {act.call_id: act.index for act in reversed(self.every)}

    @cached_property
    def inner(self) -> Mapping[int, tuple[int, ...]]:
        """The calls that a subagent made itself, by the place of its own call."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for act in self.every:
            if act.parent is not None:
                found[act.parent].append(act.index)
        return {place: tuple(below) for place, below in found.items()}

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """For each call, the call of the main agent that it is part of; mostly itself."""
        found = {act.index: act.index for act in self.every if act.parent is None}
        for act in self.every:
            if act.parent is None:
                continue
            way: list[int] = []
            at = act.index
            while at not in found and (parent := self.every[at].parent) is not None:
                way.append(at)
                at = parent
            top = found.get(at, at)
            found |= dict.fromkeys([*way, at], top)
        return tuple(found[act.index] for act in self.every)

    @cached_property
    def planned(self) -> Mapping[int, int]:
        """How many new tasks a call puts on a list, by the places of calls that wrote one."""
        lists = TaskLists()
        return {
            act.index: lists.added(tasks_in(act.call.input.params))
            for act in self.every
            if act.kind == "tasks" and not act.failed
        }

    def below(self, place: int) -> Iterator[Act]:
        """All calls of a subagent, those of its own subagents too."""
        waiting = list(reversed(self.inner.get(place, ())))
        while waiting:
            at = waiting.pop()
            yield self.every[at]
            waiting += reversed(self.inner.get(at, ()))

    def since(self, moment: str) -> int | None:
        """A time as milliseconds after the session began; None if it is none."""
        found = milliseconds(moment)
        return None if found is None else found - self.began


def acts_of(session: Session) -> Acts:
    """Read the calls of a session."""
    calls = session.tool_calls
    spans = _spans(session)
    created, completed = milliseconds(session.created_at), milliseconds(session.completed_at)
    starts = [start for start, _ in spans] + ([] if created is None else [created])
    ends = [end for _, end in spans] + ([] if completed is None else [completed])
    began = min(starts, default=0)
    parents = _parents(calls)
    tools = [canonical(call.tool_name) for call in calls]
    about = [
        subject_of(tool, call.tool_category, call.input.params)
        for tool, call in zip(tools, calls, strict=True)
    ]
    names = _united(about)
    every = tuple(
        Act(
            index,
            call,
            tools[index],
            start - began,
            end - began,
            parents[index],
            about[index],
            tuple(names.get(path, path) for path in about[index].reads),
            tuple(names.get(path, path) for path in about[index].writes),
            call.output.status == "failed",
        )
        for index, (call, (start, end)) in enumerate(zip(calls, spans, strict=True))
    )
    return Acts(session, every, began, max([*ends, began]) - began)


def milliseconds(moment: str) -> int | None:
    """A time as milliseconds since 1970, UTC where it names no zone; None if it is none."""
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return (at - _EPOCH) // _MILLISECOND


def output_of(call: ToolCall) -> str:
    """What a call gave back, as far as the log has it: all of it, else the short form."""
    if call.output.error:
        return call.output.error
    result = call.output.result
    if result is None:
        return ""
    more = result.__pydantic_extra__
    match more.get("content", more.get("files", more.get("output"))):
        case str(text):
            return text
        case [*lines]:
            return "\n".join(line for line in lines if isinstance(line, str))
        case _:
            return result.display or ""


def same_file(path: str, other: str) -> bool:
    """Whether two paths can mean one file: they are the same, or one is the end of the other,
    which begins at the root."""
    if path == other:
        return True
    long, short = (path, other) if len(path) > len(other) else (other, path)
    return long.startswith(("/", "~")) and short[:1] != "/" and long.endswith(f"/{short}")


def _spans(session: Session) -> list[tuple[int, int]]:
    created = milliseconds(session.created_at)
    last = created
    spans: list[tuple[int | None, int]] = []
    for call in session.tool_calls:
        start, end = milliseconds(call.started_at), milliseconds(call.ended_at)
        last = start = last if start is None else start
        claimed = int(min(max(call.duration_ms, 0), _LONGEST))
        took = claimed if start is None or end is None else int(call_length(start, end, claimed))
        spans.append((start, took))
    # Before the first time that can be read there is none to go by.
    first = next((start for start, _ in spans if start is not None), created or 0)
    known = [(first if start is None else start, took) for start, took in spans]
    return [(start, start + took) for start, took in known]


def _parents(calls: Sequence[ToolCall]) -> list[int | None]:
    if all(call.parent_call_id is None for call in calls):
        return [None] * len(calls)
    places = {call.call_id: index for index, call in reversed(list(enumerate(calls)))}
    found = [
        None if call.parent_call_id is None else places.get(call.parent_call_id) for call in calls
    ]
    settled = [parent is None for parent in found]
    for index in range(len(calls)):
        if settled[index]:
            continue
        way: dict[int, None] = {}
        at: int | None = index
        while at is not None and not settled[at] and at not in way:
            way[at] = None
            at = found[at]
        if at is not None and at in way:
            found[at] = None
        for place in way:
            settled[place] = True
    return found


def _united(about: Sequence[Subject]) -> Mapping[str, str]:
    """One name for each file: a relative path that is the end of exactly one absolute path of the
    session means that one. Commands have the former, tools for files the latter."""
    paths = {path for one in about for path in (*one.reads, *one.writes)}
    ends: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path.startswith(("/", "~")):
            ends[path.rpartition("/")[2]].append(path)
    names: dict[str, str] = {}
    for path in paths:
        if not path.startswith(("/", "~")):
            long = [one for one in ends[path.rpartition("/")[2]] if one.endswith(f"/{path}")]
            if len(long) == 1:
                names[path] = long[0]
    return names

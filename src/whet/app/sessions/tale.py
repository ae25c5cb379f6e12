"""An execution told as events: the same steps always give the same events, in the same order.

So a listener who comes back says which event was the last it heard, and whoever tells begins anew
and leaves out what was heard.
"""

from collections.abc import Iterator
from typing import cast

from pydantic import JsonValue

from whet.core.instant import iso
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.usage import Usage
from whet.documents.live import LiveCall, LiveEnd, LiveEvent, LiveHead, LiveKind, LiveUsage
from whet.documents.session import ToolCall
from whet.documents.session_fold import Call, CallFold, with_subagents


class Tale:
    """Folds the steps of one execution and says what each of them changes. *turn* is its number
    within a job: calls of later turns have names of their own in the session."""

    def __init__(self, execution: str, turn: int = 1) -> None:
        self.execution = execution
        self.number = 0
        """Of the last event."""

        self.is_begun = False
        self.is_over = False
        self._fold = CallFold()
        self._prefix = "" if turn == 1 else f"{turn}-"
        self._told: dict[int, Call] = {}
        self._places: dict[int, int] = {}
        self._parents: dict[str, list[Call]] = {}

    def begin(self, head: LiveHead) -> Iterator[LiveEvent]:
        """Who tries what."""
        self.is_begun = True
        yield self._event("started", at=head.started_at, head=head)

    def take(self, step: Step) -> Iterator[LiveEvent]:
        """The next step."""
        returned = self._fold.open.get(step.call_id) if isinstance(step, Returned) else None
        self._fold.add(step)
        match step:
            case Said():
                yield self._event("message", at=iso(step.at), text=step.text)
            case Called():
                yield self._opened()
            case Returned():
                if returned is not None:
                    yield self._closed(returned[1])
            case Triggered():
                yield self._event("skill", at=iso(step.at), text=step.skill)
            case Spent() | Ended():
                if step.usage.total_tokens:
                    yield self._event("usage", at=iso(step.at), usage=_used(step.usage))

    def cut(self) -> Iterator[LiveEvent]:
        """There is more than can be followed."""
        yield self._event("cut")

    def finish(self, end: LiveEnd, session_id: str | None) -> Iterator[LiveEvent]:
        """It is over. What came back no more is told as the session has it, and so is what has
        become known of a call since it was told."""
        fold = self._fold
        unanswered = fold.unanswered
        if end.outcome == "answered" and fold.ended is not None:
            for place, call in enumerate(fold.settled(iso(fold.ended.at))):
                if self._told.get(place) != call:
                    yield self._event("call_closed", call=self._call(call))
        self.is_over = True
        yield self._event("ended", at=end.at, end=end, unanswered=unanswered, session_id=session_id)

    def finished(self, state: str, session_id: str | None) -> LiveEvent:
        """The job is over, of which this was the last execution."""
        return self._event("finished", text=state, session_id=session_id)

    def _opened(self) -> LiveEvent:
        call = self._fold.calls[-1]
        self._places[id(call)] = len(self._fold.calls) - 1
        if (parent := call.get("parent_call_id")) is not None:
            self._parents.setdefault(str(parent), []).append(call)
        named = self._named(call)
        shown = ("call_id", "tool_name", "tool_category", "started_at", "input", "parent_call_id")
        data: JsonValue = {name: named[name] for name in shown if name in named}
        opened = LiveCall.parse(data, "live")
        return self._event("call_opened", at=opened.started_at, opened=opened)

    def _closed(self, call: Call) -> LiveEvent:
        inner = self._parents.get(str(call["call_id"]), [])
        whole = with_subagents([call, *inner])[0] if inner else {**call}
        self._told[self._places[id(call)]] = whole
        return self._event("call_closed", at=str(call["ended_at"]), call=self._call(whole))

    def _named(self, call: Call) -> Call:
        if not self._prefix:
            return call
        new: Call = {**call, "call_id": f"{self._prefix}{call['call_id']}"}
        if "parent_call_id" in call:
            new["parent_call_id"] = f"{self._prefix}{call['parent_call_id']}"
        return new

    def _call(self, call: Call) -> ToolCall:
        return ToolCall.parse(cast(JsonValue, self._named(call)), "live")

    def _event(self, kind: LiveKind, **about: object) -> LiveEvent:
        self.number += 1
        given = {name: value for name, value in about.items() if value is not None}
        return LiveEvent(kind=kind, execution=self.execution, number=self.number, **given)  # pyright: ignore[reportArgumentType]


def _used(usage: Usage) -> LiveUsage:
    return LiveUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
    )

"""The one fold from steps to the calls of a session log, whoever tells of the steps."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic import JsonValue

from whet.core.acts import category
from whet.core.foreign import obj
from whet.core.instant import iso, milliseconds
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.tokens import estimate
from whet.core.usage import Usage
from whet.documents.session_display import (
    CONTRIBUTIONS,
    LONGEST,
    display,
    head,
    is_cut,
    raw_command,
)

MOST_OUTPUT = 16_000
"""Characters of a tool's output that are kept; longer ones are marked as truncated."""

MOST_SPENDING = 200
"""Points at which it is said what was used up."""

LONGEST_TITLE = 80
WRITERS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
"""Tools whose every success writes the file that they name."""

NEVER_RETURNED = "the call did not return"

Call = dict[str, JsonValue]


@dataclass
class CallFold:
    """Collects steps as they happen. Calls are in the order in which they began to be told."""

    said: list[str] = field(default_factory=list[str])
    said_at: list[str] = field(default_factory=list[str])
    calls: list[Call] = field(default_factory=list[Call])
    open: dict[str, tuple[Called, Call]] = field(default_factory=dict[str, tuple[Called, Call]])
    skills: list[str] = field(default_factory=list[str])
    errors: int = 0
    usage: Usage = field(default_factory=Usage)
    ended: Ended | None = None
    last: Call | None = None
    """The call that came back last."""

    tokens: int = 0
    """What was said and what tools took and gave, by a rough count."""

    spent: list[tuple[datetime, Usage]] = field(default_factory=list[tuple[datetime, Usage]])

    def add(self, step: Step) -> None:
        """Take the next step."""
        match step:
            case Said():
                self.said.append(step.text)
                self.said_at.append(iso(step.at))
                self.tokens += estimate(step.text)
            case Called():
                call = _call(step)
                self.tokens += estimate(json.dumps(step.params, ensure_ascii=False, default=str))
                self.calls.append(call)
                self.open[step.call_id] = step, call
            case Returned():
                self._return(step)
            case Triggered():
                if step.skill not in self.skills:
                    self.skills.append(step.skill)
            case Spent():
                self._spend(step.at, step.usage)
            case Ended():
                self.ended = step
                self._spend(step.at, step.usage)

    def _spend(self, at: datetime, usage: Usage) -> None:
        if usage != self.usage:
            self.spent.append((at, usage))
        if len(self.spent) > MOST_SPENDING:
            del self.spent[-2::-2]  # the last one stays
        self.usage = usage

    def shortened(self, step: Returned) -> Returned:
        """A step that was taken just now with as much of its output as gives the same call."""
        result = obj(obj(self.last.get("output")).get("result")) if self.last else {}
        shown = result.get("display")
        cut = step.output[: MOST_OUTPUT + 1]
        return replace(step, output=cut, display=shown if isinstance(shown, str) else step.display)

    def _return(self, step: Returned) -> None:
        self.last = None
        if step.call_id not in self.open:
            return
        called, call = self.open.pop(step.call_id)
        self.last = call
        self.tokens += estimate(step.output)
        _time(call, called.at, step.at)
        call["output"] = _output(step, called)
        self.errors += not step.ok
        if step.ok and (kind := CONTRIBUTIONS.get(called.tool)) is not None:
            call["context_contribution"] = {
                "type": kind,
                "summary": step.display or head(step.output[:MOST_OUTPUT], LONGEST),
            }

    @property
    def spending(self) -> list[JsonValue] | None:
        """How usage grew; None where it is known once only. A long story is told in steps."""
        if len(self.spent) < 2:
            return None
        return [_point(at, usage) for at, usage in self.spent]

    @property
    def unanswered(self) -> int:
        """How many calls have not come back."""
        return sum(1 for call in self.calls if call["output"] is None)

    def settled(self, gave_up: str) -> list[Call]:
        """All calls; those that never came back failed at *gave_up*."""
        calls = [call if call["output"] else _unanswered(call, gave_up) for call in self.calls]
        return with_subagents(calls)


def _point(at: datetime, usage: Usage) -> JsonValue:
    # Who reports no tokens at all has not used none.
    is_known = usage.total_tokens > 0
    counts = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    tokens = counts if is_known else {}
    cost = {} if usage.cost_usd is None else {"cost_usd": usage.cost_usd}
    return {"at": iso(at), **tokens, **cost}


def with_subagents(calls: Sequence[Call]) -> list[Call]:
    """The calls, with what is known of a subagent at the one that started it."""
    below: dict[JsonValue, dict[str, int]] = {}
    for call in calls:
        if (parent := call.get("parent_call_id")) is not None:
            counts = below.setdefault(parent, {})
            name = str(call["tool_name"])
            counts[name] = counts.get(name, 0) + 1
    if not below:
        return list(calls)
    return [_with_subagent(call, below.get(call["call_id"])) for call in calls]


def _with_subagent(call: Call, counts: Mapping[str, int] | None) -> Call:
    if not counts or "subagent_info" in call:
        return call
    given = call["input"]
    params = given.get("params") if isinstance(given, dict) else None
    kind = params.get("subagent_type") if isinstance(params, dict) else None
    info: dict[str, JsonValue] = {
        "subagent_type": kind if isinstance(kind, str) else "unknown",
        "tool_uses": sum(counts.values()),
        "tools_breakdown": [{"tool_name": name, "count": count} for name, count in counts.items()],
    }
    return {**call, "subagent_info": info}


def _time(call: Call, started: datetime, ended: datetime) -> None:
    """Say when a call ended; never before it began, whatever somebody's clock does."""
    ended = max(started, ended)
    call["ended_at"] = iso(ended)
    call["duration_ms"] = milliseconds(started, ended)


def _call(step: Called) -> Call:
    given: dict[str, JsonValue] = {"params": dict(step.params)}
    if step.description is not None:
        given["description"] = step.description
    if (raw := raw_command(step.tool, step.params)) is not None:
        given["raw_command"] = raw
    started = iso(step.at)
    call: Call = {
        "call_id": step.call_id,
        "tool_name": step.tool,
        "tool_category": category(step.tool, step.params),
        "started_at": started,
        "ended_at": started,
        "duration_ms": 0,
        "input": given,
        "output": None,
    }
    if step.parent is not None:
        call["parent_call_id"] = step.parent
    return call


def _output(step: Returned, called: Called) -> dict[str, JsonValue]:
    output: dict[str, JsonValue] = {"status": "success" if step.ok else "failed"}
    result: dict[str, JsonValue] = {}
    shown = step.display
    if shown is None and step.ok:
        shown = display(called.tool, called.params, step.output)
    if shown is not None:
        result["display"] = shown
    if step.ok and step.output:
        result["content"] = step.output[:MOST_OUTPUT]
    if result:
        output["result"] = result
    if not step.ok:
        output["error"] = step.output[:MOST_OUTPUT]
    if len(step.output) > MOST_OUTPUT or is_cut(step.output):
        output["truncated"] = True
    return output


def _unanswered(call: Call, ended_at: str) -> Call:
    """A call that never came back failed when the session ended."""
    failed: Call = {**call, "output": {"status": "failed", "error": NEVER_RETURNED}}
    started = datetime.fromisoformat(str(call["started_at"]))
    _time(failed, started, datetime.fromisoformat(ended_at))
    return failed

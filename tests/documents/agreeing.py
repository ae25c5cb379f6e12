"""Whether a session agrees with itself: sums, counts, durations, and its summary with its calls."""

from collections.abc import Iterator
from datetime import UTC, datetime

from whet.core.instant import call_length
from whet.documents.session import Session, ToolCall
from whet.replay.acts import acts_of
from whet.replay.times import times
from whet.replay.usage import usage

ROUNDING = 1
"""Milliseconds."""


def disagreements(session: Session) -> list[str]:
    """Every place where one part of a session says something else than another."""
    return [*_counts(session), *_lengths(session), *_usage(session), *_figures(session)]


def _at(text: str) -> float:
    at = datetime.fromisoformat(text)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000


def _differ(start: str, end: str, stated: float) -> bool:
    """Whether a length does not fit two times: to the millisecond, or to the second where the
    times are to the second."""
    first, last = _at(start), _at(end)
    slack = ROUNDING if first % 1000 or last % 1000 else 1000
    return abs(last - first - stated) > slack + 0.01


def _counts(session: Session) -> Iterator[str]:
    calls, summary = session.tool_calls, session.summary
    if summary.tool_calls_count != len(calls):
        yield f"{summary.tool_calls_count} calls in the summary, {len(calls)} in all"
    failed = sum(call.output.status == "failed" for call in calls)
    if summary.errors_encountered not in (None, failed):
        yield f"{summary.errors_encountered} errors in the summary, {failed} calls failed"
    names = {call.call_id for call in calls}
    if len(names) != len(calls):
        yield "two calls have one id"
    for call in calls:
        if call.parent_call_id is not None and call.parent_call_id not in names:
            yield f"{call.call_id}: its parent is not there"
        yield from _subagent(session, call)
    said, said_at = session.messages, session.messages_at
    if said is not None and said_at is not None and len(said) != len(said_at):
        yield f"{len(said)} messages, {len(said_at)} times of them"
    if len({*summary.files_created}) != len(summary.files_created):
        yield "a file was created twice"
    if {*summary.files_created} & {*summary.files_modified}:
        yield "a file was both created and modified"


def _subagent(session: Session, call: ToolCall) -> Iterator[str]:
    if (info := call.subagent_info) is None:
        return
    below = sum(one.parent_call_id == call.call_id for one in session.tool_calls)
    listed = sum(one.count for one in info.tools_breakdown or ())
    if info.tools_breakdown and listed != info.tool_uses:
        yield f"{call.call_id}: {info.tool_uses} uses, {listed} by tool"
    if below > info.tool_uses:
        yield f"{call.call_id}: {info.tool_uses} uses, {below} calls"


def _lengths(session: Session) -> Iterator[str]:
    created, completed = session.created_at, session.completed_at
    if _at(completed) < _at(created):
        yield "it ended before it began"
    if _differ(created, completed, session.summary.total_duration_ms):
        yield f"{created} to {completed} took {session.summary.total_duration_ms} ms"
    for call in session.tool_calls:
        start, end = _at(call.started_at), _at(call.ended_at)
        if end < start or call.duration_ms < 0:
            yield f"{call.call_id} ended before it began"
        if _differ(call.started_at, call.ended_at, call.duration_ms):
            yield f"{call.call_id}: {call.started_at} to {call.ended_at}: {call.duration_ms} ms"
        if start < _at(created) - ROUNDING or end > _at(completed) + ROUNDING:
            yield f"{call.call_id} lies outside of the session"


def _usage(session: Session) -> Iterator[str]:
    points = session.spending or ()
    for name in ("input_tokens", "output_tokens", "cost_usd"):
        total = getattr(session, name)
        known = [value for point in points if (value := getattr(point, name)) is not None]
        if known != sorted(known):
            yield f"{name} were given back"
        if known and total is None:
            yield f"{name}: unknown in all, and {known[-1]} on the way"
        if known and total is not None and abs(known[-1] - total) > 1e-6:
            yield f"{name}: {total} in all, {known[-1]} at the last point"
        if getattr(usage(acts_of(session)), name) != total:
            yield f"{name}: other figures than the session"


def _figures(session: Session) -> Iterator[str]:
    """What is shown of a session is what it says."""
    acts = acts_of(session)
    told = times(acts)
    if abs(told.wall_ms - session.summary.total_duration_ms) > 1000 + ROUNDING:
        yield f"{told.wall_ms} ms shown, {session.summary.total_duration_ms} in the summary"
    if told.wall_ms != told.busy_ms + told.thinking_ms + told.idle_ms:
        yield "busy, thinking and idle are not the whole"
    if sum(share.failed for share in told.tools) != sum(act.failed for act in acts):
        yield "other failures by tool than in all"
    if sum(share.summed_ms for share in told.tools) != told.summed_ms:
        yield "the times of tools are not the whole"
    for act in acts:
        call = act.call
        length = call_length(_at(call.started_at), _at(call.ended_at), call.duration_ms)
        if abs(act.length - length) > ROUNDING or abs(act.length - call.duration_ms) > ROUNDING:
            yield f"{call.call_id}: {act.length} ms shown, {call.duration_ms} said"

"""Times and numbers of a session log that was written by somebody else: what is written here
always agrees, and what does not is noted."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import isfinite

from pydantic import JsonValue

from whet.core.instant import iso, milliseconds
from whet.documents.session_fold import Call
from whet.documents.session_import import Repairs, quoted
from whet.readers.mending import Mended
from whet.readers.moments import is_exact, moment

_CALLS = "tool_calls[]"
_LONGEST = 1e13
"""Milliseconds; some three hundred years."""

_FEW_CALLS = 5
_MOSTLY = 0.8
_ROUND = 5
"""Seconds that people round to."""

Times = list[tuple[datetime, datetime]]


def agreed(
    fields: Mapping[str, JsonValue], calls: Sequence[Call], fallback: datetime, repairs: Repairs
) -> dict[str, JsonValue]:
    """The session with these calls; *fallback* is the time to go by where there is none."""
    data: dict[str, JsonValue] = {**fields}
    data["tool_calls"] = [*calls]
    session = Mended(data, repairs)
    session.rename("started_at", "created_at")
    times = _times(calls, moment(data.get("created_at")) or fallback, repairs)
    if any(later[0] < earlier[0] for earlier, later in pairwise(times)):
        repairs.note("disagrees", "order", "calls are not in the order of their times")
    _span(session, times, fallback, repairs)
    _summary(session, calls, repairs)
    if "timing_quality" not in data and _is_by_hand(calls, times):
        said = "times are round, as people write them down"
        repairs.note("guessed", "timing_quality", said, field="timing_quality")
        data["timing_quality"] = "self_reported"
    return data


def _times(calls: Sequence[Call], before: datetime, repairs: Repairs) -> Times:
    times: Times = []
    for call in calls:
        timed = _timed(Mended(call, repairs, _CALLS), before, repairs)
        times.append(timed)
        before = timed[1]
    return times


def _timed(call: Mended, before: datetime, repairs: Repairs) -> tuple[datetime, datetime]:
    """See to it that a call has a beginning, an end and a duration which agree."""
    data = call.data
    given = data.get("duration_ms")
    length = _length(given)
    gap = timedelta(milliseconds=length or 0)
    start, end = moment(data.get("started_at")), moment(data.get("ended_at"))
    if start is None:
        start = before if end is None else end - gap
    _write(call, "started_at", start, repairs)
    end = start + gap if end is None else end
    if end < start:
        said = f"call {quoted(data['call_id'])} ended before it began"
        repairs.note("disagrees", "times", said, field=f"{_CALLS}.ended_at")
        call.keep("ended_at", data["ended_at"])
        end = start + gap
        data["ended_at"] = iso(end)
    _write(call, "ended_at", end, repairs)
    span = milliseconds(start, end)
    if length is not None and abs(length - span) <= _slack(start, end):
        return start, end
    if given is None:
        call.note_missing("duration_ms", span)
    else:
        said = f"{quoted(given)} does not fit the times; it is {span}"
        repairs.note("disagrees", "duration", said, field=f"{_CALLS}.duration_ms")
        call.keep("duration_ms", given)
    data["duration_ms"] = span
    return start, end


def _write(owner: Mended, name: str, at: datetime, repairs: Repairs) -> None:
    """Put a time into its place unless it stands there already."""
    given = owner.data.get(name)
    if is_exact(given):
        return
    if given is None:
        owner.note_missing(name, iso(at))
    else:
        field = f"{owner.place}.{name}" if owner.place else name
        why = "is no time" if moment(given) is None else "is no text with a zone"
        said = f"{quoted(given)} {why}; {iso(at)} is put there"
        repairs.note("guessed", "time", said, field=field)
        owner.keep(name, given)
    owner.data[name] = iso(at)


def _length(value: JsonValue) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isfinite(value) and 0 <= value < _LONGEST else None


def _slack(*times: datetime) -> int:
    """How far a duration may be off: times are written to the second, or to the millisecond."""
    return 1 if any(at.microsecond for at in times) else 1000


def _span(session: Mended, times: Times, fallback: datetime, repairs: Repairs) -> None:
    """When the session began and ended."""
    data = session.data
    starts, ends = [start for start, _ in times], [end for _, end in times]
    created = moment(data.get("created_at")) or min(starts, default=fallback)
    _write(session, "created_at", created, repairs)
    known = moment(data.get("completed_at")) or moment(data.get("updated_at"))
    completed = known or max([created, *ends])
    if completed < created:
        repairs.note("disagrees", "session_times", "the session ended before it began")
        session.keep("completed_at", data.pop("completed_at", None))
        completed = max([created, *ends])
        data["completed_at"] = iso(completed)
    _write(session, "completed_at", completed, repairs)
    if min(starts, default=created) < created or max(ends, default=completed) > completed:
        repairs.note("disagrees", "session_span", "calls lie outside of the session's own times")


def _summary(session: Mended, calls: Sequence[Call], repairs: Repairs) -> None:
    data = session.data
    given = data.get("summary")
    if isinstance(given, str):
        data["summary"] = {"text": given}
        repairs.note("renamed", "summary", "it is a text", field="summary")
    summary = session.inner("summary")
    created, completed = moment(data["created_at"]), moment(data["completed_at"])
    assert created is not None
    assert completed is not None
    span = milliseconds(created, completed)
    length = _length(summary.data.get("total_duration_ms"))
    if length is None or abs(length - span) > _slack(created, completed):
        _count(summary, "total_duration_ms", span, repairs)
    count = summary.data.get("tool_calls_count")
    if count != len(calls) or type(count) is not int:
        _count(summary, "tool_calls_count", len(calls), repairs)
    failed = sum(1 for call in calls if _is_failed(call))
    errors = summary.data.get("errors_encountered")
    if errors is not None and (errors != failed or type(errors) is not int):
        _count(summary, "errors_encountered", failed, repairs)
    summary.texts("files_created")
    summary.texts("files_modified")


def _count(summary: Mended, name: str, right: int, repairs: Repairs) -> None:
    given = summary.data.get(name)
    if given is None:
        summary.note_missing(name, right)
    else:
        said = f"it says {quoted(given)}; it is {right}"
        repairs.note("disagrees", "summary_number", said, field=f"summary.{name}")
        summary.keep(name, given)
    summary.data[name] = right


def _is_failed(call: Call) -> bool:
    output = call.get("output")
    return isinstance(output, dict) and output.get("status") == "failed"


def _is_by_hand(calls: Sequence[Call], times: Times) -> bool:
    """Whether times are to the second, and most of them round."""
    starts = [start for start, _ in times]
    if len(starts) < _FEW_CALLS or any("." in str(call["started_at"]) for call in calls):
        return False
    return sum(start.second % _ROUND == 0 for start in starts) >= _MOSTLY * len(starts)

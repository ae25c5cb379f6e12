"""Times and numbers of a session log that was written by somebody else: what is written here
always agrees, and what does not is noted."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import isfinite

from pydantic import JsonValue

from whet.core.counts import counted
from whet.core.foreign import obj
from whet.core.instant import call_length, iso, milliseconds
from whet.core.tools import canonical
from whet.documents.session_fold import WRITERS, Call
from whet.documents.session_import import Repairs, quoted
from whet.readers.mending import Mended, as_text
from whet.readers.moments import is_exact, moment

_CALLS = "tool_calls[]"
_LONGEST = 1e13
"""Milliseconds; some three hundred years."""

_FILES = ("files_created", "files_modified")
_USAGE = ("input_tokens", "output_tokens", "cost_usd")
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
    _subagents(calls, repairs)
    _summary(session, calls, repairs)
    _messages(session, repairs)
    _spending(session, repairs)
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
    if end < start or _is_too_coarse(start, end, length):
        why = "ended before it began" if end < start else f"took {length:g} ms by its own word"
        said = f"call {quoted(data['call_id'])} {why}; {quoted(data['ended_at'])} is left out"
        repairs.note("disagrees", "times", said, field=f"{_CALLS}.ended_at")
        end = start + gap
        call.keep("ended_at", data["ended_at"])
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


def _is_too_coarse(start: datetime, end: datetime, length: float | None) -> bool:
    """Whether the times of a call contradict its duration, and are the less exact of both."""
    if length is None or abs(length - milliseconds(start, end)) <= _slack(start, end):
        return False
    return call_length(start.timestamp() * 1000, end.timestamp() * 1000, length) == length


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
    stated = _stated_length(data) if created == completed else timedelta()
    first, last = min([created, *starts]), max([completed, *ends, created + stated])
    for name, given, right in (("created_at", created, first), ("completed_at", completed, last)):
        if given != right:
            said = "the session's own times do not cover its calls, or what it says it took"
            repairs.note("disagrees", "session_span", said, field=name)
            session.keep(name, data[name])
            data[name] = iso(right)


def _stated_length(data: Mapping[str, JsonValue]) -> timedelta:
    """How long a session says it took."""
    summary = data.get("summary")
    stated = summary.get("total_duration_ms") if isinstance(summary, dict) else None
    return timedelta(milliseconds=_length(stated) or 0)


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
    _files(session, calls, repairs)


def _subagents(calls: Sequence[Call], repairs: Repairs) -> None:
    """See to it that calls belong to calls that are there, and that those count them."""
    below = Counter(call.get("parent_call_id") for call in calls)
    names = {str(call["call_id"]) for call in calls}
    for data in calls:
        call = Mended(data, repairs, _CALLS)
        if data.get("parent_call_id") is not None and data["parent_call_id"] not in names:
            said = "the call of a subagent is not there"
            repairs.note("missing", "parent_call", said, field=f"{_CALLS}.parent_call_id")
            call.keep("parent_call_id", data.pop("parent_call_id"))
        if isinstance(info := data.get("subagent_info"), dict):
            _uses(call, info, below[data["call_id"]], repairs)


def _uses(call: Mended, info: dict[str, JsonValue], below: int, repairs: Repairs) -> None:
    """The uses of a subagent are at least those that are listed, and those that are calls here."""
    given = info.get("tool_uses")
    rows = info.get("tools_breakdown")
    listed = [*rows] if isinstance(rows, list) else []
    counts = [count for row in listed if isinstance(count := obj(row).get("count"), int)]
    told = given if isinstance(given, int) else 0
    uses = max(told, below, sum(counts))
    if uses != given:
        said = f"it says {quoted(given)}; there are {uses}"
        repairs.note("disagrees", "tool_uses", said, field=f"{_CALLS}.subagent_info.tool_uses")
        call.keep("subagent_info.tool_uses", given)
        info["tool_uses"] = uses
    if listed and (missing := uses - sum(counts)):
        said = f"{missing} uses are not listed; they are put there as those of an unknown tool"
        field = f"{_CALLS}.subagent_info.tools_breakdown"
        repairs.note("disagrees", "tools_breakdown", said, field=field)
        info["tools_breakdown"] = [*listed, {"tool_name": "unknown", "count": missing}]


def _messages(session: Mended, repairs: Repairs) -> None:
    """Times of messages that are not one for each are those of none."""
    said, times = session.data.get("messages"), session.data.get("messages_at")
    if isinstance(times, list) and len(times) != len(said if isinstance(said, list) else []):
        told = "there is not one time for each message"
        repairs.note("disagrees", "messages_at", told, field="messages_at")
        session.keep("messages_at", session.data.pop("messages_at"))


def _spending(session: Mended, repairs: Repairs) -> None:
    """How usage grew has to end with what was used; what contradicts that is left out."""
    points = session.data.get("spending")
    if not isinstance(points, list):
        return
    for name in _USAGE:
        told = [value for point in points if (value := obj(point).get(name)) is not None]
        total = session.data.get(name)
        if told and total is None:
            total = session.data[name] = told[-1]
            session.note_missing(name, total)
        numbers = [value for value in told if isinstance(value, int | float)]
        if told and (numbers != sorted(numbers) or told[-1] != total):
            said = f"{name} do not grow to {quoted(total)}"
            repairs.note("disagrees", "spending", said, field="spending")
            session.keep("spending", session.data.pop("spending"))
            return


def _files(session: Mended, calls: Sequence[Call], repairs: Repairs) -> None:
    """See to it that the summary names the files that were written: all that the log names
    anywhere, or else what its calls show."""
    summary = session.data["summary"]
    assert isinstance(summary, dict)
    places = [summary, session.data, *_outputs(session.data, calls)]
    if any(name in place for place in places for name in _FILES):
        found = [[path for place in places for path in _paths(place.get(name))] for name in _FILES]
    else:
        found = _written_by(calls)
        if any(found):
            said = "the log does not name the files that were written; its calls do"
            repairs.note("guessed", "files", said, field="summary")
    created = {*found[0]}
    found[1] = [path for path in found[1] if path not in created]
    for name, paths in zip(_FILES, found, strict=True):
        right: list[JsonValue] = [*dict.fromkeys(paths)]
        if summary.get(name) != right:
            said = (
                f"{counted(len(right), 'file is', 'files are')} put there, as the log has "
                "them elsewhere"
            )
            repairs.note("renamed", name, said, field=f"summary.{name}")
        summary[name] = right


def _outputs(
    data: Mapping[str, JsonValue], calls: Sequence[Call]
) -> Iterator[Mapping[str, JsonValue]]:
    """Where older logs name files: in what phases and steps gave."""
    phases = data.get("phases")
    for phase in phases if isinstance(phases, list) else ():
        yield obj(obj(phase).get("output"))
    for call in calls:
        yield obj(obj(call.get("output")).get("result"))


def _paths(value: JsonValue) -> Iterator[str]:
    """Paths, in the shapes in which logs list them."""
    for item in value if isinstance(value, list) else () if value is None else (value,):
        named = item.get("path", item.get("file_path", item)) if isinstance(item, dict) else item
        yield as_text(named)


def _written_by(calls: Sequence[Call]) -> list[list[str]]:
    """The files that calls created and modified, as far as the calls tell."""
    created: dict[str, bool] = {}
    seen: set[str] = set()
    for call in calls:
        params = obj(obj(call.get("input")).get("params"))
        path = params.get("file_path", params.get("notebook_path"))
        if not isinstance(path, str) or not path or _is_failed(call):
            continue
        tool = canonical(str(call["tool_name"]))
        if tool in WRITERS:
            created.setdefault(path, tool == "Write" and path not in seen)
        seen.add(path)
    return [[path for path, new in created.items() if new is kind] for kind in (True, False)]


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

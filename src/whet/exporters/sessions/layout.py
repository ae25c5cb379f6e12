"""A session laid out in time: when its calls ran, side by side or not, and in which phase."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import cast, get_args

from whet.core.instant import call_length
from whet.documents.session import LegacyPhase, PhaseType, Session, ToolCall
from whet.documents.session_report import SessionBand, SessionLayout

MOST_LANES = 12
"""Calls beyond that share the last one."""

_PHASES = get_args(PhaseType)


def layout_of(session: Session) -> SessionLayout:
    """By the times that the calls have, and by the phases that somebody noted."""
    begun = [moment(call.started_at) for call in session.tool_calls]
    known = [at for at in (moment(session.created_at), *begun) if at is not None]
    first = min(known, default=datetime(1970, 1, 1, tzinfo=UTC))
    starts: list[float] = []
    ends: list[float] = []
    latest = 0.0
    for call, at in zip(session.tool_calls, begun, strict=True):
        # A call without a time came after the one before it, as far as anybody knows.
        start = latest if at is None else _since(first, at)
        end = moment(call.ended_at)
        if end is None:
            latest = start + call.duration_ms
        elif at is None:
            latest = _since(first, end)
        else:
            latest = start + _took(call, at, end)
        latest = max(start, latest)
        starts.append(start)
        ends.append(latest)
    over = moment(session.completed_at)
    told = [*ends, 0.0 if over is None else _since(first, over)]
    return SessionLayout(
        duration_ms=max(told),
        starts_ms=tuple(starts),
        ends_ms=tuple(ends),
        lanes=tuple(_lanes(starts, ends)),
        bands=tuple(sorted(_bands(session), key=lambda band: (band.first, -band.last))),
    )


def moment(text: str) -> datetime | None:
    """A point in time, if *text* is one; without a zone it is meant in UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def phase_places(bands: Sequence[SessionBand], calls: int) -> list[int | None]:
    """The band that each call belongs to by its place: of several the shortest one."""
    found: list[int | None] = [None] * calls
    by_length = sorted(range(len(bands)), key=lambda at: bands[at].first - bands[at].last)
    for at in by_length:
        band = bands[at]
        found[band.first : band.last + 1] = [at] * (band.last + 1 - band.first)
    return found


def parent_places(calls: Sequence[ToolCall]) -> list[int | None]:
    """The place of the call of the subagent that each call belongs to.

    Inner calls are shown within others: one that belongs to itself or to a later one, which no
    agent does, would be without end, and stands for itself.
    """
    places: dict[str, int] = {}
    for place, call in enumerate(calls):
        places.setdefault(call.call_id, place)
    found: list[int | None] = []
    for place, call in enumerate(calls):
        parent = None if call.parent_call_id is None else places.get(call.parent_call_id)
        found.append(parent if parent is not None and parent < place else None)
    return found


def _since(first: datetime, at: datetime) -> float:
    return max(0.0, round((at - first).total_seconds() * 1000, 3))


def _took(call: ToolCall, begun: datetime, ended: datetime) -> float:
    times = begun.timestamp() * 1000, ended.timestamp() * 1000
    return round(call_length(*times, call.duration_ms), 3)


def _lanes(starts: Sequence[float], ends: Sequence[float]) -> list[int]:
    lanes = [0] * len(starts)
    free_at: list[float] = []
    for place in sorted(range(len(starts)), key=lambda at: (starts[at], at)):
        start, end = starts[place], max(ends[place], starts[place] + 1)
        lane = next((lane for lane, free in enumerate(free_at) if free <= start), len(free_at))
        lane = min(lane, MOST_LANES - 1)
        if lane == len(free_at):
            free_at.append(end)
        free_at[lane] = max(free_at[lane], end)
        lanes[place] = lane
    return lanes


def _bands(session: Session) -> Iterator[SessionBand]:
    places: dict[str, int] = {}
    for place, call in enumerate(session.tool_calls):
        places.setdefault(call.call_id, place)
    for note in session.phase_annotations or ():
        first = places.get(note.tool_call_range.start_call_id)
        last = places.get(note.tool_call_range.end_call_id)
        if first is not None and last is not None and not note.is_point:
            yield SessionBand(
                phase_type=note.phase_type,
                first=min(first, last),
                last=max(first, last),
                annotation_id=note.annotation_id,
                annotated_by=note.annotated_by,
                confidence=note.confidence,
                description=note.description,
            ).lean()
    if not session.phase_annotations:
        for phase in session.phases or ():
            yield from _older(phase, places)


def _older(phase: LegacyPhase, places: dict[str, int]) -> Iterator[SessionBand]:
    """A phase as sessions had them before calls came first."""
    known = [places[call] for call in phase.tool_call_ids if call in places]
    if known:
        kind = cast("PhaseType", phase.phase_type if phase.phase_type in _PHASES else "mixed")
        yield SessionBand(
            phase_type=kind, first=min(known), last=max(known), annotation_id=phase.phase_id
        )

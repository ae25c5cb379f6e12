"""Automatic annotation: phases by the signals of calls, with decisions and what was drawn upon.

It is done by itself for sessions of more than 20 calls, on request for 5 to 20, and never for
fewer: so few calls speak for themselves.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from whet.documents.session import Decision, PhaseAnnotation, Session, ToolCallRange
from whet.replay.acts import Acts, acts_of
from whet.replay.annotators import AUTO, free_ids, with_annotations, without_annotations
from whet.replay.decisions import Decided, decisions
from whet.replay.phases import Phase, phases
from whet.replay.references import Drawn, drawn, references

FEWEST = 5
"""Calls below which nothing is annotated."""

MANY = 20
"""Calls above which annotation is made by itself."""

MOST_DECISIONS = 20
_MOST_NAMES = 3


def wants_annotation(calls: int, *, asked: bool) -> bool:
    """Whether a session of so many calls is to be annotated."""
    return calls > MANY or (asked and calls >= FEWEST)


def auto_annotated(session: Session, at: str, *, asked: bool = False) -> Session:
    """The session with automatic annotations, made at that time, in place of earlier ones; as it
    is where it is too short for them."""
    if not wants_annotation(len(session.tool_calls), asked=asked):
        return session
    return with_annotations(session, AUTO, auto_annotations(acts_of(session), at))


def auto_annotations(acts: Acts, at: str) -> tuple[PhaseAnnotation, ...]:
    """What the signals say, however many calls there are."""
    found = phases(acts)
    own = _sorted_in(found, decisions(acts), len(acts))
    all_drawn = drawn(acts)
    names = free_ids(without_annotations(acts.session, AUTO), "auto", len(found))
    return tuple(
        _annotation(name, phase, at, all_drawn, own[number], first=number == 0)
        for number, (name, phase) in enumerate(zip(names, found, strict=True))
    )


def _annotation(
    name: str, phase: Phase, at: str, drawn: Drawn, decided: Sequence[Decision], *, first: bool
) -> PhaseAnnotation:
    acts = drawn.acts
    places = sorted(
        {place for call in phase.calls for place in (call, *(a.index for a in acts.below(call)))}
    )
    used = references(drawn, places, first=first)
    made = PhaseAnnotation(
        annotation_id=name,
        phase_type=phase.type,
        tool_call_range=ToolCallRange(
            start_call_id=acts[phase.first].call_id, end_call_id=acts[phase.last].call_id
        ),
        annotated_by=AUTO.kind,
        annotator=AUTO.name,
        annotated_at=at,
        confidence=phase.confidence,
        description=described(acts, places),
    )
    more = {
        **({"decisions": tuple(decided[:MOST_DECISIONS])} if decided else {}),
        **({"context_used": used} if used else {}),
    }
    return made.model_copy(update=more)


def _sorted_in(
    found: Sequence[Phase], decided: Iterable[Decided], calls: int
) -> list[list[Decision]]:
    """Each decision with the shortest phase around the call that carries it out."""
    around: list[int | None] = [None] * calls
    longest_first = sorted(range(len(found)), key=lambda n: found[n].first - found[n].last)
    for number in longest_first:
        phase = found[number]
        width = phase.last + 1 - phase.first
        around[phase.first : phase.last + 1] = [number] * width
    own: list[list[Decision]] = [[] for _ in found]
    for one in decided:
        if (number := around[one.place]) is not None:
            own[number].append(one.decision)
    return own


def described(acts: Acts, places: Sequence[int]) -> str:
    """What the calls at these places did: how many of which kind, which files, what failed."""
    chosen = [acts[place] for place in places]
    count = Counter(act.kind for act in chosen)
    tasks = sum(acts.planned.get(place, 0) for place in places)
    written = {path for act in chosen for path in act.writes if not act.failed}
    read = {path for act in chosen for path in act.reads}
    failed = sum(act.failed for act in chosen)
    told = [
        _several(count["skill"], "skill taken up", "skills taken up"),
        _several(count["ask"], "question", "questions"),
        _several(count["look"], "look", "looks") + (f" ({_files(read)})" if read else ""),
        _several(tasks, "task planned", "tasks planned"),
        _several(count["change"], "change", "changes")
        + (f" ({_files(written)})" if written else ""),
        _several(count["check"], "check", "checks"),
        _several(count["delegate"], "subagent", "subagents"),
        f"{failed} failed" if failed else "",
    ]
    return ", ".join(filter(None, told)) or _several(len(places), "call", "calls")


def _several(count: int, one: str, many: str) -> str:
    return "" if not count else f"{count} {one if count == 1 else many}"


def _files(paths: Iterable[str]) -> str:
    names = sorted({path.rpartition("/")[2] for path in paths})
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(name[:60] for name in names[:_MOST_NAMES]) + more

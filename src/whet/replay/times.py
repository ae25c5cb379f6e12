"""Where the time of a session went.

A call that has inner calls of its own is a frame: it counts as a call, and its time is theirs. So
no time is counted twice, and what a subagent thinks is thinking. All other calls *work*.

- *busy*: at least one working call is running;
- *gap*: none is. A gap belongs to the call that begins at its end, the one after the last call to
  the answer;
- *idle*: the part of a gap in which the agent waits for the user: before each prompt but the first,
  from what was last said or done before it. Only where the log has the times of prompts;
- *thinking*: the rest of the gaps. So wall = busy + thinking + idle.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whet.documents.session import PhaseType
from whet.documents.session_figures import PhaseTimes, SessionTimes, TimeShare
from whet.replay.acts import Act, Acts
from whet.replay.annotators import Annotator, annotations_of, annotators
from whet.replay.spans import covered, mean_at_once, most_at_once

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Gaps:
    """The time in which no call was running."""

    thinking: Mapping[int, int]
    """Before each call, by its place; only where there is some."""

    answering: int
    idle: int


def working(acts: Acts) -> list[Act]:
    """The calls that are no frames."""
    return [act for act in acts if act.index not in acts.inner]


def gaps(acts: Acts) -> Gaps:
    """Find the gaps."""
    waits = _waits(acts)
    thinking: dict[int, int] = {}
    idle = reach = 0
    for act in sorted(acts, key=lambda act: (act.start, act.index)):
        if act.start > reach:
            waited = _waited(waits, reach, act.start)
            idle += waited
            thinking[act.index] = act.start - reach - waited
        reach = max(reach, act.start if act.index in acts.inner else act.end)
    waited = _waited(waits, reach, acts.wall)
    return Gaps(thinking, max(acts.wall - reach, 0) - waited, idle + waited)


def _waits(acts: Acts) -> list[tuple[int, int]]:
    """When the agent waited for the user, as far as what was said tells."""
    session = acts.session
    said = sorted(_moments(acts, session.messages_at or ()))
    prompts = sorted(_moments(acts, [prompt.at for prompt in session.prompts or ()]))
    found: list[tuple[int, int]] = []
    for earlier, prompt in pairwise(prompts):
        place = bisect_left(said, prompt)
        last = said[place - 1] if place else 0
        found.append((max(earlier, last), prompt))
    return found


def _moments(acts: Acts, texts: Iterable[str]) -> list[int]:
    found = (acts.since(text) for text in texts)
    return [moment for moment in found if moment is not None]


def _waited(waits: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """How much of a gap was waiting."""
    first = bisect_left(waits, start, key=lambda wait: wait[1])
    total = 0
    for begun, over in waits[first:]:
        if begun >= end:
            break
        total += max(min(over, end) - max(begun, start), 0)
    return total


def shares(acts: Acts, name: Callable[[Act], str], found: Gaps) -> list[TimeShare]:
    """The time by whatever calls have in common; most calls first."""
    groups: defaultdict[str, list[Act]] = defaultdict(list)
    for act in acts:
        groups[name(act)].append(act)
    made = [_share(acts, own, group, found) for own, group in groups.items()]
    return sorted(made, key=lambda one: (-one.calls, one.name))


def _share(acts: Acts, name: str, group: Sequence[Act], found: Gaps) -> TimeShare:
    spans = [(act.start, act.end) for act in group if act.index not in acts.inner]
    return TimeShare(
        name=name,
        calls=len(group),
        failed=sum(act.failed for act in group),
        summed_ms=sum(end - start for start, end in spans),
        busy_ms=covered(spans),
        thinking_ms=sum(found.thinking.get(act.index, 0) for act in group),
    )


def phases_of(acts: Acts, who: Annotator) -> list[PhaseType]:
    """The phase of each call as one annotator sees it: the shortest that covers it, and of several
    as short the last. What stands for a moment only covers nothing."""
    found: list[PhaseType] = ["unclassified"] * len(acts)
    ranges: list[tuple[int, int, PhaseType]] = []
    for one in annotations_of(acts.session, who):
        first = acts.places.get(one.tool_call_range.start_call_id)
        last = acts.places.get(one.tool_call_range.end_call_id)
        if first is not None and last is not None and first <= last and not one.is_point:
            ranges.append((first, last, one.phase_type))
    for first, last, phase in sorted(ranges, key=lambda one: one[0] - one[1]):
        covers: list[PhaseType] = [phase]
        found[first : last + 1] = covers * (last + 1 - first)
    return found


def times(acts: Acts) -> SessionTimes:
    """All about time."""
    found = gaps(acts)
    spans = [(act.start, act.end) for act in working(acts)]
    phases: list[PhaseTimes] = []
    for who in annotators(acts.session):
        own = phases_of(acts, who)
        told = shares(acts, lambda act, own=own: own[act.index], found)
        phases.append(PhaseTimes(annotator=who.label, phases=tuple(told)))
    return SessionTimes(
        timing_quality=acts.session.timing_quality,
        wall_ms=acts.wall,
        busy_ms=covered(spans),
        summed_ms=sum(end - start for start, end in spans),
        thinking_ms=sum(found.thinking.values()) + found.answering,
        answering_ms=found.answering,
        idle_ms=found.idle,
        most_at_once=most_at_once(spans),
        mean_at_once=round(mean_at_once(spans), _DIGITS),
        tools=tuple(shares(acts, lambda act: act.tool, found)),
        categories=tuple(shares(acts, lambda act: act.call.tool_category, found)),
        phases=tuple(phases),
    )

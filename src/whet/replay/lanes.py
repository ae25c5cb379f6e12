"""Calls packed into lanes, so that no two in a lane overlap.

Each agent has lanes of its own beside each other, as many as it runs calls at once; the main agent
has the first ones. A subagent gets the lowest lanes that are free from its first call on. Within
them a call gets the lowest lane that is free. A call without length is as wide as a millisecond.

There are 64 lanes at most. What would need more goes into the last one, which is crowded then.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from whet.replay.acts import Act, Acts

MOST = 64
_NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class AgentLanes:
    """The lanes of one agent."""

    call: int | None
    """The place of its own call; None for the main agent."""

    first: int
    count: int
    start: int
    end: int
    calls: int


@dataclass(frozen=True)
class Lanes:
    """The lane of every call, and whose they are."""

    of: tuple[int, ...]
    count: int
    agents: tuple[AgentLanes, ...]
    crowded: bool
    """Whether the last lane holds calls that overlap."""


def lanes(acts: Acts) -> Lanes:
    """Pack the calls of a session."""
    groups: defaultdict[int | None, list[Act]] = defaultdict(list)
    for act in sorted(acts, key=lambda act: (act.start, act.index)):
        groups[act.parent].append(act)
    main = groups.pop(None, [])
    order: list[tuple[int | None, list[Act]]] = [(None, main)] if main else []
    order += sorted(groups.items(), key=lambda one: (one[1][0].start, one[0] or 0))
    found = [0] * len(acts)
    free: list[int] = []
    agents: list[AgentLanes] = []
    crowded = False
    for call, own in order:
        inner = _packed(own)
        count = max(inner) + 1
        start, end = own[0].start, max(_end(act) for act in own)
        first = _first_fit(free, count, start)
        crowded = crowded or first + count > MOST
        first, count = min(first, MOST - 1), min(count, MOST - min(first, MOST - 1))
        free += [0] * (first + count - len(free))
        # The main agent's lanes are nobody else's.
        free[first : first + count] = [_NEVER if call is None else end] * count
        for act, lane in zip(own, inner, strict=True):
            found[act.index] = min(first + lane, MOST - 1)
        agents.append(AgentLanes(call, first, count, start, end, len(own)))
    return Lanes(tuple(found), len(free), tuple(agents), crowded)


def _end(act: Act) -> int:
    return max(act.end, act.start + 1)


def _packed(own: Sequence[Act]) -> list[int]:
    """The lane of each call among its agent's; calls come in the order in which they start."""
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    count = 0
    found: list[int] = []
    for act in own:
        while busy and busy[0][0] <= act.start:
            heappush(free, heappop(busy)[1])
        if free:
            lane = heappop(free)
        else:
            lane = count
            count += 1
        heappush(busy, (_end(act), lane))
        found.append(lane)
    return found


def _first_fit(free: Sequence[int], count: int, start: int) -> int:
    """The lowest of so many lanes beside each other that are free by then."""
    width = 0
    for lane, until in enumerate(free):
        width = width + 1 if until <= start else 0
        if width == count:
            return lane + 1 - count
    return len(free) - width

"""A session in equal parts of time, as many as a screen has room for."""

from itertools import accumulate
from typing import get_args

from whet.documents.session import ToolCategory
from whet.documents.session_timeline import TimelineBuckets
from whet.replay.acts import Acts
from whet.replay.times import working

MOST = 300


def buckets(acts: Acts, most: int = MOST) -> TimelineBuckets:
    """Count calls and their time by parts of the session, at most *most* of them."""
    width = max(-(-(acts.wall + 1) // most), 1)
    count = acts.wall // width + 1
    calls, failed, first = [0] * count, [0] * count, [len(acts)] * count
    for act in acts:
        part = act.start // width
        calls[part] += 1
        failed[part] += act.failed
        first[part] = min(first[part], act.index)
    for part in range(count - 2, -1, -1):
        if not calls[part]:
            first[part] = first[part + 1]
    return TimelineBuckets(
        width_ms=width,
        calls=tuple(calls),
        failed=tuple(failed),
        first=tuple(first),
        at_once=tuple(_at_once(acts, width, count)),
        busy_ms=_busy(acts, width, count),
    )


def _at_once(acts: Acts, width: int, count: int) -> list[int]:
    """How many calls run at once at most, in each part."""
    spans = [(act.start, act.end) for act in working(acts) if act.end > act.start]
    changes = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    found = [0] * count
    running = since = 0
    for at, change in changes:
        if running and at > since:
            # What ends at the very beginning of a part does not run in it.
            for part in range(since // width, (at - 1) // width + 1):
                found[part] = max(found[part], running)
        running, since = running + change, at
    return found


def _busy(acts: Acts, width: int, count: int) -> dict[str, tuple[int, ...]]:
    """The time of calls in each part, by category; only those that there are."""
    edges = {name: [0] * (count + 1) for name in get_args(ToolCategory)}
    rest = {name: [0] * count for name in edges}
    for act in working(acts):
        name = act.call.tool_category
        first, last = act.start // width, act.end // width
        if first == last:
            rest[name][first] += act.length
            continue
        rest[name][first] += (first + 1) * width - act.start
        rest[name][last] += act.end - last * width
        edges[name][first + 1] += width
        edges[name][last] -= width
    whole = {
        name: tuple(a + b for a, b in zip(accumulate(edges[name][:-1]), rest[name], strict=True))
        for name in edges
    }
    return {name: parts for name, parts in whole.items() if any(parts)}

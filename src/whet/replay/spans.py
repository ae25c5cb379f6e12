"""Stretches of time: what they cover together, and how many run at once.

A stretch begins at its start and ends before its end, so two that touch do not overlap, and one
without length covers nothing.
"""

from collections.abc import Iterable

Span = tuple[int, int]


def covered(spans: Iterable[Span]) -> int:
    """How much time lies in at least one of them."""
    total = 0
    reach: int | None = None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            reach = start
        if end > reach:
            total += end - reach
            reach = end
    return total


def most_at_once(spans: Iterable[Span]) -> int:
    """How many run at once at most; 1 if there are some, but none has any length."""
    given = list(spans)
    changes = [(start, 1) for start, end in given if end > start]
    changes += [(end, -1) for start, end in given if end > start]
    running = most = 0
    # At one moment, those that end go before those that begin.
    for _, change in sorted(changes):
        running += change
        most = max(most, running)
    return most or min(len(given), 1)


def mean_at_once(spans: Iterable[Span]) -> float:
    """How many run at once on average, over the time in which any does; 0 if none ever does."""
    given = list(spans)
    busy = covered(given)
    return sum(end - start for start, end in given) / busy if busy else 0.0

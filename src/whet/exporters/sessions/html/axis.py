"""Time as it is drawn: an hour in which nothing happens is no wider than a minute of it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from whet.documents.session_report import SessionLayout

SHORTEST = 1_000
"""Milliseconds of a pause that are always drawn as they were."""

MOST_TIMES = 3
"""A pause that is so many times the usual one is drawn shorter."""


class Pause(NamedTuple):
    """A time without any call that is drawn shorter than it was."""

    at: float
    """Where its middle is drawn, from 0 to 1."""

    length: float
    """Milliseconds, as they were."""


class Axis:
    """Where points in time are drawn, from 0 to 1."""

    def __init__(self, layout: SessionLayout) -> None:
        self.is_timed = len(set(layout.starts_ms)) > 1 or layout.duration_ms > 0
        """Whether there are times at all; otherwise calls stand one after the other."""

        self._count = len(layout.starts_ms)
        self._real = [0.0]
        self._drawn = [0.0]
        self._shortened: list[int] = []
        self._lay_out(layout)

    def at(self, milliseconds: float) -> float:
        """Where a point in time is drawn."""
        place = min(max(bisect_right(self._real, milliseconds), 1), len(self._real) - 1)
        return self._between(milliseconds, self._real, self._drawn, place) / self._drawn[-1]

    def time(self, share: float) -> float:
        """The point in time that is drawn there."""
        drawn = share * self._drawn[-1]
        place = min(max(bisect_right(self._drawn, drawn), 1), len(self._drawn) - 1)
        return self._between(drawn, self._drawn, self._real, place)

    def span(self, layout: SessionLayout, place: int) -> tuple[float, float]:
        """Where a call is drawn, from its beginning to its end."""
        if not self.is_timed:
            return place / max(1, self._count), (place + 0.8) / max(1, self._count)
        return self.at(layout.starts_ms[place]), self.at(layout.ends_ms[place])

    @property
    def pauses(self) -> Iterator[Pause]:
        """Those that are drawn shorter."""
        for place in self._shortened:
            middle = (self._drawn[place] + self._drawn[place + 1]) / 2
            yield Pause(middle / self._drawn[-1], self._real[place + 1] - self._real[place])

    def _lay_out(self, layout: SessionLayout) -> None:
        busy = _busy(layout)
        ends = [0.0, *(end for _, end in busy)]
        starts = [*(start for start, _ in busy), max(layout.duration_ms, ends[-1])]
        gaps = [start - end for start, end in zip(starts, ends, strict=True)]
        usual = median([gap for gap in gaps if gap > 0] or [0])
        most = max(SHORTEST, MOST_TIMES * usual)
        for number, gap in enumerate(gaps):
            if gap > 2 * most:
                self._shortened.append(len(self._real) - 1)
            self._add(gap, min(gap, most) if gap > 2 * most else gap)
            if number < len(busy):
                self._add(busy[number][1] - busy[number][0], busy[number][1] - busy[number][0])
        if self._drawn[-1] <= 0:
            self._add(1, 1)

    def _add(self, real: float, drawn: float) -> None:
        if real > 0:
            self._real.append(self._real[-1] + real)
            self._drawn.append(self._drawn[-1] + drawn)

    @staticmethod
    def _between(
        value: float, known: Sequence[float], wanted: Sequence[float], place: int
    ) -> float:
        low, high = known[place - 1], known[place]
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return wanted[place - 1] + share * (wanted[place] - wanted[place - 1])


def _busy(layout: SessionLayout) -> list[tuple[float, float]]:
    """The times in which any call ran, in order."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(zip(layout.starts_ms, layout.ends_ms, strict=True)):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found

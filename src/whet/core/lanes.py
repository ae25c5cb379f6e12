"""Lanes: how many agents of one engine and model work at once."""

from collections import Counter

WIDTH = 8
"""Agents at once in a lane, unless somebody says otherwise."""


def lane_of(engine: str, model: str) -> str:
    """The name of the lane of an engine with a model."""
    return f"{engine}:{model}"


class Lanes:
    """Counts who is under way in each lane; there is room for *width* of them."""

    def __init__(self, width: int = WIDTH) -> None:
        self._width = width
        self._busy: Counter[str] = Counter()

    def has_room(self, lane: str) -> bool:
        """Whether one more may begin."""
        return self._busy[lane] < self._width

    def enter(self, lane: str) -> None:
        """One more has begun."""
        self._busy[lane] += 1

    def leave(self, lane: str) -> None:
        """One of them has ended."""
        self._busy[lane] -= 1

"""The state port."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pydantic import JsonValue


class State(NamedTuple):
    """A value with the number of times it was set."""

    key: str
    revision: int
    value: dict[str, JsonValue]


class States(Protocol):
    """Named values that change by compare-and-set (experiments, projects, jobs, approvals)."""

    def get(self, kind: str, key: str) -> State | None:
        """The present state, or None."""
        ...

    def put(self, kind: str, key: str, expected: int, value: dict[str, JsonValue]) -> State:
        """Set the value if its revision still is *expected* (0 = absent), else ``Conflict``."""
        ...

    def list(self, kind: str) -> Sequence[State]:
        """All states of a kind, newest first."""
        ...

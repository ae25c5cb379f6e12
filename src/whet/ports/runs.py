"""The port of runs."""

from dataclasses import dataclass
from typing import Protocol

from whet.core.run import Run, RunKind, RunStatus, Wish
from whet.ports.listing import Page


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Which runs, and which part of them; None does not narrow."""

    kinds: tuple[RunKind, ...] | None = None
    statuses: tuple[RunStatus, ...] | None = None
    parent: str | None = None
    is_unattended: bool | None = None
    prefix: str = ""
    """The beginning of the id."""

    limit: int = 50
    offset: int = 0


class Runs(Protocol):
    """Runs that change by compare-and-set of their epoch."""

    def get(self, identity: str) -> Run | None:
        """The run as it is now, or None."""
        ...

    def claim(self, run: Run, expected: int | None = None) -> Run:
        """Keep *run* as what this process does from now on, with the next epoch; its creation and
        the number of wishes are taken over from the one that is there. Raises ``Conflict`` where
        that has another epoch than is *expected*."""
        ...

    def put(self, run: Run) -> Run:
        """Keep a changed run if its epoch is the one that is kept, else ``Conflict``. A wish that
        came meanwhile stays."""
        ...

    def wish(self, identity: str, wish: Wish) -> Run:
        """Let whoever is at a run know what a person wants; raises ``NotFound``."""
        ...

    def list(self, query: RunQuery) -> Page[Run]:
        """Runs that fit, the newest first; raises ``UsageError`` for a part that cannot be."""
        ...

    def delete(self, identity: str) -> bool:
        """Forget a run; False if there is none."""
        ...

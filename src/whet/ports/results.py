"""The results port."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from whet.core.result import Counts, Result
from whet.core.usage import Usage
from whet.ports.listing import Page


@dataclass(frozen=True, slots=True)
class ResultQuery:
    """Which results of a project, and which page of them; None does not narrow."""

    project: str
    arm: str | None = None
    set: str | None = None
    case: str | None = None
    status: Literal["completed", "failed", "skipped"] | None = None
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    page: int = 1
    page_size: int = 50


class Results(Protocol):
    """The tables of projects, one row for each place. A projection of the ledger that can be
    listed without reading a whole project."""

    def put(self, new: Iterable[Result]) -> None:
        """Keep results, in place of what was there for the same places."""
        ...

    def page(self, query: ResultQuery) -> Page[Result]:
        """One page, in plan order; raises ``UsageError`` for a page that cannot be."""
        ...

    def span(self, project: str, first: int, end: int) -> Sequence[Result]:
        """All results from one place of the plan on, before another, in plan order."""
        ...

    def trials(self, query: ResultQuery) -> Sequence[str]:
        """The addresses behind all results that fit, on whichever page, each once and in order."""
        ...

    def counts(self, project: str, arms: Collection[str] | None = None) -> Counts:
        """How far a project is; or only some of its arms."""
        ...

    def unpriced(self, project: str, arms: Collection[str] | None = None) -> int:
        """How many of its results have an answer whose price nobody knows."""
        ...

    def spent(self, project: str, arms: Collection[str] | None = None) -> Usage:
        """What all executions of its trials came to, whosever they were."""
        ...

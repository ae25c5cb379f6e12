"""The port of the leaderboard: results of projects, beside what is in the library now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from whet.documents.leaderboard import SkillTestSummary
from whet.ports.board_row import BoardGroup, BoardRow
from whet.ports.listing import Kind, Page


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which results of projects, and which page of them; None does not narrow."""

    skill: str | None = None
    baseline: str | None = None
    """Ids, as a whole."""

    purpose: str | None = None
    """Of the baseline: as the library has it; where it is gone, as its latest project had it."""

    since: datetime | None = None
    until: datetime | None = None
    """When they were tested, both moments included. What has no time is older than all."""

    current_only: bool = False
    """Only of the newest version of the skill on the newest one of the baseline."""

    by_version: bool = False
    """Of each version of a skill on each version of a baseline the latest one, up to *until*."""

    archived: bool = False
    """Those of archived projects, and only those; else they do not count."""

    page: int = 1
    page_size: int = 20
    records_page: int = 1
    records_page_size: int = 20
    """Which records of each group, where *page* counts groups."""


class Board(Protocol):
    """Every skill on every baseline of every project with a summary.

    A project with several baselines counts by what its summary says of each of them, and skills
    that a project does not name do not count. The best score comes first, then the most completed
    cases, then the newest; those without a score come last. Raises ``UsageError`` for a page that
    cannot be.
    """

    def results(self, query: BoardQuery) -> Page[BoardRow]:
        """One page of results, whatever they were tested on."""
        ...

    def groups(self, query: BoardQuery) -> Page[BoardGroup]:
        """One page of baselines with a page of the results on each of them; those with the most
        results come first, then the name decides."""
        ...

    def every(self, query: BoardQuery) -> Iterator[BoardRow]:
        """All results in the order of pages, read piece by piece: what is gone by then is left
        out."""
        ...

    def history(self, skill: str) -> Sequence[BoardRow]:
        """All results of the skill with that id, the oldest first."""
        ...

    def tested(self, kind: Kind, reference: str) -> str:
        """The id of an asset, as ``get`` finds it; of one that is gone by its id or the unique
        beginning of that. Raises ``NotFound``, and ``UsageError`` where several fit."""
        ...

    def test_summaries(self, skill_ids: Sequence[str]) -> Mapping[str, SkillTestSummary]:
        """What results come to for each of these skills; those without any are left out."""
        ...

"""The index over the files of a workspace."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from whet.core.asset_query import AssetQuery
from whet.documents.leaderboard import SkillTestSummary
from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardGroup, BoardRow
from whet.ports.entry import BaselineEntry, Hit, SkillEntry
from whet.ports.facets import Facets
from whet.ports.index import Broken, Refreshed
from whet.ports.listing import Kind, Page, TextQuery
from whet.stores.index import query as lists
from whet.stores.index.database import IndexFile, in_one_state, twice
from whet.stores.index.facets import facets
from whet.stores.index.follow import follow, follow_one, forget
from whet.stores.index.groups import groups
from whet.stores.index.results import fitting, history, results, tested
from whet.stores.index.rows import rows
from whet.stores.index.schema import is_filled
from whet.stores.index.search import search
from whet.stores.index.summaries import test_summaries
from whet.stores.index.walk import Counts

T = TypeVar("T")

PIECE = 500
"""Results that are in memory at once while all are read."""


class FileIndex:
    """``ports.index.Index`` in ``index.db`` of *workspace*."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._file = IndexFile(workspace)

    def refresh(self) -> Refreshed:
        """See the port."""
        return self._refreshed(lambda connection: follow(connection, self._workspace))

    def look_at(self, folder: str) -> None:
        """See the port."""
        twice(
            self._file,
            lambda: self._file.write(partial(follow_one, workspace=self._workspace, folder=folder)),
        )

    def rebuild(self) -> Refreshed:
        """See the port."""

        def anew(connection: sqlite3.Connection) -> Counts:
            forget(connection)
            return follow(connection, self._workspace)

        return self._refreshed(anew)

    def skills(self, query: AssetQuery) -> Page[SkillEntry]:
        """See the port."""
        items, total = self._read(lambda connection: lists.page_of(connection, "skill", query))
        found = cast(list[SkillEntry], items)
        return Page(tuple(found), total, query.page, query.page_size)

    def baselines(self, query: AssetQuery) -> Page[BaselineEntry]:
        """See the port."""
        items, total = self._read(lambda connection: lists.page_of(connection, "baseline", query))
        found = cast(list[BaselineEntry], items)
        return Page(tuple(found), total, query.page, query.page_size)

    def get(self, kind: Kind, reference: str) -> SkillEntry | BaselineEntry:
        """See the port."""
        return self._read(lambda connection: lists.find(connection, kind, reference))

    def search(self, query: TextQuery) -> Page[Hit]:
        """See the port."""
        items, total = self._read(lambda connection: search(connection, query))
        return Page(tuple(items), total, query.page, query.page_size)

    def facets(self, kind: Kind) -> Facets:
        """See the port."""
        return self._read(lambda connection: facets(connection, kind))

    def results(self, query: BoardQuery) -> Page[BoardRow]:
        """See the port."""
        items, total = self._read(lambda connection: results(connection, query))
        return Page(tuple(items), total, query.page, query.page_size)

    def groups(self, query: BoardQuery) -> Page[BoardGroup]:
        """See the port."""
        items, total = self._read(lambda connection: groups(connection, query))
        return Page(tuple(items), total, query.page, query.page_size)

    def every(self, query: BoardQuery) -> Iterator[BoardRow]:
        """See the port."""
        numbers = self._read(lambda connection: fitting(query).numbers(connection))
        for start in range(0, len(numbers), PIECE):
            yield from self._read(partial(rows, numbers=numbers[start : start + PIECE]))

    def history(self, skill: str) -> list[BoardRow]:
        """See the port."""
        return self._read(lambda connection: history(connection, skill))

    def tested(self, kind: Kind, reference: str) -> str:
        """See the port."""
        return self._read(lambda connection: tested(connection, kind, reference))

    def test_summaries(self, skill_ids: Sequence[str]) -> dict[str, SkillTestSummary]:
        """See the port."""
        return self._read(lambda connection: test_summaries(connection, skill_ids))

    def broken(self) -> list[Broken]:
        """See the port."""
        return self._read(lists.broken)

    def close(self) -> None:
        """Let go of the database."""
        self._file.close()

    def _refreshed(self, work: Callable[[sqlite3.Connection], Counts]) -> Refreshed:
        begun = time.perf_counter()

        def counted(connection: sqlite3.Connection) -> tuple[Counts, int]:
            return work(connection), len(lists.broken(connection))

        counts, broken = twice(self._file, lambda: self._file.write(counted))
        seconds = time.perf_counter() - begun
        return Refreshed(counts.added, counts.changed, counts.removed, broken, seconds)

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def filled() -> T:
            if not self._file.read(is_filled):
                self.refresh()
            return self._file.read(lambda connection: in_one_state(connection, work))

        return twice(self._file, filled)

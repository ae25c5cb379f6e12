"""The index over the sessions of a workspace."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from whet.ports.index import Broken, Refreshed
from whet.ports.listing import Page
from whet.ports.record_feed import RecordFeed
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit
from whet.ports.session_query import SessionQuery
from whet.stores.index.database import IndexFile, in_one_state, twice
from whet.stores.session_index import query as lists
from whet.stores.session_index.follow import (
    follow_files,
    follow_one,
    follow_records,
    is_filled,
)
from whet.stores.session_index.search import search

T = TypeVar("T")


class FileSessionIndex:
    """``ports.session_index.SessionIndex`` in ``index.db`` of *workspace*."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._file = IndexFile(workspace)

    def refresh(self, feed: RecordFeed | None = None) -> Refreshed:
        """See the port."""
        begun = time.perf_counter()

        def followed(connection: sqlite3.Connection) -> tuple[int, int, int, int]:
            files = follow_files(connection, self._workspace)
            added = files.added
            if feed is not None:
                added += follow_records(connection, feed).added
            return added, files.changed, files.removed, len(lists.broken(connection))

        counts = twice(self._file, lambda: self._file.write(followed))
        return Refreshed(*counts, time.perf_counter() - begun)

    def look_at(self, name: str, data: JsonValue = None) -> None:
        """See the port."""
        one = partial(follow_one, workspace=self._workspace, name=name, data=data)
        twice(self._file, lambda: self._file.write(one))

    def list(self, query: SessionQuery) -> Page[SessionEntry]:
        """See the port."""
        items, total = self._read(lambda connection: lists.page_of(connection, query))
        return Page(tuple(items), total, query.page, query.page_size)

    def search(self, query: SessionQuery) -> Page[SessionHit]:
        """See the port."""
        items, total = self._read(lambda connection: search(connection, query))
        return Page(tuple(items), total, query.page, query.page_size)

    def find(self, reference: str) -> SessionEntry:
        """See the port."""
        return self._read(lambda connection: lists.find(connection, reference))

    def of_source(self, source_format: str, original_id: str) -> Sequence[SessionEntry]:
        """See the port."""
        return self._read(
            lambda connection: lists.by_source(connection, source_format, original_id)
        )

    def of_log(self, digest: str) -> Sequence[SessionEntry]:
        """See the port."""
        return self._read(lambda connection: lists.by_log(connection, digest))

    def broken(self) -> Sequence[Broken]:
        """See the port."""
        return self._read(lists.broken)

    def close(self) -> None:
        """Let go of the database."""
        self._file.close()

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def filled() -> T:
            if not self._file.read(is_filled):
                self.refresh()
            return self._file.read(lambda connection: in_one_state(connection, work))

        return twice(self._file, filled)

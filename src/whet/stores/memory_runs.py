"""Runs in memory."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from whet.core.errors import Conflict, NotFound
from whet.core.run import Run, Wish
from whet.ports.listing import Page
from whet.ports.runs import RunQuery
from whet.stores.run_query import checked, claimed, fits, page_number, with_wishes_of


@dataclass
class RunTables:
    """The table of runs."""

    runs: dict[str, Run] = field(default_factory=dict[str, Run])


@dataclass(frozen=True)
class MemoryRuns:
    """``ports.runs.Runs`` in a dictionary."""

    tables: Callable[[], AbstractContextManager[RunTables]]

    def get(self, identity: str) -> Run | None:
        """See the port."""
        with self.tables() as tables:
            return tables.runs.get(identity)

    def claim(self, run: Run, expected: int | None = None) -> Run:
        """See the port."""
        with self.tables() as tables:
            tables.runs[run.id] = new = claimed(run, tables.runs.get(run.id), expected)
            return new

    def put(self, run: Run) -> Run:
        """See the port."""
        with self.tables() as tables:
            there = tables.runs.get(run.id)
            if there is None or there.epoch != run.epoch:
                actual = f"epoch {there.epoch}" if there else "no such run"
                raise Conflict(f"run {run.id}", f"epoch {run.epoch}", actual)
            tables.runs[run.id] = new = with_wishes_of(run, there)
            return new

    def wish(self, identity: str, wish: Wish) -> Run:
        """See the port."""
        with self.tables() as tables:
            there = tables.runs.get(identity)
            if there is None:
                raise NotFound(f"no run {identity!r}")
            change = {"wish": wish, "wishes": there.wishes + 1}
            tables.runs[identity] = new = there.model_copy(update=change)
            return new

    def list(self, query: RunQuery) -> Page[Run]:
        """See the port."""
        query = checked(query)
        with self.tables() as tables:
            found = [run for run in tables.runs.values() if fits(run, query)]
        found.sort(key=lambda run: run.id)
        found.sort(key=lambda run: run.created_at, reverse=True)
        items = tuple(found[query.offset : query.offset + query.limit])
        return Page(items, len(found), page_number(query), query.limit)

    def delete(self, identity: str) -> bool:
        """See the port."""
        with self.tables() as tables:
            return tables.runs.pop(identity, None) is not None

"""Capability runs in memory."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.core.errors import Conflict, NotFound
from whet.documents.capability import (
    CapabilityCaseSet,
    EvaluationDetail,
    EvaluationItem,
    EvaluationRun,
    RunStatus,
)
from whet.ports.evaluations import RunQuery
from whet.ports.listing import Page
from whet.stores.evaluation_changes import changed
from whet.stores.evaluation_query import NARROWING, checked, page_number


@dataclass
class EvaluationTables:
    """The tables of capability runs; flat, so that a copy of each undoes a transaction."""

    eval_runs: dict[str, EvaluationRun] = field(default_factory=dict[str, EvaluationRun])
    eval_items: dict[tuple[str, str], EvaluationItem] = field(
        default_factory=dict[tuple[str, str], EvaluationItem]
    )
    eval_case_sets: dict[str, CapabilityCaseSet] = field(
        default_factory=dict[str, CapabilityCaseSet]
    )


@dataclass(frozen=True)
class MemoryEvaluations:
    """``ports.evaluations.Evaluations`` in dictionaries."""

    tables: Callable[[], AbstractContextManager[EvaluationTables]]

    def create_eval_run(self, run: EvaluationRun, items: Sequence[EvaluationItem] = ()) -> None:
        """See the port."""
        with self.tables() as tables:
            if run.run_id in tables.eval_runs:
                raise Conflict(f"evaluation {run.run_id}", "no such run", "one")
            tables.eval_runs[run.run_id] = run
            for item in items:
                self.append_eval_item(item)

    def update_eval_run(
        self,
        run_id: str,
        changes: Mapping[str, JsonValue],
        expected: Collection[RunStatus] | None = None,
    ) -> EvaluationRun:
        """See the port."""
        with self.tables() as tables:
            tables.eval_runs[run_id] = run = changed(
                tables.eval_runs.get(run_id), run_id, changes, expected
            )
            return run

    def append_eval_item(self, item: EvaluationItem) -> None:
        """See the port."""
        with self.tables() as tables:
            if item.run_id not in tables.eval_runs:
                raise NotFound(f"no evaluation {item.run_id}")
            tables.eval_items[item.run_id, item.case_id] = item

    def list_eval_runs(self, query: RunQuery) -> Page[EvaluationRun]:
        """See the port."""
        query = checked(query)
        wanted = [(n, value) for n in NARROWING if (value := getattr(query, n)) is not None]
        with self.tables() as tables:
            found = [
                run
                for run in tables.eval_runs.values()
                if all(getattr(run, name) == value for name, value in wanted)
                and (query.since is None or run.started_at >= query.since)
                and (query.until is None or run.started_at < query.until)
            ]
        found.sort(key=lambda run: run.run_id)
        found.sort(key=lambda run: run.started_at, reverse=True)
        items = tuple(found[query.offset : query.offset + query.limit])
        return Page(items, len(found), page_number(query), query.limit)

    def get_eval_run_detail(self, run_id: str) -> EvaluationDetail | None:
        """See the port."""
        with self.tables() as tables:
            if run_id not in tables.eval_runs:
                return None
            items = tuple(item for (of, _), item in tables.eval_items.items() if of == run_id)
            return EvaluationDetail(run=tables.eval_runs[run_id], items=items)

    def delete_eval_run(self, run_id: str) -> bool:
        """See the port."""
        with self.tables() as tables:
            for key in [key for key in tables.eval_items if key[0] == run_id]:
                del tables.eval_items[key]
            return tables.eval_runs.pop(run_id, None) is not None

    def put_case_set(self, digest: str, case_set: CapabilityCaseSet) -> None:
        """See the port."""
        with self.tables() as tables:
            tables.eval_case_sets.setdefault(digest, case_set)

    def get_case_set(self, digest: str) -> CapabilityCaseSet | None:
        """See the port."""
        with self.tables() as tables:
            return tables.eval_case_sets.get(digest)

"""Capability runs in tables."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence

from pydantic import JsonValue
from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import Insert

from whet.core.errors import Conflict, NotFound
from whet.core.instant import iso
from whet.documents.capability import (
    CapabilityCaseSet,
    EvaluationDetail,
    EvaluationItem,
    EvaluationRun,
    RunStatus,
)
from whet.ports.clock import Clock
from whet.ports.evaluations import RunQuery
from whet.ports.listing import Page
from whet.stores.database import Database
from whet.stores.document_rows import DocumentRows, json_text, plain
from whet.stores.evaluation_changes import changed
from whet.stores.evaluation_query import NARROWING, checked, page_number
from whet.stores.prepared import Prepared
from whet.stores.schema import evaluation_case_sets as case_sets
from whet.stores.schema import evaluation_items as items
from whet.stores.schema import evaluation_runs as runs

_RUNS = DocumentRows(EvaluationRun, runs)
_ITEMS = DocumentRows(EvaluationItem, items, own=["ordinal"])
_KEY = ("run_id", "case_id")

_ADD_RUN = Prepared(lambda insert: insert(runs).on_conflict_do_nothing())
_IS_THERE = Prepared(select(runs.c.run_id).where(runs.c.run_id == bindparam("run_id")))
_NEXT = (
    select(func.coalesce(func.max(items.c.ordinal) + literal_column("1"), literal_column("0")))
    .where(items.c.run_id == bindparam("run_id"))
    .scalar_subquery()
)


def _put_item(insert: Callable[[Table], Insert]) -> Insert:
    names = [column.name for column in items.columns]
    new = insert(items).values({**{name: bindparam(name) for name in names}, "ordinal": _NEXT})
    kept = (*_KEY, "ordinal")
    return new.on_conflict_do_update(
        index_elements=_KEY, set_={name: new.excluded[name] for name in names if name not in kept}
    )


_PUT_ITEM = Prepared(_put_item)
_ADD_CASE_SET = Prepared(lambda insert: insert(case_sets).on_conflict_do_nothing())


class SqlEvaluations:
    """``ports.evaluations.Evaluations`` on a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create_eval_run(self, run: EvaluationRun, items: Sequence[EvaluationItem] = ()) -> None:
        """See the port."""
        with self._database.write() as connection:
            if not _ADD_RUN.run(connection, _RUNS.row(run)).rowcount:
                raise Conflict(f"evaluation {run.run_id}", "no such run", "one")
            for item in items:
                self.append_eval_item(item)

    def update_eval_run(
        self,
        run_id: str,
        changes: Mapping[str, JsonValue],
        expected: Collection[RunStatus] | None = None,
    ) -> EvaluationRun:
        """See the port."""
        with self._database.write() as connection:
            run = changed(_found(connection, run_id), run_id, changes, expected)
            connection.execute(update(runs).where(_is(run_id)), _RUNS.row(run))
        return run

    def append_eval_item(self, item: EvaluationItem) -> None:
        """See the port."""
        row = _ITEMS.row(item)
        with self._database.write() as connection:
            if _IS_THERE.run(connection, {"run_id": row["run_id"]}).fetchone() is None:
                raise NotFound(f"no evaluation {item.run_id}")
            _PUT_ITEM.run(connection, row)

    def list_eval_runs(self, query: RunQuery) -> Page[EvaluationRun]:
        """See the port."""
        query = checked(query)
        wanted = _wanted(query)
        rows = (
            select(runs)
            .where(*wanted)
            .order_by(runs.c.started_at.desc(), runs.c.run_id)
            .limit(query.limit)
            .offset(query.offset)
        )
        total = select(func.count()).select_from(runs).where(*wanted)
        with self._database.read() as connection:
            found = connection.execute(rows).mappings()
            page = tuple(_RUNS.document(dict(row)) for row in found)
            count = connection.execute(total).scalar_one()
        return Page(page, count, page_number(query), query.limit)

    def get_eval_run_detail(self, run_id: str) -> EvaluationDetail | None:
        """See the port."""
        mine = select(items).where(items.c.run_id == plain(run_id)).order_by(items.c.ordinal)
        with self._database.read() as connection:
            if (run := _found(connection, run_id)) is None:
                return None
            rows = connection.execute(mine).mappings()
            found = tuple(_ITEMS.document(dict(row)) for row in rows)
        return EvaluationDetail(run=run, items=found)

    def delete_eval_run(self, run_id: str) -> bool:
        """See the port."""
        with self._database.write() as connection:
            connection.execute(delete(items).where(items.c.run_id == plain(run_id)))
            return connection.execute(delete(runs).where(_is(run_id))).rowcount == 1

    def put_case_set(self, digest: str, case_set: CapabilityCaseSet) -> None:
        """See the port."""
        about = {"case_set": case_set.case_set, "language": case_set.language}
        row = {
            **{name: None if text is None else plain(text) for name, text in about.items()},
            "digest": digest,
            "version": None if case_set.version is None else plain(str(case_set.version)),
            "created_at": iso(self._clock.now()),
            "data": json_text(case_set.to_data()),
        }
        with self._database.write() as connection:
            _ADD_CASE_SET.run(connection, row)

    def get_case_set(self, digest: str) -> CapabilityCaseSet | None:
        """See the port."""
        query = select(case_sets.c.data).where(case_sets.c.digest == digest)
        with self._database.read() as connection:
            data = connection.execute(query).scalar()
        if data is None:
            return None
        return CapabilityCaseSet.parse(json.loads(data), f"case set {digest}")


def _found(connection: Connection, run_id: str) -> EvaluationRun | None:
    row = connection.execute(select(runs).where(_is(run_id))).mappings().one_or_none()
    return _RUNS.document(dict(row)) if row else None


def _is(run_id: str) -> ColumnElement[bool]:
    return runs.c.run_id == plain(run_id)


def _wanted(query: RunQuery) -> list[ColumnElement[bool]]:
    wanted = [(runs.c[name], getattr(query, name)) for name in NARROWING]
    conditions = [column == plain(value) for column, value in wanted if value is not None]
    if query.since is not None:
        conditions.append(runs.c.started_at >= query.since)
    if query.until is not None:
        conditions.append(runs.c.started_at < query.until)
    return conditions

"""The results of projects in a table."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, Select, Table, and_, bindparam, case, func, select
from sqlalchemy.dialects.sqlite import Insert

from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.errors import UsageError
from whet.core.result import Counts, Result
from whet.core.usage import Usage
from whet.ports.listing import Page
from whet.ports.results import ResultQuery
from whet.stores.database import Database
from whet.stores.prepared import Prepared
from whet.stores.schema import executions, results
from whet.stores.sql_usage import summed, summing

_KEY = ("project", "arm", "set", "case", "attempt")
_FIELDS = tuple(Result.model_fields)


def _put(insert: Callable[[Table], Insert]) -> Insert:
    new = insert(results).values({name: bindparam(name) for name in _FIELDS})
    return new.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: new.excluded[name] for name in _FIELDS if name not in _KEY},
    )


_PUT = Prepared(_put)


class SqlResults:
    """``ports.results.Results`` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, new: Iterable[Result]) -> None:
        """See the port."""
        rows = [dict(result) for result in new]
        if rows:
            with self._database.write() as connection:
                _PUT.many(connection, rows)

    def page(self, query: ResultQuery) -> Page[Result]:
        """See the port."""
        if not 1 <= query.page <= LAST_PAGE or not 1 <= query.page_size <= LARGEST_PAGE:
            raise UsageError(f"pages begin with 1 and have 1 to {LARGEST_PAGE} results")
        wanted = _wanted(query)
        rows: Select[tuple[object, ...]] = (
            select(*(results.c[name] for name in _FIELDS))
            .where(wanted)
            .order_by(results.c.ordinal)
            .limit(query.page_size)
            .offset((query.page - 1) * query.page_size)
        )
        total = select(func.count()).select_from(results).where(wanted)
        with self._database.read() as connection:
            found = connection.execute(rows).mappings()
            items = tuple(Result.model_validate(dict(row)) for row in found)
            count = connection.execute(total).scalar_one()
        return Page(items, count, query.page, query.page_size)

    def span(self, project: str, first: int, end: int) -> Sequence[Result]:
        """See the port."""
        ordinal = results.c.ordinal
        rows = (
            select(*(results.c[name] for name in _FIELDS))
            .where(results.c.project == project, ordinal >= first, ordinal < end)
            .order_by(ordinal)
        )
        with self._database.read() as connection:
            found = connection.execute(rows).mappings()
            return [Result.model_validate(dict(row)) for row in found]

    def trials(self, query: ResultQuery) -> Sequence[str]:
        """See the port."""
        rows = select(results.c.trial).where(_wanted(query)).distinct().order_by(results.c.trial)
        with self._database.read() as connection:
            return connection.execute(rows).scalars().all()

    def counts(self, project: str, arms: Collection[str] | None = None) -> Counts:
        """See the port."""
        unscored = case((results.c.grade_status == "scored", 0), else_=1)
        unanswered = case((results.c.generation.is_(None), 1), else_=0)
        query = (
            select(results.c.status, func.count(), func.sum(unscored), func.sum(unanswered))
            .where(_of(project, arms))
            .group_by(results.c.status)
        )
        with self._database.read() as connection:
            found = {row[0]: row[1:] for row in connection.execute(query)}
        return Counts(
            **{status: numbers[0] for status, numbers in found.items()},
            unscored=found.get("completed", (0, 0, 0))[1],
            unanswered=found.get("failed", (0, 0, 0))[2],
        )

    def unpriced(self, project: str, arms: Collection[str] | None = None) -> int:
        """See the port."""
        query = (
            select(func.count())
            .select_from(results)
            .where(
                _of(project, arms),
                results.c.generation.is_not(None),
                results.c.cost_usd.is_(None),
            )
        )
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def spent(self, project: str, arms: Collection[str] | None = None) -> Usage:
        """See the port."""
        mine = select(results.c.trial).where(_of(project, arms))
        with self._database.read() as connection:
            return summed(connection, summing(executions.c.address.in_(mine)))


def _of(project: str, arms: Collection[str] | None) -> ColumnElement[bool]:
    mine = results.c.project == project
    return mine if arms is None else and_(mine, results.c.arm.in_(arms))


def _wanted(query: ResultQuery) -> ColumnElement[bool]:
    return and_(
        *(
            results.c[name] == value
            for name, value in asdict(query).items()
            if name in results.c and value is not None
        )
    )

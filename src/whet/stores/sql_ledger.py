"""The ledger in tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from whet.core.errors import Conflict
from whet.core.execution import Execution, Outcome
from whet.core.grade import Grade
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.ports.recorded import Recorded
from whet.stores.database import Database
from whet.stores.prepared import Prepared
from whet.stores.schema import executions, grades, recorded, retries, trials
from whet.stores.sql_usage import summed, summing
from whet.stores.upsert import insert_into

_CLOSING = ("ended_at", "outcome", "failure", "error", *Usage.model_fields)

# Statements are built once; only their parameters change.
_RECORD = select(trials.c.data).where(
    trials.c.address == bindparam("address"), trials.c.generation == bindparam("generation")
)
_FIND_RECORD = Prepared(_RECORD)
_COLUMNS = [column.name for column in executions.columns]
_PARAMETERS: list[ColumnElement[object]] = [
    bindparam(column.name, type_=column.type) for column in executions.columns
]
_CLAIM = Prepared(
    lambda insert: (
        insert(executions)
        .from_select(_COLUMNS, select(*_PARAMETERS).where(~_RECORD.exists()))
        .on_conflict_do_nothing()
    )
)
"""Adds the execution unless there is a record or an open claim: one statement when all is well."""

_HOLDER = select(executions.c.id, executions.c.owner).where(
    executions.c.address == bindparam("address"),
    executions.c.generation == bindparam("generation"),
    executions.c.outcome.is_(None),
)
_CLOSE = Prepared(
    update(executions)
    .where(executions.c.id == bindparam("execution"), executions.c.outcome.is_(None))
    .values({name: bindparam(name) for name in _CLOSING})
)
_ADD_RECORD = Prepared(insert(trials))
_ADD_PLACE = Prepared(
    insert(recorded).values({n: bindparam(n) for n in ("address", "generation")}).inline()
)
_ADD_IMPORTED = Prepared(lambda insert: insert(trials).on_conflict_do_nothing())
_ADD_GRADE = Prepared(lambda insert: insert(grades).on_conflict_do_nothing())
_WANTED = Prepared(select(retries.c.generation).where(retries.c.address == bindparam("address")))
_SPENT = summing(executions.c.address.in_(bindparam("addresses", expanding=True)))
_CHUNK = 500


class SqlLedger:
    """``ports.ledger.Ledger`` on a database; *alive* tells whether an owner still runs."""

    def __init__(self, database: Database, alive: Callable[[str], bool]) -> None:
        self._database = database
        self._alive = alive

    def claim(self, execution: Execution) -> Execution | TrialRecord | None:
        """See the port."""
        row = _row(execution)
        with self._database.write() as connection:
            if _CLAIM.run(connection, row).rowcount:
                return execution
            if (done := _FIND_RECORD.run(connection, row).fetchone()) is not None:
                return TrialRecord.model_validate_json(str(done[0]))
            if not self._bury(connection, row, execution.started_at):
                return None
            _CLAIM.run(connection, row)
            return execution

    def _bury(self, connection: Connection, key: Mapping[str, object], now: str) -> bool:
        """Close the claim that is in the way if its owner is dead."""
        holder = connection.execute(_HOLDER, dict(key)).one()
        if self._alive(holder.owner):
            return False
        self._close(connection, holder.id, {"ended_at": now, "outcome": Outcome.ABANDONED})
        return True

    def close(self, execution: Execution, record: TrialRecord | None) -> None:
        """See the port."""
        values = _row(execution)
        with self._database.write() as connection:
            self._close(connection, execution.id, values)
            if record is not None:
                _ADD_RECORD.run(connection, _trial(record))
                _ADD_PLACE.run(connection, _place(record))

    def _close(self, connection: Connection, execution: str, values: dict[str, object]) -> None:
        parameters = {"failure": None, "error": None, **Usage().model_dump(), **values}
        closing = {name: parameters[name] for name in _CLOSING}
        if not _CLOSE.run(connection, {"execution": execution, **closing}).rowcount:
            raise Conflict(f"execution {execution}", "an open claim", "a closed one")

    def generation(self, address: str) -> int:
        """See the port."""
        with self._database.read() as connection:
            wanted = _WANTED.run(connection, {"address": address}).fetchone()
            return int(str(wanted[0])) if wanted else IMPORTED + 1

    def retry(self, addresses: Iterable[str]) -> int:
        """See the port."""
        newest = (
            select(trials.c.address, (func.max(trials.c.generation) + 1).label("generation"))
            .where(trials.c.address.in_(bindparam("addresses", expanding=True)))
            .group_by(trials.c.address)
        )
        with self._database.write() as connection:
            new = insert_into(connection.dialect.name)(retries)
            wish = new.from_select(["address", "generation"], newest)
            later = wish.excluded.generation
            wish = wish.on_conflict_do_update(
                index_elements=["address"],
                set_={"generation": later},
                where=later > retries.c.generation,
            ).execution_options(preserve_rowcount=True)
            return sum(
                connection.execute(wish, {"addresses": chunk}).rowcount
                for chunk in _chunks(addresses)
            )

    def executions(self, address: str) -> Sequence[Execution]:
        """See the port."""
        query = (
            select(executions)
            .where(executions.c.address == address)
            .order_by(executions.c.started_at, executions.c.id)
        )
        with self._database.read() as connection:
            return [_execution(dict(row)) for row in connection.execute(query).mappings()]

    def execution(self, identity: str) -> Execution | None:
        """See the port."""
        query = select(executions).where(executions.c.id == identity)
        with self._database.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else _execution(dict(row))

    def spent(self, addresses: Iterable[str]) -> Usage:
        """See the port."""
        total = Usage()
        with self._database.read() as connection:
            for chunk in _chunks(addresses):
                total += summed(connection, _SPENT, addresses=chunk)
        return total

    def latest(self, limit: int) -> Sequence[TrialRecord]:
        """See the port."""
        same = (trials.c.address == executions.c.address) & (
            trials.c.generation == executions.c.generation
        )
        query = (
            select(trials.c.data)
            .join(executions, same)
            .where(executions.c.outcome == Outcome.ANSWERED)
            .order_by(executions.c.ended_at.desc(), executions.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            found = connection.execute(query).scalars()
            return [TrialRecord.model_validate_json(data) for data in found]

    def record(self, address: str, *, imported: bool = False) -> TrialRecord | None:
        """See the port."""
        return self.records([address], imported=imported).get(address)

    def records(
        self, addresses: Iterable[str], *, imported: bool = False
    ) -> dict[str, TrialRecord]:
        """See the port."""
        oldest = IMPORTED if imported else IMPORTED + 1
        found: dict[str, TrialRecord] = {}
        newest = (
            select(trials.c.address, func.max(trials.c.generation).label("generation"))
            .outerjoin(retries, retries.c.address == trials.c.address)
            .where(trials.c.address.in_(bindparam("addresses", expanding=True)))
            .where(trials.c.generation >= func.coalesce(retries.c.generation, oldest))
            .group_by(trials.c.address)
            .subquery()
        )
        query = select(trials.c.data).join(
            newest,
            (trials.c.address == newest.c.address) & (trials.c.generation == newest.c.generation),
        )
        with self._database.read() as connection:
            for chunk in _chunks(addresses):
                for data in connection.execute(query, {"addresses": chunk}).scalars():
                    record = TrialRecord.model_validate_json(data)
                    found[record.address] = record
        return found

    def addresses(self) -> Sequence[str]:
        """See the port."""
        query = select(trials.c.address).distinct().order_by(trials.c.address)
        with self._database.read() as connection:
            return list(connection.execute(query).scalars())

    def add_imported(self, new: Iterable[TrialRecord]) -> int:
        """See the port."""
        added = 0
        with self._database.write() as connection:
            for each in new:
                record = each.model_copy(update={"generation": IMPORTED})
                if _ADD_IMPORTED.run(connection, _trial(record)).rowcount:
                    _ADD_PLACE.run(connection, _place(record))
                    added += 1
        return added

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        """See the port."""
        same = (trials.c.address == recorded.c.address) & (
            trials.c.generation == recorded.c.generation
        )
        query = (
            select(recorded.c.cursor, trials.c.data)
            .join(trials, same)
            .where(recorded.c.cursor > after)
            .order_by(recorded.c.cursor)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [
                Recorded(row.cursor, TrialRecord.model_validate_json(row.data))
                for row in connection.execute(query)
            ]

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        """See the port."""
        query = select(recorded.c.address, recorded.c.generation).where(recorded.c.cursor == cursor)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return (row.address, row.generation) if row else None

    def generations(self, address: str) -> Sequence[TrialRecord]:
        """See the port."""
        query = select(trials.c.data).where(trials.c.address == address)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(trials.c.generation)).scalars().all()
        return [TrialRecord.model_validate_json(data) for data in rows]

    def grades_of(self, trial: str) -> Sequence[Grade]:
        """See the port."""
        query = select(grades.c.data).where(grades.c.trial == trial)
        with self._database.read() as connection:
            found = [
                Grade.model_validate_json(data) for data in connection.execute(query).scalars()
            ]
        return sorted(found, key=lambda grade: (grade.evaluated_at, grade.address))

    def add_grades(self, new: Iterable[Grade]) -> None:
        """See the port."""
        rows = [
            {"address": grade.address, "trial": grade.trial, "data": grade.model_dump_json()}
            for grade in new
        ]
        if rows:
            with self._database.write() as connection:
                _ADD_GRADE.many(connection, rows)

    def grades(self, addresses: Iterable[str]) -> dict[str, Grade]:
        """See the port."""
        found: dict[str, Grade] = {}
        query = select(grades.c.data).where(
            grades.c.address.in_(bindparam("addresses", expanding=True))
        )
        with self._database.read() as connection:
            for chunk in _chunks(addresses):
                for data in connection.execute(query, {"addresses": chunk}).scalars():
                    grade = Grade.model_validate_json(data)
                    found[grade.address] = grade
        return found


def _row(execution: Execution) -> dict[str, object]:
    row = execution.model_dump(mode="json")
    return {**row, **row.pop("usage")}


def _trial(record: TrialRecord) -> dict[str, object]:
    return {
        "address": record.address,
        "generation": record.generation,
        "data": record.model_dump_json(),
    }


def _place(record: TrialRecord) -> dict[str, object]:
    return {"address": record.address, "generation": record.generation}


def _execution(row: dict[str, object]) -> Execution:
    usage = {name: row.pop(name) for name in Usage.model_fields}
    return Execution.model_validate({**row, "usage": usage})


def _chunks(addresses: Iterable[str]) -> Iterator[list[str]]:
    """Lists short enough for one statement."""
    every = list(addresses)
    return (every[start : start + _CHUNK] for start in range(0, len(every), _CHUNK))

"""What executions used up, summed by the database."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Select, cast, func, select

from whet.core.usage import Usage
from whet.stores.schema import executions

_COLUMNS = [executions.c[name] for name in Usage.model_fields]


def summing(of: ColumnElement[bool]) -> Select[tuple[object, ...]]:
    """The statement for those executions."""
    # A sum is of another type than what is summed, and another one in each database.
    return select(*(cast(func.sum(column), column.type) for column in _COLUMNS)).where(of)


def summed(
    connection: Connection, statement: Select[tuple[object, ...]], **parameters: Sequence[str]
) -> Usage:
    """What it comes to; money that nobody knows is not 0."""
    row = connection.execute(statement, parameters).one()
    sums: dict[str, object] = dict(zip(Usage.model_fields, row, strict=True))
    return Usage.model_validate({name: sum_ for name, sum_ in sums.items() if sum_ is not None})

"""``INSERT … ON CONFLICT``: SQLAlchemy has a class for each database, alike in all we use."""

from collections.abc import Callable
from typing import cast

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite


def insert_into(dialect: str) -> Callable[[Table], sqlite.Insert]:
    """What makes the statement for a dialect."""
    if dialect == "sqlite":
        return sqlite.insert
    from sqlalchemy.dialects import postgresql  # large; who has a file does not need it

    return cast(Callable[[Table], sqlite.Insert], postgresql.insert)

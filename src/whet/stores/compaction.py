"""Whether a file of SQLite has to be written anew, without what was deleted."""

import sqlite3

TO_BE_COMPACTED = 1
"""The number that a file of SQLite has from a migration until it is written anew without what was
deleted then."""


def is_to_be_compacted(database: sqlite3.Connection) -> bool:
    """Whether the file may still have secrets in it that a migration took out of the tables."""
    (number,) = database.execute("PRAGMA user_version").fetchone()
    return number == TO_BE_COMPACTED

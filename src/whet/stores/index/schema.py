"""The tables of ``index.db``."""

import sqlite3
import unicodedata

from whet.core.text import storable

STAMP = f"1, Unicode {unicodedata.unidata_version}"
"""Of tables and words. An index with another one is made anew: words that are not the same as
those that were put in could not be taken out again."""

_TABLES = """
CREATE TABLE about (stamp TEXT NOT NULL, is_filled INTEGER NOT NULL);

-- Every folder of a version, and what it looked like when it was read.
CREATE TABLE versions (
    path TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    watched TEXT NOT NULL,
    stamps BLOB NOT NULL,
    is_young INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    problem TEXT NOT NULL,
    is_listed INTEGER NOT NULL,
    id TEXT,
    version TEXT,
    number INTEGER,
    updated_at TEXT,
    digest TEXT,
    first TEXT
);
CREATE INDEX versions_of ON versions (kind, id);

-- What lists choose and sort by. They look at every row, so the rows are narrow and an index
-- covers them.
CREATE TABLE assets (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    type TEXT,
    purpose TEXT NOT NULL,
    provider TEXT NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    folded_description TEXT NOT NULL,
    UNIQUE (kind, id)
);
CREATE INDEX lists ON assets (
    kind, status, purpose, provider, type, updated_at, created_at, id, folded_name
);
CREATE TABLE tags (
    folded TEXT NOT NULL,
    asset INTEGER NOT NULL,
    PRIMARY KEY (folded, asset)
) WITHOUT ROWID;
CREATE INDEX tags_of ON tags (asset);

-- What is shown, and what the words were made of.
CREATE TABLE shown (
    asset INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL,
    description TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    name, tags, description, body, content = '', tokenize = 'ascii', prefix = '1'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 8388608);
"""


def as_column(text: str) -> str:
    """*text* as a column can hold it."""
    return storable(text).replace("\0", " ")


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether the index is one of ours and of today; False where there is nothing yet.

    Raises ``sqlite3.DatabaseError`` for what is something else.
    """
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return False
    (stamp,) = connection.execute("SELECT stamp FROM about").fetchone() or (None,)
    if stamp != STAMP:
        raise sqlite3.DatabaseError(f"the index is of another make: {stamp}")
    return True


def create_tables(connection: sqlite3.Connection) -> None:
    """Make an empty index."""
    connection.executescript(f"BEGIN IMMEDIATE;\n{_TABLES}")
    connection.execute("INSERT INTO about VALUES (?, 0)", (STAMP,))
    connection.execute("COMMIT")


def is_filled(connection: sqlite3.Connection) -> bool:
    """Whether the files were ever followed to their end."""
    return bool(connection.execute("SELECT is_filled FROM about").fetchone()[0])

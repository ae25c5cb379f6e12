"""The tables of ``index.db``."""

import sqlite3
import unicodedata
from datetime import UTC, datetime

from whet.core.text import storable

STAMP = f"2, Unicode {unicodedata.unidata_version}"
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

-- The same of every project; it has results where there is a summary.
CREATE TABLE projects (
    path TEXT PRIMARY KEY,
    watched TEXT NOT NULL,
    stamps BLOB NOT NULL,
    is_young INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    problem TEXT NOT NULL,
    has_results INTEGER NOT NULL,
    id TEXT
);
CREATE INDEX projects_of ON projects (id);

-- What lists choose and sort by. They look at every row, so the rows are narrow and an index
-- covers them.
CREATE TABLE assets (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    case_count INTEGER,
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
    value TEXT NOT NULL,
    asset INTEGER NOT NULL,
    PRIMARY KEY (folded, value, asset)
) WITHOUT ROWID;
CREATE INDEX tags_of ON tags (asset);

-- How a skill did on a baseline in a project. A score stays the kind of number that it was.
CREATE TABLE results (
    project TEXT NOT NULL,
    skill TEXT NOT NULL,
    skill_version TEXT NOT NULL,
    baseline TEXT NOT NULL,
    baseline_version TEXT NOT NULL,
    baseline_name TEXT NOT NULL,
    purpose TEXT NOT NULL,
    tested_at REAL NOT NULL,
    score,
    simulated INTEGER,
    record TEXT NOT NULL
);
CREATE INDEX results_of ON results (project);
CREATE INDEX results_on ON results (baseline);
CREATE INDEX tests ON results (
    skill, skill_version, baseline, baseline_version, baseline_name, score, simulated
);

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


def as_seconds(moment: str) -> float:
    """A point in time since 1970; what is none was long before."""
    try:
        return seconds(datetime.fromisoformat(moment))
    except ValueError:
        return -1e12


def seconds(moment: datetime) -> float:
    """Since 1970; without a zone it is UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


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

"""The tables of ``index.db``."""

import sqlite3
import unicodedata
from datetime import UTC, datetime

from whet.core.text import storable

STAMP = f"6, Unicode {unicodedata.unidata_version}"
"""Of tables and words. An index with another one is made anew: words that are not the same as
those that were put in could not be taken out again."""

_TABLES = """
CREATE TABLE about (stamp TEXT NOT NULL, is_filled INTEGER NOT NULL);

-- How far the sessions were followed: whether the files ever were to their end, and the last record
-- of a trial, by its place in the database and by what stands there.
CREATE TABLE followed (
    is_filled INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    address TEXT NOT NULL,
    generation INTEGER NOT NULL
);
INSERT INTO followed VALUES (0, 0, '', 0);

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
    name TEXT,
    version TEXT,
    number INTEGER,
    updated_at TEXT,
    digest TEXT,
    first TEXT
);
CREATE INDEX versions_of ON versions (kind, id);
CREATE INDEX versions_broken ON versions (path) WHERE problem <> '';

-- Folders with a version that lies in another one too, which comes first and counts.
CREATE TABLE twins (
    path TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    first TEXT NOT NULL
);
CREATE INDEX twins_of ON twins (kind, id);

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
    package TEXT,
    UNIQUE (kind, id)
);
CREATE INDEX lists ON assets (
    kind, status, purpose, provider, type, updated_at, created_at, id, folded_name
);
CREATE INDEX packages ON assets (package) WHERE package IS NOT NULL;
CREATE TABLE tags (
    folded TEXT NOT NULL,
    value TEXT NOT NULL,
    asset INTEGER NOT NULL,
    PRIMARY KEY (folded, value, asset)
) WITHOUT ROWID;
CREATE INDEX tags_of ON tags (asset);

-- Skills and baselines that were tested, whether the library has them or not.
CREATE TABLE tested (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
);

-- How a skill did on a baseline in a project. A score stays the kind of number that it was. A
-- result was replaced when the same versions were tested again. Pages look at many rows, so the
-- rows are narrow and indexes cover them. Numbers are never used again: whoever reads piece by
-- piece gets what was asked for, or nothing.
CREATE TABLE results (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    archived INTEGER NOT NULL,
    skill INTEGER NOT NULL,
    skill_version TEXT NOT NULL,
    baseline INTEGER NOT NULL,
    baseline_version TEXT NOT NULL,
    score,
    completed INTEGER NOT NULL,
    tested_at REAL NOT NULL,
    tie INTEGER NOT NULL,
    replaced_at REAL NOT NULL,
    is_current INTEGER NOT NULL,
    simulated INTEGER,
    baseline_name TEXT NOT NULL,
    purpose TEXT NOT NULL,
    case_count INTEGER NOT NULL
);
CREATE INDEX results_of ON results (project);
CREATE INDEX merits ON results (
    archived, score DESC, completed DESC, tested_at DESC, tie,
    baseline, skill, is_current, replaced_at
);
CREATE INDEX merits_on ON results (
    archived, baseline, score DESC, completed DESC, tested_at DESC, tie,
    skill, is_current, replaced_at
);
CREATE INDEX tests ON results (
    archived, skill, baseline, skill_version, baseline_version, tested_at, tie,
    score, completed, simulated, is_current, replaced_at
);

-- All that a result says.
CREATE TABLE records (number INTEGER PRIMARY KEY, record TEXT NOT NULL);

-- What the results on each baseline come to. The latest of each version are those that nothing
-- has replaced.
CREATE TABLE boards (
    archived INTEGER NOT NULL,
    baseline INTEGER NOT NULL,
    skills INTEGER NOT NULL,
    current_skills INTEGER NOT NULL,
    tests INTEGER NOT NULL,
    current_tests INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    current_latest INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    PRIMARY KEY (archived, baseline)
) WITHOUT ROWID;

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

-- Every file in sessions/, what it looked like when it was read, and which session it is.
CREATE TABLE session_files (
    path TEXT PRIMARY KEY,
    stamps BLOB NOT NULL,
    is_young INTEGER NOT NULL,
    problem TEXT NOT NULL,
    session INTEGER
);
CREATE INDEX session_files_broken ON session_files (path) WHERE problem <> '';

-- Sessions of files and of trials. Those of a job's turns are hidden: the job has one for all.
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    session_id TEXT NOT NULL,
    status TEXT NOT NULL,
    engine TEXT NOT NULL,
    model TEXT NOT NULL,
    created REAL NOT NULL,
    hidden INTEGER NOT NULL,
    run TEXT,
    trial_address TEXT,
    generation INTEGER,
    source_format TEXT,
    source_digest TEXT,
    original_id TEXT,
    entry TEXT NOT NULL
);
CREATE INDEX session_lists ON sessions (hidden, created DESC, name, kind, status, engine, model);
CREATE INDEX session_names ON sessions (name);
CREATE INDEX session_runs ON sessions (run) WHERE run IS NOT NULL;
CREATE INDEX session_trials ON sessions (trial_address) WHERE trial_address IS NOT NULL;
CREATE INDEX session_logs ON sessions (source_digest) WHERE source_digest IS NOT NULL;
CREATE INDEX session_sources ON sessions (original_id) WHERE original_id IS NOT NULL;

-- What was done in a session, each thing once, and the skills that were taken up.
CREATE TABLE session_acts (
    session INTEGER NOT NULL,
    tool TEXT NOT NULL,
    failed INTEGER NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (session, tool, failed, name, path)
) WITHOUT ROWID;
CREATE INDEX session_acts_by_tool ON session_acts (tool, failed, session);
CREATE INDEX session_acts_by_file ON session_acts (name, session, path);
CREATE TABLE session_skills (
    skill TEXT NOT NULL,
    session INTEGER NOT NULL,
    PRIMARY KEY (skill, session)
) WITHOUT ROWID;
CREATE INDEX session_skills_of ON session_skills (session);

-- What the words of a session were made of; its calls are packed.
CREATE TABLE session_texts (
    session INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    prompt TEXT NOT NULL,
    said TEXT NOT NULL,
    calls BLOB NOT NULL
);
CREATE VIRTUAL TABLE session_words USING fts5 (
    title, prompt, said, calls, content = '', tokenize = 'ascii', prefix = '1'
);
INSERT INTO session_words (session_words, rank) VALUES ('hashsize', 8388608);
"""

SESSION_TABLES = (
    "session_files",
    "sessions",
    "session_acts",
    "session_skills",
    "session_texts",
)


def forget_sessions(connection: sqlite3.Connection) -> None:
    """Have all sessions read anew, within a transaction."""
    connection.execute("INSERT INTO session_words (session_words) VALUES ('delete-all')")
    for table in SESSION_TABLES:
        connection.execute(f"DELETE FROM {table}")
    connection.execute(
        "UPDATE followed SET is_filled = 0, cursor = 0, address = '', generation = 0"
    )


NEVER = 1e12
"""After every point in time, in seconds since 1970; its negative is before all of them."""


def as_column(text: str) -> str:
    """*text* as a column can hold it."""
    return storable(text).replace("\0", " ")


def as_seconds(moment: str) -> float:
    """A point in time since 1970; what is none was long before."""
    try:
        return seconds(datetime.fromisoformat(moment))
    except ValueError:
        return -NEVER


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

"""Putting a session into the index and taking it out again."""

import json
import sqlite3
import zlib
from collections.abc import Sequence

from pydantic import JsonValue

from whet.core.text import folded
from whet.ports.session_entry import SessionEntry, SessionKind
from whet.stores.index.grams import BARRIER, tokens
from whet.stores.index.schema import as_seconds
from whet.stores.session_index.digest import CallText, Digest

_PUT = """
INSERT INTO sessions (
    name, kind, session_id, status, engine, model, created, hidden, run, trial_address, generation,
    source_format, source_digest, original_id, entry
) VALUES (
    :name, :kind, :session_id, :status, :engine, :model, :created, 0, :run, :trial_address,
    :generation, :source_format, :source_digest, :original_id, :entry
) RETURNING number
"""
_COLUMNS = (
    "session_id",
    "trial_address",
    "source_format",
    "source_digest",
    "original_id",
)
_WORDS = "session_words (rowid, title, prompt, said, calls)"
_DROP_WORDS = (
    "INSERT INTO session_words (session_words, rowid, title, prompt, said, calls)"
    " VALUES ('delete', ?, ?, ?, ?, ?)"
)
_HIDE = """
UPDATE sessions SET hidden = EXISTS (
    SELECT 1 FROM sessions AS job WHERE job.kind = 'job'
    AND (job.run = sessions.run OR job.trial_address = sessions.trial_address)
)
WHERE kind IN ('trial', 'ask') AND (run = ?1 OR trial_address = ?2)
"""


def put(
    connection: sqlite3.Connection,
    found: Digest,
    name: str,
    path: str | None = None,
    generation: int | None = None,
) -> int:
    """Put a session in, and return its number; of a file if there is a *path*."""
    kind = _kind(found, path)
    entry = {**found.entry, "name": name, "kind": kind, "path": path, "generation": generation}
    row = {
        **{column: entry[column] for column in _COLUMNS},
        "name": name,
        "kind": kind,
        "status": entry["status"],
        "engine": folded(str(entry["engine"] or "")),
        "model": folded(str(entry["model"] or "")),
        "created": as_seconds(str(entry["created_at"])),
        "run": found.run,
        "generation": generation,
        "entry": json.dumps(entry, ensure_ascii=False),
    }
    (number,) = connection.execute(_PUT, row).fetchone()
    _put_texts(connection, number, found)
    acts = {
        (number, folded(call.tool), call.failed, _last(call.file), folded(call.file or ""))
        for call in found.calls
    }
    connection.executemany("INSERT OR IGNORE INTO session_acts VALUES (?, ?, ?, ?, ?)", acts)
    skills = entry["skills"]
    connection.executemany(
        "INSERT OR IGNORE INTO session_skills VALUES (?, ?)",
        [(folded(str(skill)), number) for skill in (skills if isinstance(skills, list) else ())],
    )
    connection.execute(_HIDE, (found.run, entry["trial_address"]))
    return number


def take_out(connection: sqlite3.Connection, number: int) -> None:
    """Take a session out."""
    row = connection.execute(
        "DELETE FROM sessions WHERE number = ? RETURNING run, trial_address", (number,)
    ).fetchone()
    if row is None:
        return
    texts = texts_of(connection, [number]).get(number)
    if texts is not None:
        connection.execute(_DROP_WORDS, (number, *_words(texts)))
    for table in ("session_texts", "session_acts", "session_skills"):
        connection.execute(f"DELETE FROM {table} WHERE session = ?", (number,))
    connection.execute(_HIDE, row)


class Texts:
    """What a session's words were made of."""

    __slots__ = ("_packed", "prompt", "said", "title")

    def __init__(self, title: str, prompt: str, said: str, packed: bytes) -> None:
        self.title, self.prompt, self.said, self._packed = title, prompt, said, packed

    @property
    def calls(self) -> list[CallText]:
        """Its calls."""
        return [CallText(*one) for one in json.loads(zlib.decompress(self._packed))]


def texts_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Texts]:
    """The texts of these sessions."""
    rows = connection.execute(
        "SELECT session, title, prompt, said, calls FROM session_texts"
        " WHERE session IN (SELECT value FROM json_each(?))",
        (json.dumps(numbers),),
    )
    return {number: Texts(*rest) for number, *rest in rows}


def entries(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[SessionEntry]:
    """The sessions with these numbers, in the same order."""
    rows = dict(
        connection.execute(
            "SELECT number, entry FROM sessions WHERE number IN (SELECT value FROM json_each(?))",
            (json.dumps(numbers),),
        )
    )
    return [SessionEntry.model_validate_json(rows[number]) for number in numbers if number in rows]


def _put_texts(connection: sqlite3.Connection, number: int, found: Digest) -> None:
    packed = zlib.compress(json.dumps(found.calls, ensure_ascii=False).encode(), 1)
    texts = Texts(str(found.entry["title"]), found.prompt, found.said, packed)
    connection.execute(
        "INSERT INTO session_texts VALUES (?, ?, ?, ?, ?)",
        (number, texts.title, texts.prompt, texts.said, packed),
    )
    connection.execute(f"INSERT INTO {_WORDS} VALUES (?, ?, ?, ?, ?)", (number, *_words(texts)))


def _words(texts: Texts) -> tuple[str, str, str, str]:
    calls = BARRIER.join(f"{call.tool} {call.text}" for call in texts.calls)
    return tokens(texts.title), tokens(texts.prompt), tokens(texts.said), tokens(calls)


def _kind(found: Digest, path: str | None) -> SessionKind:
    if path is None:
        return "ask" if found.scope == "ask" else "trial"
    if found.entry["request_id"] is not None:
        return "job"
    return "import" if found.entry["source_digest"] is not None else "file"


def _last(file: JsonValue) -> str:
    """The name of a file, without its folders."""
    return folded(str(file or "").rstrip("/").rpartition("/")[2])

"""The sessions of Gemini CLI: lines, or one document as older versions wrote; and what it
prints with ``-o stream-json``."""

from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import WhetError
from whet.core.foreign import text
from whet.core.logged import About, Logged, Opened
from whet.core.step import Spent
from whet.core.usage import Usage
from whet.documents.session_import import Repairs
from whet.ports.reader import Head
from whet.readers.beside import is_plain, plain_files
from whet.readers.clock import Clock
from whet.readers.document import members
from whet.readers.gemini_events import KINDS, GeminiEvents
from whet.readers.gemini_rows import GeminiRows, GeminiSession
from whet.readers.recognition import head_of
from whet.readers.rows import Row, rows

_ID = 8
"""Characters of the session's id in the name of its file."""


class GeminiReader:
    """One file is one session; those of its subagents are read along."""

    name = "gemini"

    def recognises(self, head: Head, /) -> bool:
        """A session with a project's hash and a start, or a stream that begins with an init."""
        return _is_session(head.first) or _is_stream(head.rows)

    def belongs(self, head: Head, /) -> bool:
        """Whether it is a subagent's, whose session is there."""
        if head.first.get("kind") != "subagent":
            return False
        folder = head.path.parent
        return any(folder.parent.glob(f"session-*{escape(folder.name[:_ID])}*"))

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        yield Opened()
        yield About(engine="gemini")
        clock, session = Clock(path, repairs), GeminiSession()
        if _is_stream(head_of(path).rows):
            events = GeminiEvents(session, clock, repairs)
            for event in rows(path, repairs):
                yield from events.take(event)
            yield from events.rest()
        else:
            told = GeminiRows(session, clock, repairs)
            for row in _rows(path, repairs):
                yield from told.take(row)
        if not clock.is_set:
            yield About(timing="guessed")
        yield from _subagents(path, session, repairs)
        yield Spent(clock.latest, sum(session.usage.values(), Usage()))
        yield session.outcome


def _is_session(first: Mapping[str, JsonValue]) -> bool:
    return "sessionId" in first and bool({"projectHash", "startTime"} & first.keys())


def _is_stream(head: tuple[Mapping[str, JsonValue], ...]) -> bool:
    if not any(row.get("type") == "init" and "session_id" in row for row in head):
        return False
    return all(text(row.get("type")) in KINDS for row in head)


def _rows(path: Path, repairs: Repairs) -> Iterator[Row]:
    """The rows of a file; a document gives its messages, after what else it says."""
    first = head_of(path).first
    if "messages" not in first:
        yield from rows(path, repairs)
        return
    yield {name: value for name, value in first.items() if name != "messages"}
    for member in members(path, repairs):
        if member.key == "messages" and isinstance(member.value, dict):
            yield member.value


def _subagents(path: Path, session: GeminiSession, repairs: Repairs) -> Iterator[Logged]:
    name = session.session_id
    if not name or "/" in name or name in (".", ".."):
        return
    for file in plain_files(path.parent / name, "*.jsonl"):
        repairs.file = file.name
        parent = session.agents.get(file.stem)
        below = GeminiRows(session, Clock(file, repairs), repairs, below=True, parent=parent)
        try:
            for row in rows(file, repairs):
                yield from below.take(row)
        except WhetError as error:
            repairs.note("skipped", "subagent", f"a subagent's file cannot be read: {error}")
    repairs.file = None
    for agent in session.agents:
        if not is_plain(path.parent / name / f"{text(agent)}.jsonl"):
            repairs.note("missing", "subagent_thread", "the record of a subagent is not there")

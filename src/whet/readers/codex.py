"""The rollouts of Codex, and what it prints with ``exec --json``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import WhetError
from whet.core.foreign import obj, text
from whet.core.logged import About, Logged, Opened
from whet.core.step import Spent
from whet.core.usage import Usage
from whet.documents.session_import import Repairs
from whet.ports.reader import Head
from whet.readers.beside import is_plain, plain_files
from whet.readers.clock import Clock
from whet.readers.codex_events import CodexEvents
from whet.readers.codex_rows import CodexSession, CodexThread
from whet.readers.rows import Row, rows

_ROWS = {"session_meta", "turn_context", "response_item", "event_msg"}
_EVENTS = {"thread.started", "turn.started", "item.started", "item.completed"}
_OLDEST = {"message", "function_call", "function_call_output", "reasoning", "local_shell_call"}
_MOST_THREADS = 1_000


class CodexReader:
    """One file is one thread; the threads of its subagents are read along."""

    name = "codex"

    def recognises(self, head: Head, /) -> bool:
        """Rows with a payload, events of a thread, or bare items as the oldest versions have."""
        return any(_is_row(row) for row in head.rows) or _is_oldest(head.rows)

    def belongs(self, head: Head, /) -> bool:
        """Whether it is the thread of a subagent whose parent is there."""
        parent = text(obj(head.first.get("payload")).get("parent_thread_id"))
        return bool(parent) and _thread_file(head.path, parent) is not None

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        yield Opened()
        yield About(engine="codex")
        clock, session = Clock(path, repairs), CodexSession()
        thread, events = CodexThread(session, clock, repairs), CodexEvents(clock, session)
        for row in rows(path, repairs):
            if text(row.get("type")).startswith(("thread.", "turn.", "item.")):
                yield from events.take(row)
            else:
                yield from thread.take(_modern(row))
        yield from thread.rest()
        if not clock.is_set:
            yield About(timing="guessed")
        yield from _threads(path, thread, session, repairs)
        yield Spent(clock.latest, sum(session.usage.values(), Usage()))
        yield session.outcome


def _is_row(row: Mapping[str, JsonValue]) -> bool:
    kind = text(row.get("type"))
    return (kind in _ROWS and "payload" in row) or kind in _EVENTS


def _is_oldest(head: tuple[Mapping[str, JsonValue], ...]) -> bool:
    if not head or "type" in head[0] or not {"id", "timestamp"} <= head[0].keys():
        return False
    return any(text(row.get("type")) in _OLDEST or "record_type" in row for row in head[1:])


def _modern(row: Row) -> Row:
    """A row of the oldest versions, which had items without anything around them."""
    if "payload" in row:
        return row
    kind = "response_item" if text(row.get("type")) in _OLDEST else "session_meta"
    return {"type": kind, "payload": row, "timestamp": row.get("timestamp")}


def _threads(
    path: Path, thread: CodexThread, session: CodexSession, repairs: Repairs
) -> Iterator[Logged]:
    """The subagents, and theirs in turn."""
    read: set[str] = {""}
    while (waiting := session.spawned.keys() - read) and len(read) < _MOST_THREADS:
        for name in sorted(waiting):
            read.add(name)
            file = _thread_file(path, name)
            if file is None or file == path:
                said = "the thread of a subagent is not there"
                repairs.note("missing", "subagent_thread", said)
                continue
            repairs.file = file.name
            below = thread.below(Clock(file, repairs), name)
            try:
                for row in rows(file, repairs):
                    yield from below.take(_modern(row))
            except WhetError as error:
                repairs.note("skipped", "subagent", f"a subagent's file cannot be read: {error}")
            yield from below.rest()
    repairs.file = None


def _thread_file(path: Path, thread: str) -> Path | None:
    """The file of a thread: of the same day mostly, else anywhere among the sessions."""
    if not thread.replace("-", "").isalnum():
        return None
    name = f"rollout-*-{thread}.jsonl"
    near = next(iter(plain_files(path.parent, name)), None)
    days = [folder.name for folder in path.parents[:3]]
    # Only codex's own folders, year/month/day, are looked through, wherever else a log may lie.
    if near is not None or len(path.parents) <= len(days) or not all(map(str.isdigit, days)):
        return near
    others = path.parents[3].glob(f"[0-9]*/[0-9]*/[0-9]*/{name}")
    return next((file for file in others if is_plain(file)), None)

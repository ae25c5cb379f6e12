"""What opencode exports (``opencode export``) and what it prints (``run --format json``)."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.core.foreign import line, obj, objects, text
from whet.core.logged import About, Concluded, Logged, Opened
from whet.core.step import Spent
from whet.core.usage import Usage
from whet.documents.session_import import Repairs
from whet.ports.reader import Head
from whet.readers.clock import Clock
from whet.readers.document import members
from whet.readers.opencode_parts import OpencodeParts, OpencodeSession
from whet.readers.recognition import head_of
from whet.readers.rows import Row, rows

_EVENTS = {"step_start", "step_finish", "text", "tool_use", "error", "reasoning", "whet.part"}


class OpencodeReader:
    """One file is one session. An export has nothing of its subagents."""

    name = "opencode"

    def recognises(self, head: Head, /) -> bool:
        """A document with info and messages, or a stream of parts."""
        return _is_export(head.first) or any(_is_event(row) for row in head.rows)

    def belongs(self, head: Head, /) -> bool:
        """Never: nothing says where the other file is."""
        del head
        return False

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        yield Opened()
        yield About(engine="opencode")
        clock, session = Clock(path, repairs), OpencodeSession()
        parts = OpencodeParts(session, clock, repairs)
        if _is_export(head_of(path).first):
            yield from _exported(path, parts, repairs)
            if session.tasks:
                said = "an export has no calls of subagents"
                repairs.note("missing", "subagent_thread", said)
        else:
            yield from _printed(path, parts, clock, session, repairs)
        yield Spent(clock.latest, sum(session.usage.values(), Usage()))
        yield session.outcome


def _is_export(first: Mapping[str, JsonValue]) -> bool:
    info = obj(first.get("info"))
    return "messages" in first and bool({"id", "slug", "projectID", "title"} & info.keys())


def _is_event(row: Mapping[str, JsonValue]) -> bool:
    return text(row.get("type")) in _EVENTS and (
        "sessionID" in row or "sessionID" in obj(row.get("part"))
    )


def _exported(path: Path, parts: OpencodeParts, repairs: Repairs) -> Iterator[Logged]:
    for member in members(path, repairs):
        value = obj(member.value)
        if member.key == "info":
            yield from parts.about(value)
        elif member.key == "messages" and value:
            info = obj(value.get("info"))
            yield from parts.message(info)
            for part in objects(value.get("parts")):
                yield from parts.part(part, text(info.get("role")))
            parts.close(info)


def _printed(
    path: Path, parts: OpencodeParts, clock: Clock, session: OpencodeSession, repairs: Repairs
) -> Iterator[Logged]:
    named = False
    for event in rows(path, repairs):
        part = obj(event.get("part"))
        if event.get("timestamp") is not None:
            clock.at(event["timestamp"])
        if not named and (name := text(event.get("sessionID") or part.get("sessionID"))):
            named = True
            yield Opened(name)
        if event.get("type") == "error":
            session.outcome = _failed(event)
        else:
            parts.is_below = event.get("child") is True
            yield from parts.part(part, "assistant")


def _failed(event: Row) -> Concluded:
    error = obj(event.get("error"))
    said = line(text(obj(error.get("data")).get("message"))) or text(error.get("name"))
    return Concluded("failed", error=said or "an error without a word")

"""Search over sessions: words, and what calls did.

Words may stand anywhere in a session. ``tool:``, ``status:`` and ``file:`` are about calls, and one
call has to fit all of them. ``engine:``, ``skill:`` and ``session:`` are about the session.
"""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from whet.core.errors import UsageError
from whet.core.text import folded
from whet.core.tools import canonical
from whet.core.untrusted_regex import matches_file
from whet.ports.session_entry import SessionEntry, SessionStatus
from whet.ports.session_hit import CallHit, SessionHit
from whet.ports.session_query import SessionQuery
from whet.stores.index.grams import Part, expression, parts
from whet.stores.index.query import offset
from whet.stores.index.schema import as_column
from whet.stores.index.search import LONGEST_QUERY, cut, snippet
from whet.stores.session_index.digest import CallText
from whet.stores.session_index.query import conditions
from whet.stores.session_index.shelve import Texts, entries, texts_of

MOST_CALLS = 5
"""Calls that are shown of one session."""

_FIELD = re.compile(r'(?<!\S)(tool|status|file|engine|skill|session):(?:"([^"]*)"|(\S+))')
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call has to be, and the words."""

    words: list[Part]
    tool: str | None = None
    failed: bool | None = None
    file: str | None = None

    @property
    def is_of_calls(self) -> bool:
        """Whether calls are narrowed."""
        return self.tool is not None or self.failed is not None or self.file is not None

    def fits(self, call: CallText) -> bool:
        """Whether a call is such a one, whatever its words."""
        if self.tool is not None and folded(call.tool) != self.tool:
            return False
        if self.failed is not None and call.failed != self.failed:
            return False
        return self.file is None or _is_file(self.file, folded(call.file or ""))


def search(connection: sqlite3.Connection, query: SessionQuery) -> tuple[list[SessionHit], int]:
    """One page of what is found, newest first, and how much there is."""
    skipped = offset(query.page, query.page_size)
    if len(query.text) > LONGEST_QUERY:
        raise UsageError(f"a query has at most {LONGEST_QUERY} characters")
    wanted, query = read(query)
    if not wanted.words and not wanted.is_of_calls and query.text.strip():
        return [], 0
    numbers = _numbers(connection, query, wanted)
    page = numbers[skipped : skipped + query.page_size]
    texts = texts_of(connection, page)
    hits = [
        _hit(entry, texts[number], wanted)
        for number, entry in zip(page, entries(connection, page), strict=True)
    ]
    return hits, len(numbers)


def read(query: SessionQuery) -> tuple[Wanted, SessionQuery]:
    """Take a query apart; raises ``UsageError`` for a status that there is not."""
    given: dict[str, str] = {}
    for name, quoted, plain in _FIELD.findall(query.text):
        given[name] = quoted or plain
    rest = _FIELD.sub(" ", query.text)
    failed = _failed(given["status"]) if "status" in given else None
    wanted = Wanted(
        parts(rest),
        tool=folded(canonical(as_column(given["tool"]))) if "tool" in given else None,
        failed=failed,
        file=folded(as_column(given["file"]).replace("\\", "/")) if "file" in given else None,
    )
    return wanted, replace(
        query,
        text=rest,
        engine=given.get("engine", query.engine),
        skill=given.get("skill", query.skill),
        status=_status(given["session"]) if "session" in given else query.status,
    )


def _failed(value: str) -> bool:
    match value:
        case "failed":
            return True
        case "success":
            return False
        case _:
            raise UsageError(f"status:{value[:60]} is none of a call; write failed or success")


def _status(value: str) -> SessionStatus:
    for status in get_args(SessionStatus):
        if value == status:
            return status
    known = ", ".join(get_args(SessionStatus))
    raise UsageError(f"session:{value[:60]} is no status; write one of {known}")


def _numbers(connection: sqlite3.Connection, query: SessionQuery, wanted: Wanted) -> list[int]:
    where, values = conditions(query)
    if wanted.is_of_calls:
        inner, more = _acts(wanted)
        where += f" AND number IN (SELECT session FROM session_acts WHERE {inner})"
        values += more
    if not wanted.words:
        rows = connection.execute(
            f"SELECT number FROM sessions WHERE {where} ORDER BY created DESC, name", values
        )
    else:
        rows = connection.execute(
            # Crossed, the words come first: asked for session by session, every single one would be
            # searched for again.
            "SELECT number FROM session_words CROSS JOIN sessions ON number = session_words.rowid"
            f" WHERE session_words MATCH ? AND {where} ORDER BY created DESC, name",
            (expression(wanted.words), *values),
        )
    return [number for (number,) in rows]


def _acts(wanted: Wanted) -> tuple[str, list[object]]:
    found: list[str] = []
    values: list[object] = []
    if wanted.tool is not None:
        found.append("tool = ?")
        values.append(wanted.tool)
    if wanted.failed is not None:
        found.append("failed = ?")
        values.append(wanted.failed)
    if wanted.file is not None:
        folder, _, name = wanted.file.rstrip("/").rpartition("/")
        if _MAGIC.search(wanted.file):
            found.append("name GLOB ? AND name <> ''")
            values.append(name)
            if folder:
                found.append("'/' || path GLOB '*/' || ?")
                values.append(wanted.file.lstrip("/"))
        else:
            found.append("name = ?")
            values.append(name)
            if folder:
                found.append("substr('/' || path, -length(?2)) = ?2".replace("?2", "?"))
                values += [f"/{wanted.file.lstrip('/')}"] * 2
    return " AND ".join(found), values


def _is_file(wanted: str, path: str) -> bool:
    if not path:
        return False
    if _MAGIC.search(wanted):
        return matches_file(f"/{path}", f"*/{wanted.lstrip('/')}")
    plain = wanted.strip("/")
    return f"/{path.strip('/')}".endswith(f"/{plain}")


def _hit(entry: SessionEntry, texts: Texts, wanted: Wanted) -> SessionHit:
    calls = [call for call in texts.calls if wanted.fits(call)]
    having = [call for call in calls if _found(call.text, wanted.words)]
    if wanted.words and (having or not wanted.is_of_calls):
        calls = having
    elif not wanted.words and not wanted.is_of_calls:
        calls = []
    # The calls with the most words of the query come first, then the earlier ones.
    calls.sort(key=lambda call: (-_found(call.text, wanted.words), call.place))
    shown = sorted(calls[:MOST_CALLS], key=lambda call: call.place)
    return SessionHit(
        entry=entry,
        snippet=_around(texts, wanted.words),
        calls=tuple(_call(call, wanted.words) for call in shown),
        more_calls=len(calls) - len(shown),
    )


def _call(call: CallText, words: Sequence[Part]) -> CallHit:
    text = snippet(call.text, words) if words else cut(call.text, 0)
    return CallHit(
        index=call.place,
        call_id=call.call_id,
        tool=call.tool,
        failed=call.failed,
        file=call.file,
        snippet=text,
    )


def _around(texts: Texts, words: Sequence[Part]) -> str:
    for text in (texts.title, texts.prompt, texts.said):
        if words and _found(text, words):
            return snippet(text, words)
    return ""


def _found(text: str, words: Sequence[Part]) -> int:
    """How many of the words stand in *text*."""
    form = folded(text)
    return sum(1 for part in words if part.needle.search(form))

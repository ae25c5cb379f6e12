"""The port of the index of sessions."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from whet.ports.index import Broken, Refreshed
from whet.ports.listing import Page
from whet.ports.record_feed import RecordFeed
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit
from whet.ports.session_query import SessionQuery


class SessionIndex(Protocol):
    """Lists and search over the files in ``sessions/`` and the records of trials, which stay the
    truth. Sync, thread-safe, shared by processes; answers are as new as the last ``refresh``."""

    def refresh(self, feed: RecordFeed | None = None) -> Refreshed: ...
    def look_at(self, name: str, data: JsonValue = None) -> None:
        """Follow one file: quick for who wrote it, and has the *data* at hand."""
        ...

    def list(self, query: SessionQuery) -> Page[SessionEntry]: ...
    def search(self, query: SessionQuery) -> Page[SessionHit]: ...
    def find(self, reference: str) -> SessionEntry:
        """Raises ``NotFound``, and ``UsageError`` where several fit."""
        ...

    def of_source(self, source_format: str, original_id: str) -> Sequence[SessionEntry]: ...
    def of_log(self, digest: str) -> Sequence[SessionEntry]: ...
    def broken(self) -> Sequence[Broken]: ...
    def close(self) -> None: ...

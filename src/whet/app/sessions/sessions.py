"""What every door of sessions shares."""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from whet.app.app import App
from whet.app.sessions.shelf import ANNOTATIONS, FOLDER, Feed, Loaded, Shelf, from_path, state_key
from whet.core.errors import NotFound
from whet.documents.files import make_workspace
from whet.ports.listing import Page
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit
from whet.ports.session_index import SessionIndex
from whet.ports.session_query import SessionQuery
from whet.stores.session_index import FileSessionIndex

if TYPE_CHECKING:  # a list is not looked into: it does without what draws sessions
    from whet.app.sessions.view import View
    from whet.documents.session_comparison import SessionComparison

MOST_VIEWS = 4
"""Sessions that are kept as they were read, for who asks for page after page."""

MOST_CALLS = 50_000
"""Of all of them; one alone may have more."""

Stamp = tuple[str, int, int, int]


@dataclass(frozen=True)
class Sessions:
    """The sessions of a workspace. Thread-safe; answers are as new as the last ``follow``.

    A *reference* is a name (``2026-01-25-001-markers``, ``trial-0123456789abcdef``), a session id
    or what a log called the session, the address of a trial, or a unique beginning of any of them
    of at least four characters; or ``latest``. With ``paths`` it may also be a file.
    """

    app: App
    index: SessionIndex
    paths: bool = False
    """Whether a reference may be a path: for who sits at this machine."""

    _views: OrderedDict[Stamp, "View"] = field(default_factory=OrderedDict[Stamp, "View"])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def shelf(self) -> Shelf:
        """Where they are."""
        return Shelf(self.app, self.index)

    def follow(self) -> None:
        """Take in what is new."""
        self.index.refresh(Feed(self.app.store))

    def list(self, query: SessionQuery) -> Page[SessionEntry]:
        """One page of sessions, newest first."""
        return self.index.list(query)

    def search(self, query: SessionQuery) -> Page[SessionHit]:
        """One page of what is found, newest first; with ``query.text`` in the language that
        ``docs/sessions.md`` tells. Raises ``UsageError``."""
        return self.index.search(query)

    def find(self, reference: str) -> SessionEntry:
        """Raises ``NotFound``, and ``UsageError`` where several fit."""
        return self.index.find(reference)

    def view(self, reference: str) -> "View":
        """A session to be looked at; raises as ``find`` does, and ``InvalidDocument``."""
        from whet.app.sessions.view import View

        try:
            entry = self.find(reference)
        except NotFound:
            if not self.paths or not _is_file(reference):
                raise
            return View(self.app, from_path(self.app, Path(reference)))
        stamp = self._stamp(entry)
        with self._lock:
            if (known := self._views.get(stamp)) is not None:
                self._views.move_to_end(stamp)
                return known
        made = View(self.app, self.shelf.load(entry.name))
        with self._lock:
            self._views[stamp] = made
            while len(self._views) > 1 and self._is_too_much():
                self._views.popitem(last=False)
        return made

    def _is_too_much(self) -> bool:
        calls = sum(len(view.loaded.session.tool_calls) for view in self._views.values())
        return len(self._views) > MOST_VIEWS or calls > MOST_CALLS

    def load(self, reference: str) -> Loaded:
        """The session itself."""
        return self.view(reference).loaded

    def compare(self, left: str, right: str) -> "SessionComparison":
        """Two sessions, call by call, with the first divergence."""
        from whet.app.sessions.view import compare

        return compare(self.view(left), self.view(right))

    def _stamp(self, entry: SessionEntry) -> Stamp:
        """What changes with the content, with what is said of it, and with new grades."""
        if entry.path is None:
            kept = self.app.store.states.get(ANNOTATIONS, state_key(entry))
            grades = len(self.app.store.ledger.grades_of(entry.trial_address or ""))
            return (state_key(entry), kept.revision if kept else 0, grades, 0)
        try:
            found = (self.app.settings.workspace / entry.path).lstat()
        except OSError:
            raise NotFound(f"session {entry.name!r} is gone from {FOLDER}/") from None
        return (entry.path, found.st_mtime_ns, found.st_size, found.st_ino)


def _is_file(reference: str) -> bool:
    try:
        return Path(reference).is_file()
    except OSError:  # no file has such a name
        return False


@contextmanager
def sessions(app: App, *, paths: bool = False) -> Generator[Sessions]:
    """The sessions of a workspace, as they are now."""
    make_workspace(app.settings.workspace)
    index = FileSessionIndex(app.settings.workspace)
    try:
        found = Sessions(app, index, paths)
        found.follow()
        yield found
    finally:
        index.close()

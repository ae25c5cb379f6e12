"""What follows files in the background for as long as the server runs: the indices of the library
and of sessions."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from whet.app.app import App
from whet.app.sessions.sessions import Sessions
from whet.core.errors import WhetError
from whet.ports.index import Index
from whet.stores.index import FileIndex
from whet.stores.session_index import FileSessionIndex

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 2.0
"""Between two looks at the files."""

FRESH_SECONDS = 1.0
"""For which a list waits for what has just happened."""

PATIENCE_SECONDS = 1.0
"""For a look under way when the server ends."""

T = TypeVar("T")


class Followed(Generic[T]):
    """Nobody waits for a look at the files: whoever asks for *thing* sets one off in the
    background, unless there was one a moment ago, and is answered with what is known by then."""

    def __init__(
        self, thing: T, look: Callable[[], object], close: Callable[[], None], what: str
    ) -> None:
        self._thing = thing
        self._look_at = look
        self._close = close
        self._what = what
        self._lock = threading.Lock()
        self._looking: threading.Thread | None = None
        self._due = 0.0
        self._is_closed = False
        self._trouble = ""

    def follow(self, *, at_once: bool = False) -> T:
        """The thing, which soon knows the files as they are now; *at_once* also where there was a
        look a moment ago."""
        with self._lock:
            is_due = at_once or time.monotonic() >= self._due
            if is_due and self._looking is None and not self._is_closed:
                # A daemon: the end of the server does not wait for a large library.
                self._looking = threading.Thread(target=self._look, name="index", daemon=True)
                self._looking.start()
        return self._thing

    def close(self) -> None:
        """Let go of the files, once a look that is under way has ended."""
        with self._lock:
            self._is_closed = True
            looking = self._looking
        if looking is not None:
            looking.join(PATIENCE_SECONDS)
        if looking is None or not looking.is_alive():
            self._close()

    def _look(self) -> None:
        trouble = ""
        try:
            self._look_at()
        except WhetError as error:
            trouble = str(error)
        finally:
            with self._lock:
                self._looking = None
                self._due = time.monotonic() + PAUSE_SECONDS
        # Said once: whoever asks is told too, as long as it lasts.
        if trouble and trouble != self._trouble:
            logger.warning("%s cannot be followed: %s", self._what, trouble)
        self._trouble = trouble


class FollowedIndex(Followed[Index]):
    """The index of the library."""

    def __init__(self, workspace: Path) -> None:
        index = FileIndex(workspace)
        super().__init__(index, index.refresh, index.close, "the library")


class FollowedSessions(Followed[Sessions]):
    """The sessions of a workspace."""

    def __init__(self, app: App) -> None:
        index = FileSessionIndex(app.settings.workspace)
        found = Sessions(app, index)
        self._events = app.store.events
        self._seen = -1
        """The last event before the last look that succeeded."""

        super().__init__(found, self._take_in, index.close, "the sessions")

    def fresh(self) -> Sessions:
        """The sessions with those of all that has happened by now, as a job that is over; after
        some time, or where they cannot be read, as they are known."""
        wanted, end = self._events.last(), time.monotonic() + FRESH_SECONDS
        while self._seen < wanted and (left := end - time.monotonic()) > 0:
            self.follow(at_once=True)
            if (looking := self._looking) is not None:
                looking.join(left)
            if self._trouble or self._is_closed:
                break
        return self._thing

    def _take_in(self) -> None:
        news = self._events.last()
        self._thing.follow()
        self._seen = news

"""Last words that could not be written because the disk was full or read-only: they are written as
soon as there is room. Without them a living process would hold claims that nobody works on."""

import logging
import threading
from collections import deque
from collections.abc import Callable

from whet.core.errors import EnvironmentProblem, WhetError

logger = logging.getLogger(__name__)

Change = Callable[[], object]


class DeferredWrites:
    """Changes of this process that wait for the store; any thread may add and retry."""

    def __init__(self) -> None:
        self._waiting: deque[Change] = deque()
        self._turn = threading.RLock()

    @property
    def is_waiting(self) -> bool:
        """Whether there is anything to retry."""
        return bool(self._waiting)

    def write(self, change: Change, later: Change | None = None) -> None:
        """Do *change* after all that waits, so that no change overtakes an older one. Where this
        machine cannot, *later* (else *change*) is kept for ``retry``, and ``EnvironmentProblem`` is
        raised."""
        with self._turn:
            try:
                self._write_waiting()
                change()
            except EnvironmentProblem:
                self._waiting.append(later or change)
                raise

    def attempt(self, change: Change, later: Change | None = None) -> None:
        """The same for whoever has an error to raise already: this one raises none of its kind."""
        try:
            self.write(change, later)
        except EnvironmentProblem as error:
            logger.info("to be written as soon as there is room: %s", error)

    def add(self, change: Change) -> None:
        """Keep a change that could not be made."""
        self._waiting.append(change)

    def retry(self) -> bool:
        """Do what waits, the oldest first; whether nothing is left."""
        with self._turn:
            try:
                self._write_waiting()
            except EnvironmentProblem:
                return False
        return True

    def _write_waiting(self) -> None:
        while self._waiting:
            change = self._waiting.popleft()
            try:
                change()
            except EnvironmentProblem:
                self._waiting.appendleft(change)
                raise
            except WhetError as error:  # somebody else has done it meanwhile
                logger.info("not written any more: %s", error)

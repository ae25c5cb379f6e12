"""Reading a log: what comes out is sessions, and a report of what had to be done for it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import InvalidDocument, WhetError
from whet.core.logged import Opened
from whet.documents.session_import import ImportReport, Repairs
from whet.ports.reader import Reader
from whet.readers.fold import LogFold
from whet.readers.moments import file_time
from whet.readers.recognition import reader_for


class ReadLog:
    """A log that is read once, from its beginning to its end::

    log = ReadLog(path, reader)
    for session in log.sessions():
        ...  # JSON objects of the session log format, which ``Session.parse`` accepts
    log.report()
    """

    def __init__(self, path: Path, reader: Reader, source: str | None = None) -> None:
        """*source* is what sessions and the report call the log; without it, the file's name."""
        self._path = path
        self._reader = reader
        self._source = source or path.name
        self._repairs = Repairs(self._source)
        self._ids: list[str] = []
        self._calls = 0

    @property
    def repairs(self) -> Repairs:
        """What is found while it is read, and which files are."""
        return self._repairs

    @property
    def format(self) -> str:
        """The name of the reader."""
        return self._reader.name

    def sessions(self) -> Iterator[dict[str, JsonValue]]:
        """The sessions of the log, each when it is complete.

        Raises ``WhetError`` if the file cannot be opened, and ``InvalidDocument`` with line and
        column if there is no session in it.
        """
        fold: LogFold | None = None
        for item in self._reader.read(self._path, self._repairs):
            if isinstance(item, Opened) and fold is not None and fold.session_id is not None:
                yield from self._closed(fold)
                fold = None
            fold = fold or LogFold(self._repairs, self._source, self._reader.name, self._fallback())
            fold.add(item)
        if fold is not None:
            yield from self._closed(fold)
        if not self._ids:
            raise self._refusal()

    def report(self) -> ImportReport:
        """What has been found so far; complete when all sessions are read."""
        return self._repairs.report(self._reader.name, tuple(self._ids), self._calls)

    def _closed(self, fold: LogFold) -> Iterator[dict[str, JsonValue]]:
        if fold.is_empty:
            return
        session = fold.session()
        calls = session["tool_calls"]
        self._calls += len(calls) if isinstance(calls, list) else 0
        self._ids.append(str(session["session_id"]))
        yield session

    def _fallback(self) -> datetime:
        return file_time(self._path.stat().st_mtime)

    def _refusal(self) -> WhetError:
        worst = self._repairs.worst
        if worst is None:
            return InvalidDocument(self._path, "line 1, column 1", "there is no session in it")
        place = f"line {worst.line or 1}, column {worst.column or 1}"
        return InvalidDocument(self._path, place, worst.message)


def read_log(path: Path, readers: Sequence[Reader], source: str | None = None) -> ReadLog:
    """The log in a file, by whichever reader knows it; raises ``WhetError`` if none does."""
    return ReadLog(path, reader_for(path, readers), source)

"""The time of each row of a log."""

from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.documents.session_import import Repairs, quoted
from whet.readers.moments import file_time, moment


class Clock:
    """Gives every row a time: its own, or that of the row before."""

    def __init__(self, path: Path, repairs: Repairs) -> None:
        self._repairs = repairs
        self._last: datetime | None = None
        self._path = path
        self.is_set = False
        """Whether any row has had a time."""

    def at(self, value: JsonValue) -> datetime:
        """The time that *value* means."""
        found = moment(value)
        if found is not None:
            self._last = found
            self.is_set = True
            return found
        if value is None:
            self._repairs.note("missing", "time", "a row has no time; that before it is taken")
        else:
            said = f"{quoted(value)} is no time; that of the row before is taken"
            self._repairs.note("guessed", "time", said)
        return self.latest

    @property
    def latest(self) -> datetime:
        """The time of the row before; of the file if there was none yet."""
        if self._last is None:
            self._last = file_time(self._path.stat().st_mtime)
        return self._last

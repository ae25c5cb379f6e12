"""Log lines that come over and over: a few of each are written, the others are counted."""

import logging
import time

from whet.core.counts import counted

MOST_LINES = 5
"""Of one kind in a window."""

WINDOW_SECONDS = 10.0
MOST_KINDS = 200


class LineLimit(logging.Filter):
    """Lets some lines of each kind through, by the text before anything is filled in."""

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; the first of a new window tells how many were not."""
        kind = str(record.msg)[:200]
        now = time.monotonic()
        begun, count = self._windows.get(kind, (now, 0))
        if now - begun <= WINDOW_SECONDS:
            if len(self._windows) >= MOST_KINDS:
                self._windows.clear()
            self._windows[kind] = (begun, count + 1)
            return count < MOST_LINES
        self._windows[kind] = (now, 1)
        if (left_out := count - MOST_LINES) > 0:
            record.msg = (
                f"{record.msg} ({counted(left_out, 'line', 'lines')} like it were left out)"
            )
        return True


def limit_lines(*loggers: logging.Logger) -> None:
    """Limit the lines of each logger."""
    for each in loggers:
        if not any(isinstance(one, LineLimit) for one in each.filters):
            each.addFilter(LineLimit())

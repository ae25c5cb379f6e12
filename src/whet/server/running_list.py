"""The agents at work, for all who follow them."""

import asyncio
import json
import time

from fastapi.sse import format_sse_event

from whet.app.app import App
from whet.app.sessions.live import LiveSessions, running

LOOK_SECONDS = 0.5
"""Between two looks at what runs."""


def running_sessions(app: App) -> LiveSessions:
    """The agents at work, of all processes of this machine."""
    return LiveSessions(sessions=tuple(running(app)))


class RunningList:
    """The list on the wire. However many follow it, it is made once in ``LOOK_SECONDS``."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._frame = b""
        self._made_at = -LOOK_SECONDS
        self._lock = asyncio.Lock()

    async def frame(self) -> bytes:
        """The list as it is now, or was a moment ago."""
        async with self._lock:
            if time.monotonic() - self._made_at >= LOOK_SECONDS:
                self._frame = await asyncio.to_thread(self._look)
                self._made_at = time.monotonic()
            return self._frame

    def _look(self) -> bytes:
        data = json.dumps(running_sessions(self._app).to_data())
        return format_sse_event(data_str=data, event="running")

"""The session that a path names."""

import asyncio
from typing import Annotated

from fastapi import Depends, Path

from whet.app.sessions.sessions import Sessions
from whet.app.sessions.view import View
from whet.core.errors import NotFound
from whet.ports.session_entry import SessionEntry
from whet.server.desk import AtDesk, Desk

Reference = Annotated[
    str,
    Path(
        description="Its name, its id or what its log called it, the address of its trial, a "
        "unique beginning of one of them; or: latest.",
        max_length=500,
    ),
]


def find(desk: Desk, reference: str) -> SessionEntry:
    """The entry of a session; raises ``NotFound``. One that the index has not seen yet, as it was
    written a moment ago, is looked for."""
    sessions = desk.sessions.follow()
    try:
        return sessions.find(reference)
    except NotFound:
        sessions.follow()
        return sessions.find(reference)


def look(desk: Desk, reference: str) -> View:
    """A session to be looked at; raises ``NotFound``."""
    return desk.sessions.follow().view(find(desk, reference).name)


async def _entry(reference: Reference, desk: AtDesk) -> SessionEntry:
    return await asyncio.to_thread(find, desk, reference)


async def _view(reference: Reference, desk: AtDesk) -> View:
    return await asyncio.to_thread(look, desk, reference)


async def _sessions(desk: AtDesk) -> Sessions:
    return await asyncio.to_thread(desk.sessions.fresh)


Known = Annotated[SessionEntry, Depends(_entry)]
Seen = Annotated[View, Depends(_view)]
AtSessions = Annotated[Sessions, Depends(_sessions)]

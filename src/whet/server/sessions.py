"""``/v1/sessions``: what agents did, call by call."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from whet.app.sessions import told
from whet.app.sessions.requests import SessionFilter, SessionSearch
from whet.app.sessions.view import View, compare
from whet.app.sessions.views import (
    SessionHead,
    SessionHits,
    SessionMessages,
    SessionPage,
    Verdicts,
)
from whet.core.errors import NotFound
from whet.documents.base import Document
from whet.documents.session_comparison import SessionComparison
from whet.documents.session_figures import SessionFigures
from whet.documents.session_timeline import CallDetail, CallPage, SessionTimeline
from whet.replay.timeline import LONGEST_PAGE
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sessions_known import AtSessions, Seen, look

of_all = APIRouter(prefix="/v1/sessions", tags=["sessions"])
"""To be included before the routes that take any word for the name of a session."""

router = APIRouter(prefix="/v1/sessions/{reference}", tags=["sessions"])

MOST_MESSAGES = 200
_PLACE = 2**31


After = Annotated[
    int, Query(ge=-1, lt=_PLACE, description="The place of the last one seen; -1 for none.")
]


@of_all.get("")
def every(wanted: Annotated[SessionFilter, Query()], sessions: AtSessions) -> SessionPage:
    """List sessions, the newest first."""
    return SessionPage.of(sessions.list(wanted.query()))


@of_all.get("/search")
def search(wanted: Annotated[SessionSearch, Query()], sessions: AtSessions) -> SessionHits:
    """Find sessions, and the calls in them, by words and by what was done."""
    return SessionHits.of(sessions.search(wanted.query(wanted.q)))


@of_all.get("/compare", responses=of(SessionComparison), response_model=None)
async def side_by_side(
    left: Annotated[str, Query(max_length=500, description="A session.")],
    right: Annotated[str, Query(max_length=500, description="Another one.")],
    desk: AtDesk,
) -> Response:
    """Compare two sessions call by call; the first thing that they did not do alike is named."""
    return await _answer(lambda: compare(look(desk, left), look(desk, right)))


@router.get("", responses=of(SessionHead), response_model=None)
async def one(view: Seen) -> Response:
    """Show a session without its calls."""
    return await _answer(lambda: told.head(view))


@router.get("/calls", responses=of(CallPage), response_model=None)
async def calls(
    view: Seen, after: After = -1, limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = 100
) -> Response:
    """List the calls of a session, page by page, in the order of its log."""
    return await _answer(lambda: view.page(after + 1, limit))


@router.get("/calls/{call}", responses=of(CallDetail), response_model=None)
async def call(
    view: Seen,
    call: Annotated[str, Path(max_length=500, description="Its place, from 0 on, or its id.")],
) -> Response:
    """Show one call, with what it is linked to."""
    return await _answer(lambda: view.detail(_place(view, call)))


@router.get("/messages", responses=of(SessionMessages), response_model=None)
async def messages(
    view: Seen, after: After = -1, limit: Annotated[int, Query(ge=1, le=MOST_MESSAGES)] = 50
) -> Response:
    """List what the user and the agent said, page by page."""
    return await _answer(lambda: told.messages(view, after + 1, limit))


@router.get("/timeline", responses=of(SessionTimeline), response_model=None)
async def timeline(view: Seen) -> Response:
    """Show all of a session at a glance: lanes, phases, marks; 200 kB at most."""
    return await _answer(view.timeline)


@router.get("/figures", responses=of(SessionFigures), response_model=None)
async def figures(view: Seen) -> Response:
    """Show where the time went, what failed and was repeated, files, flow, skills and spending."""
    return await _answer(view.figures)


@router.get("/verdicts", responses=of(Verdicts), response_model=None)
async def verdicts(view: Seen) -> Response:
    """Show what checks and judges decided of the trial, and which calls they speak of."""
    return await _answer(lambda: told.verdicts(view))


def _place(view: View, call: str) -> int:
    if call.isascii() and call.isdigit() and len(call) < 10:
        return int(call)
    if (place := view.acts.places.get(call)) is None:
        raise NotFound(f"session {view.loaded.entry.name!r} has no call {call[:100]!r}")
    return place


async def _answer(look_at: Callable[[], Document]) -> Response:
    """Work it out beside the other requests: a long session takes its time, once."""
    return await asyncio.to_thread(lambda: Json(look_at().to_data()))

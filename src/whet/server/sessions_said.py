"""``/v1/sessions/…/annotations``: what somebody says of a session."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import JsonValue

from whet.app.asking import who_is_asked
from whet.app.config import defaults
from whet.app.pins import is_paid
from whet.app.sessions import told
from whet.app.sessions.annotate import Annotating
from whet.app.sessions.requests import EngineAsked, PhasesByHand
from whet.app.sessions.views import AnnotatedSession, Annotations, RemovedAnnotations
from whet.core.errors import ConfirmationNeeded
from whet.core.foreign import obj
from whet.documents.session import PhaseAnnotation
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sent import describes, sent
from whet.server.sessions_known import AtSessions, Known, Seen

router = APIRouter(prefix="/v1/sessions/{reference}/annotations", tags=["sessions"])

What = Annotated[
    str,
    Path(max_length=500, description="An annotator, as in human:anna, or one annotation's id."),
]


@router.get("", responses=of(Annotations), response_model=None)
async def every(view: Seen) -> Response:
    """List the phases of a session, of all annotators."""
    return Json((await asyncio.to_thread(told.annotations, view)).to_data())


@router.post(
    "",
    status_code=HTTPStatus.CREATED,
    responses=of(AnnotatedSession, HTTPStatus.CREATED),
    response_model=None,
    openapi_extra=describes(PhasesByHand),
)
async def by_hand(
    entry: Known, given: Annotated[PhasesByHand, sent(PhasesByHand)], sessions: AtSessions
) -> Response:
    """Add phases by hand, or put them in place of what the same person said before."""
    done = await asyncio.to_thread(Annotating(sessions.shelf).by_hand, entry.name, given)
    return _told(done, HTTPStatus.CREATED)


@router.put(
    "/{annotation}",
    responses=of(AnnotatedSession),
    response_model=None,
    openapi_extra=describes(PhaseAnnotation),
)
async def edit(
    entry: Known,
    annotation: What,
    given: Annotated[PhaseAnnotation, sent(PhaseAnnotation)],
    sessions: AtSessions,
) -> Response:
    """Put another one in place of an annotation."""
    whole: dict[str, JsonValue] = {**obj(given.to_data()), "annotation_id": annotation}
    return _told(await asyncio.to_thread(Annotating(sessions.shelf).edit, entry.name, whole))


@router.delete("/{annotation}")
async def remove(entry: Known, annotation: What, sessions: AtSessions) -> RemovedAnnotations:
    """Take away all of an annotator, or one annotation."""
    left = await asyncio.to_thread(Annotating(sessions.shelf).remove, entry.name, annotation)
    return RemovedAnnotations(name=entry.name, removed=annotation, annotators=left)


@router.post("/auto", responses=of(AnnotatedSession), response_model=None)
async def auto(entry: Known, sessions: AtSessions) -> Response:
    """Annotate by rule; a session of fewer than five calls is refused."""
    return _told(await asyncio.to_thread(Annotating(sessions.shelf).auto, entry.name))


@router.post("/engine", responses=of(AnnotatedSession), response_model=None)
async def by_engine(
    entry: Known, asked: EngineAsked, sessions: AtSessions, desk: AtDesk
) -> Response:
    """Ask a model for the phases. It is shown the session as data; whoever costs money has to be
    ``confirmed``."""
    app = desk.app
    how = await asyncio.to_thread(who_is_asked, app, asked.engine, asked.model)
    if is_paid(app.parts.engine(how.engine)) and not asked.confirmed:
        raise ConfirmationNeeded(
            f"an answer of {how.engine}:{how.model}, of unknown cost: "
            "send it again with confirmed: true"
        )
    work = Annotating(sessions.shelf)
    return _told(await work.by_engine(entry.name, how, app.ask(None, defaults(app).retries)))


def _told(done: AnnotatedSession, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Json(done.to_data(), status.value)

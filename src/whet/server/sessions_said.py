"""``/v1/sessions/…/annotations``: what somebody says of a session."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import Field, JsonValue, StrictBool

from whet.app.asking import who_is_asked
from whet.app.config import defaults
from whet.app.pins import is_paid
from whet.app.sessions import told
from whet.app.sessions.annotate import Annotated as Said
from whet.app.sessions.annotate import Annotating
from whet.app.sessions.told import Annotations
from whet.core.errors import ConfirmationNeeded
from whet.core.foreign import obj
from whet.core.value import Value
from whet.documents.base import Document, Items
from whet.documents.session import (
    Confidence,
    ContextReference,
    Decision,
    PhaseAnnotation,
    PhaseType,
    ToolCallRange,
)
from whet.replay.annotators import Annotator
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sent import describes, sent
from whet.server.sessions_known import AtSessions, Known, Seen

router = APIRouter(prefix="/v1/sessions/{reference}/annotations", tags=["sessions"])

MOST_AT_ONCE = 10_000


class PhaseByHand(Document):
    """A phase annotation of the session log format. What need not be said is filled in: an id, the
    time, who says it, and that one is sure."""

    phase_type: PhaseType
    tool_call_range: ToolCallRange
    confidence: Confidence | None = None
    description: str | None = None
    decisions: Items[Decision] | None = None
    context_used: Items[ContextReference] | None = None
    is_point: StrictBool | None = None


class PhasesByHand(Document):
    """Phases that a person sees."""

    phase_annotations: Items[PhaseByHand] = Field(max_length=MOST_AT_ONCE)
    name: str | None = Field(default=None, max_length=200, description="Who says it.")
    replace: StrictBool = Field(default=False, description="In place of all that they said before.")


class AnnotatedSession(Document):
    """What an annotator has said, after a change."""

    name: str
    annotator: str
    """``auto:signals``, ``human:anna``, ``agent:claude``."""

    phase_annotations: Items[PhaseAnnotation]
    """All that it says now."""

    annotators: Items[str]
    """All who have said something."""


class EngineAsked(Value):
    """Who is asked for phases; as configured where nobody is named."""

    engine: str | None = Field(default=None, max_length=200)
    model: str | None = Field(default=None, max_length=200)
    confirmed: StrictBool = Field(
        default=False, description="Agrees that somebody is charged for it."
    )


class RemovedAnnotations(Value):
    """Who is left after something was taken away."""

    name: str
    removed: str
    annotators: tuple[str, ...]


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
    who = Annotator("human", given.name or None)
    work = Annotating(sessions.shelf)
    rows = [obj(one.lean().to_data()) for one in given.phase_annotations]
    done = await asyncio.to_thread(work.by_hand, entry.name, who, rows, replace=given.replace)
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


def _told(done: Said, status: HTTPStatus = HTTPStatus.OK) -> Response:
    rows = tuple(PhaseAnnotation.parse(row, "annotation") for row in done.annotations)
    told_ = AnnotatedSession(
        name=done.name,
        annotator=done.annotator,
        phase_annotations=rows,
        annotators=done.annotators,
    )
    return Json(told_.to_data(), status.value)

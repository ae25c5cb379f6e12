"""``/v1/evaluation``: capability runs and the sets of cases they use."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from whet.app.capability.requests import EvaluationStart, RunFilter
from whet.app.capability.run_list import Runs
from whet.app.capability.runs import Evaluations
from whet.core.errors import NotFound
from whet.core.text_patterns import fits
from whet.documents.base import Document
from whet.documents.capability import (
    EvaluationDetail,
    EvaluationPlanned,
    EvaluationRun,
    EvaluationStarted,
)
from whet.documents.capability_comparison import RunComparison
from whet.server.desk import AtDesk, Desk
from whet.server.encoding import Json
from whet.server.stream import STREAM, STREAM_TO_THE_END, LastEventId, followed_to_the_end

router = APIRouter(prefix="/v1/evaluation", tags=["evaluation"])


class Deleted(Document):
    """What became of a run."""

    ok: bool
    run_id: str
    deleted: bool


def of(document: type[Document], status: HTTPStatus = HTTPStatus.OK) -> dict[int | str, Any]:
    """How the contract describes an answer. It is written as it is, and checked nowhere: a run may
    have many items."""
    return {status.value: {"model": document}}


RunIds = Annotated[str, fits("[^,],+[^,]"), Query(description="Two or more, with commas between.")]


@router.post(
    "/runs",
    status_code=HTTPStatus.ACCEPTED,
    responses={**STREAM, **of(EvaluationStarted, HTTPStatus.ACCEPTED)},
    response_model=None,
)
async def start(wanted: EvaluationStart, desk: AtDesk) -> Response:
    """Start a run; with ``stream`` the answer is its events. What may cost much has to be
    ``confirmed``."""
    made = await started(desk, wanted)
    if wanted.stream:
        return await to_the_end(desk, made.run_id, 0)
    return told(made, HTTPStatus.ACCEPTED)


@router.post("/plan", responses=of(EvaluationPlanned), response_model=None)
async def plan(wanted: EvaluationStart, desk: AtDesk) -> Response:
    """Tell what a start would do, which cases it would skip and what it may cost; nothing is
    started."""
    evaluations = Evaluations(desk.app)
    made = await asyncio.to_thread(evaluations.plan, wanted)
    engine = desk.app.parts.engine(made.snapshot.pin.engine)
    return told(made.told(simulated=engine.simulated))


@router.get("/runs", responses=of(Runs), response_model=None)
def every(wanted: Annotated[RunFilter, Query()], desk: AtDesk) -> Response:
    """List runs, the newest first."""
    page = Evaluations(desk.app).list(wanted.query())
    return told(Runs(runs=page.items, total=page.total, limit=wanted.limit, offset=wanted.offset))


@router.get("/runs/{run_id}", responses=of(EvaluationDetail), response_model=None)
def one(run_id: str, desk: AtDesk) -> Response:
    """Show a run with its items."""
    return told(Evaluations(desk.app).get(run_id))


@router.delete("/runs/{run_id}", responses=of(Deleted), response_model=None)
def delete(run_id: str, desk: AtDesk) -> Response:
    """Delete a run that is over, with its items and folders."""
    Evaluations(desk.app).delete(run_id)
    return told(Deleted(ok=True, run_id=run_id, deleted=True))


@router.post("/runs/{run_id}/cancel", responses=of(EvaluationRun), response_model=None)
async def cancel(run_id: str, desk: AtDesk) -> Response:
    """End its agents now; what is done stays. The answer comes when it is cancelled, or after ten
    seconds with how it is by then."""
    return told(await Evaluations(desk.app).cancel(run_id))


@router.post(
    "/runs/{run_id}/resume",
    status_code=HTTPStatus.ACCEPTED,
    responses=of(EvaluationRun, HTTPStatus.ACCEPTED),
    response_model=None,
)
async def resume(run_id: str, desk: AtDesk) -> Response:
    """Go on with a run whose process is gone, or that failed; what it has is not done again."""
    evaluations = Evaluations(desk.app)
    taken = await asyncio.to_thread(evaluations.take_up, run_id)
    await begin(desk, run_id)
    return told(taken, HTTPStatus.ACCEPTED)


@router.get("/runs/{run_id}/events", responses=STREAM_TO_THE_END, response_model=None)
async def events(run_id: str, desk: AtDesk, last_event_id: LastEventId = 0) -> Response:
    """Follow a run to its end; a client that comes back with Last-Event-ID misses nothing. Where
    nothing more will come the answer is empty, and a browser does not come back."""
    return await followed(desk, run_id, last_event_id)


@router.get("/compare", responses=of(RunComparison), response_model=None)
def compare(run_ids: RunIds, desk: AtDesk) -> Response:
    """Hold runs, named with commas between them, against the first: which cases flipped, and how
    far the dimensions are apart."""
    names = [name for name in run_ids.split(",") if name]
    return told(Evaluations(desk.app).compare(names))


async def started(desk: Desk, wanted: EvaluationStart) -> EvaluationStarted:
    """Make a run and let it go on in the background."""
    evaluations = Evaluations(desk.app)

    def make() -> EvaluationStarted:
        plan = evaluations.plan(wanted)
        return evaluations.start(plan, confirmed=wanted.confirmed)

    # A large set takes its time to read, and others are served meanwhile.
    made = await asyncio.to_thread(make)
    await begin(desk, made.run_id)
    return made


async def begin(desk: Desk, run_id: str) -> None:
    """Carry out a run of this process in the background."""
    await desk.begin(run_id, partial(Evaluations(desk.app).run, run_id))


async def followed(desk: Desk, run_id: str, last_event_id: int) -> Response:
    """The events of a run after one that the client has seen; raises ``NotFound``."""
    await asyncio.to_thread(Evaluations(desk.app).row, run_id)
    return await to_the_end(desk, run_id, last_event_id)


async def to_the_end(desk: Desk, run_id: str, last_event_id: int) -> Response:
    """The events of a run until it is over, or deleted."""
    return await followed_to_the_end(desk, run_id, last_event_id, partial(_is_over, desk, run_id))


def _is_over(desk: Desk, run_id: str) -> bool:
    try:
        return Evaluations(desk.app).row(run_id).status != "running"
    except NotFound:
        return True


def told(document: Document, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A document as JSON."""
    return Json(document.to_data(), status.value)

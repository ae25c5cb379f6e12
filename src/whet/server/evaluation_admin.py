"""``/wunder/admin/evaluation``: the same runs at the paths that the format names."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response

from whet.app.capability.requests import EvaluationStart, RunFilter
from whet.app.capability.run_list import Runs
from whet.app.capability.runs import Evaluations
from whet.documents.base import Document
from whet.documents.capability import (
    CaseSetList,
    EvaluationDetail,
    EvaluationStarted,
    RunStatus,
)
from whet.server import evaluation, evaluation_sets
from whet.server.desk import AtDesk
from whet.server.evaluation import Deleted, of, started, to_the_end, told
from whet.server.stream import STREAM, STREAM_TO_THE_END, LastEventId

router = APIRouter(prefix="/wunder/admin/evaluation", tags=["evaluation"])


class Cancelled(Document):
    """What became of a run."""

    ok: bool
    run_id: str
    status: RunStatus


STARTED = of(EvaluationStarted)
STARTED[HTTPStatus.OK.value]["content"] = STREAM[HTTPStatus.OK.value]["content"]
"""A run, or with ``stream`` its events."""


@router.post("/start", responses=STARTED, response_model=None)
async def start(wanted: EvaluationStart, desk: AtDesk) -> Response:
    """Start a run; with ``stream`` the answer is its events. What may cost much has to be
    ``confirmed``."""
    made = await started(desk, wanted)
    if wanted.stream:
        return await to_the_end(desk, made.run_id, 0)
    return told(made)


# Before the routes that take any word for the name of a run.
@router.get("/runs", responses=of(Runs), response_model=None)
def every(wanted: Annotated[RunFilter, Query()], desk: AtDesk) -> Response:
    """List runs, the newest first."""
    return evaluation.every(wanted, desk)


@router.get("/cases", responses=of(CaseSetList), response_model=None)
def cases(desk: AtDesk) -> Response:
    """List the sets of cases."""
    return evaluation_sets.every(desk)


@router.get("/stream/{run_id}", responses=STREAM_TO_THE_END, response_model=None)
async def stream(run_id: str, desk: AtDesk, last_event_id: LastEventId = 0) -> Response:
    """Follow a run to its end; a client that comes back with Last-Event-ID misses nothing."""
    return await evaluation.followed(desk, run_id, last_event_id)


@router.get("/{run_id}", responses=of(EvaluationDetail), response_model=None)
def one(run_id: str, desk: AtDesk) -> Response:
    """Show a run with its items."""
    return evaluation.one(run_id, desk)


@router.delete("/{run_id}", responses=of(Deleted), response_model=None)
def delete(run_id: str, desk: AtDesk) -> Response:
    """Delete a run that is over, with its items and folders."""
    return evaluation.delete(run_id, desk)


@router.post("/{run_id}/cancel", responses=of(Cancelled), response_model=None)
async def cancel(run_id: str, desk: AtDesk) -> Response:
    """End its agents now; what is done stays."""
    run = await Evaluations(desk.app).cancel(run_id)
    return told(Cancelled(ok=run.status == "cancelled", run_id=run_id, status=run.status))

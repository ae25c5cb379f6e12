"""``/v1/experiments``: start, list, get, follow."""

from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse
from pydantic import JsonValue

from whet.app.experiments import ExperimentState
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.core.errors import NotFound
from whet.core.value import Value
from whet.documents.result import Summary
from whet.evaluate.project import opened
from whet.server.desk import AtDesk, Desk
from whet.server.projects_work import NOT_YET, Run, begun
from whet.server.stream import STREAM, LastEventId, followed

router = APIRouter(prefix="/v1/experiments", tags=["experiments"])


class ExperimentList(Value):
    """All experiments, newest first."""

    experiments: tuple[ExperimentState, ...]


class ExperimentDetail(Value):
    """An experiment and, once there is one, its summary."""

    experiment: ExperimentState
    summary: dict[str, JsonValue] | None


@router.post("", status_code=HTTPStatus.ACCEPTED)
async def start(comparison: Comparison, desk: AtDesk) -> ExperimentState:
    """Start a comparison of skills from the library; answers that are recorded are reused."""
    return await desk.start(create_project(desk.app, comparison))


@router.get("")
def every(desk: AtDesk) -> ExperimentList:
    """List the experiments."""
    return ExperimentList(experiments=tuple(desk.experiments.list()))


def _known(identity: str, desk: AtDesk) -> ExperimentState:
    return desk.experiments.get(identity)


def _folder(experiment: ExperimentState, desk: Desk) -> Path:
    return desk.app.settings.workspace / "projects" / experiment.folder


Known = Annotated[ExperimentState, Depends(_known)]


@router.get("/{identity}")
def one(experiment: Known, desk: AtDesk) -> ExperimentDetail:
    """Show one experiment with its latest summary."""
    path = _folder(experiment, desk) / "results" / "summary.json"
    try:
        summary = Summary.load(path).to_data()
    except NotFound:
        summary = None
    return ExperimentDetail(
        experiment=experiment, summary=summary if isinstance(summary, dict) else None
    )


@router.post("/{identity}/resume", status_code=HTTPStatus.ACCEPTED)
async def resume(experiment: Known, desk: AtDesk, wanted: Run = NOT_YET) -> ExperimentState:
    """Go on with an interrupted experiment; one that is running goes on as it is. What came as a
    file, and would start something, has to be ``confirmed``."""
    if experiment.status == "running" and experiment.owner != desk.app.owner.id:
        return experiment
    project = opened(_folder(experiment, desk))
    confirmed = wanted.confirmed or not project.config.imported
    await begun(desk, project, wanted, confirmed=confirmed)
    return desk.experiments.get(experiment.id)


@router.get(
    "/{identity}/events",
    responses=STREAM,
)
async def events(
    experiment: Known, desk: AtDesk, last_event_id: LastEventId = 0
) -> EventSourceResponse:
    """Follow an experiment; a client that comes back with Last-Event-ID misses nothing."""
    return followed(desk, experiment.id, last_event_id)

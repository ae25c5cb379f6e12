"""``/v1/experiments``: start, list, get, follow."""

import time
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Header
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import JsonValue

from whet.app.experiments import ExperimentState
from whet.app.projects import Comparison, create_project
from whet.app.watch import watch
from whet.core.errors import NotFound
from whet.core.event import Event
from whet.core.value import Value
from whet.documents.project import ProjectConfig
from whet.documents.result import Summary
from whet.evaluate.project import Project
from whet.server.desk import AtDesk, Desk

SILENCE_SECONDS = 15

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
async def resume(experiment: Known, desk: AtDesk) -> ExperimentState:
    """Go on with an interrupted experiment; one that is running goes on as it is."""
    if experiment.status == "running" and experiment.owner != desk.app.owner.id:
        return experiment
    folder = _folder(experiment, desk)
    return await desk.start(Project(folder, ProjectConfig.load(folder / "config.json")))


@router.get(
    "/{identity}/events",
    # Not ``response_class``: FastAPI's own encoder logs an error when a client hangs up.
    responses={HTTPStatus.OK.value: {"content": {"text/event-stream": {}}}},
)
async def events(
    experiment: Known, desk: AtDesk, last_event_id: Annotated[int, Header(ge=0, lt=2**63)] = 0
) -> EventSourceResponse:
    """Follow an experiment; a client that comes back with Last-Event-ID misses nothing."""
    batches = watch(desk.app.store.events, last_event_id, experiment.id)
    return EventSourceResponse(_stream(batches, desk))


async def _stream(batches: AsyncIterable[Sequence[Event]], desk: Desk) -> AsyncIterator[bytes]:
    """The event log on the wire, with a comment now and then so that no proxy hangs up."""
    spoken = time.monotonic()
    last_look = False
    async for batch in batches:
        if batch:
            spoken = time.monotonic()
            # In one piece: a client that has hung up is only noticed between two writes.
            yield b"".join(map(_on_the_wire, batch))
        elif time.monotonic() - spoken > SILENCE_SECONDS:
            spoken = time.monotonic()
            yield KEEPALIVE_COMMENT
        if last_look:
            return
        last_look = desk.stopped


def _on_the_wire(event: Event) -> bytes:
    return format_sse_event(
        data_str=event.model_dump_json(exclude={"cursor"}), event=event.kind, id=str(event.cursor)
    )

"""``/v1/runs``: every run of every kind, in whichever process it is; starts those of projects."""

import asyncio
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.sse import EventSourceResponse
from pydantic import JsonValue, StrictBool

from whet.app.projects.create import create_project
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import Comparison
from whet.app.run_kinds import RunKinds, can_resume, project_of
from whet.app.runs.progress import RunProgress, progress
from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.budget import Budget, Spending
from whet.core.errors import ConfirmationNeeded, NotFound, WrongStatus
from whet.core.run import Actor, Run, RunKind, RunStatus, Wish
from whet.core.usage import Usage
from whet.core.value import RequestModel, Value
from whet.curate.segments import shown
from whet.documents.result import Summary
from whet.ports.runs import RunQuery
from whet.server.desk import AtDesk, Desk
from whet.server.stream import STREAM, LastEventId, followed

router = APIRouter(prefix="/v1/runs", tags=["runs"])


class RunEntry(Value):
    """A run as people see it."""

    id: str
    kind: RunKind
    name: str
    status: RunStatus
    wish: Wish | None
    """What a person wanted last of whoever is at it."""

    actor: Actor
    owner: str
    """The process that is at it, or was the last."""

    parent: str | None
    error: str | None
    progress: RunProgress
    usage: Usage
    budget: Budget
    spending: Spending
    """What counts against the budget, of all processes that were at it."""

    created_at: str
    started_at: str
    ended_at: str | None
    can_resume: bool
    request: dict[str, JsonValue]
    details: dict[str, JsonValue]


class RunDetail(RunEntry):
    """A run and, for a project that has one, its latest summary."""

    summary: dict[str, JsonValue] | None


class RunEntries(Value):
    """Some of the runs, newest first."""

    runs: tuple[RunEntry, ...]
    total: int
    page: int
    page_size: int


class Resume(RequestModel):
    """Whether a person agrees to what it costs, and what it may use from now on."""

    confirmed: StrictBool = False
    budget: Budget | None = None
    """A new one; without it, what is left of the budget that the run has."""


NOT_YET = Resume()


@router.post("", status_code=HTTPStatus.ACCEPTED)
async def start(comparison: Comparison, desk: AtDesk) -> RunEntry:
    """Start a comparison of skills from the library; answers that are recorded are reused."""
    project = create_project(desk.app, comparison)
    await desk.start(project)
    return run_entry(desk, desk.runs.get(project.config.id))


@router.get("")
def every(
    desk: AtDesk,
    kind: Annotated[tuple[RunKind, ...], Query()] = (),
    status: Annotated[tuple[RunStatus, ...], Query()] = (),
    parent: str | None = None,
    page: Annotated[int, Query(ge=1, le=LAST_PAGE)] = 1,
    page_size: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
) -> RunEntries:
    """List runs of every kind, newest first."""
    query = RunQuery(
        kinds=kind or None,
        statuses=status or None,
        parent=parent,
        limit=page_size,
        offset=(page - 1) * page_size,
    )
    found = desk.runs.list(query)
    views = tuple(run_entry(desk, run) for run in found.items)
    return RunEntries(runs=views, total=found.total, page=page, page_size=page_size)


def _known(identity: str, desk: AtDesk) -> Run:
    return desk.runs.get(identity)


Known = Annotated[Run, Depends(_known)]


@router.get("/{identity}")
def one(run: Known, desk: AtDesk) -> RunDetail:
    """Show one: how far it is, its cost, budget and end, and the summary of a project."""
    return RunDetail(**dict(run_entry(desk, run)), summary=_summary(desk, run))


@router.post("/{identity}/pause")
async def pause(run: Known, desk: AtDesk) -> RunEntry:
    """Let what is under way come to its end, and start nothing more. The answer comes when it is
    paused, or after ten seconds with how it is by then."""
    return await _halted(desk, run, "paused")


@router.post("/{identity}/stop")
async def stop(run: Known, desk: AtDesk) -> RunEntry:
    """End its agents now, in whichever process; what they had answered stays."""
    return await _halted(desk, run, "stopped")


@router.post("/{identity}/resume", status_code=HTTPStatus.ACCEPTED)
async def resume(run: Known, desk: AtDesk, wanted: Resume = NOT_YET) -> RunEntry:
    """Go on with it in this server; what is on record is not done again. One that is running goes
    on as it is. A project that may cost much has to be ``confirmed``."""
    if run.status != "running":
        if not can_resume(run):
            message = f"{shown(run.name)} is {run.status}; start a new one"
            raise WrongStatus(message, "interrupted or partial", run.status)
        if run.kind == "project" and not wanted.confirmed:
            await asyncio.to_thread(_refuse_unagreed, desk, run)
        await desk.go_on(run, wanted.budget)
    return run_entry(desk, await asyncio.to_thread(desk.runs.get, run.id))


@router.get("/{identity}/events", responses=STREAM)
async def events(run: Known, desk: AtDesk, last_event_id: LastEventId = 0) -> EventSourceResponse:
    """Follow it: ``progress``, ``settled``, ``log`` and ``ended``. A client that comes back with
    Last-Event-ID misses nothing."""
    return followed(desk, run.id, last_event_id)


async def _halted(desk: Desk, run: Run, wish: Wish) -> RunEntry:
    return run_entry(desk, await RunKinds(desk.app, desk.library).halt(run, wish))


def _summary(desk: Desk, run: Run) -> dict[str, JsonValue] | None:
    if run.kind != "project":
        return None
    folder = desk.app.settings.workspace / "projects" / Path(str(run.details["folder"])).name
    try:
        data = Summary.load(folder / "results" / "summary.json").to_data()
    except NotFound:
        return None
    return data if isinstance(data, dict) else None


def _refuse_unagreed(desk: Desk, run: Run) -> None:
    imported = run.request.get("imported") is True
    expected = estimate(desk.app, project_of(desk.app, run), imported=imported)
    if expected.needs_consent:
        raise ConfirmationNeeded(f"{expected}: send it again with confirmed: true")


def run_entry(desk: Desk, run: Run) -> RunEntry:
    """A run as people see it now."""
    known = {*RunEntry.model_fields} - {"progress", "can_resume"}
    return RunEntry(
        **run.model_dump(include=known),
        progress=progress(run, desk.app.clock.now()),
        can_resume=can_resume(run),
    )

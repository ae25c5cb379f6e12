"""``/v1/projects``: make, list, look, change, put away, follow."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse
from pydantic import JsonValue

from whet.app.projects import told
from whet.app.projects.compare import compare_environments, project_environment
from whet.app.projects.copies import clone as copied
from whet.app.projects.create import create_project
from whet.app.projects.requests import Clone, Comparison, ProjectEdit, ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import ProjectStatus
from whet.app.projects.status import status as status_of
from whet.app.projects.told import ProjectDetail, ProjectItem, ProjectPage
from whet.core.errors import NotFound
from whet.curate.segments import shown
from whet.server import projects_files, projects_results, projects_work
from whet.server.desk import AtDesk
from whet.server.projects_known import Known, Present
from whet.server.stream import STREAM, LastEventId, followed

router = APIRouter(prefix="/v1/projects", tags=["projects"])


_AS_IT_IS = Clone()
_AGAINST = Query(description="Another project: what differs between the two.", max_length=500)


@router.get("")
def every(wanted: Annotated[ProjectListing, Query()], desk: AtDesk) -> ProjectPage:
    """List projects, the newest first."""
    shelf = ProjectShelf(desk.app)
    return told.page(desk.app, shelf.page(wanted), shelf.problems())


@router.post("", status_code=HTTPStatus.CREATED)
def create(comparison: Comparison, desk: AtDesk) -> ProjectItem:
    """Make a project of skills and baselines of the library; it is not started."""
    return told.item(desk.app, create_project(desk.app, comparison))


# Before the routes that take any word for the name of a project.
router.include_router(projects_files.of_all)


@router.get("/{reference}")
def one(project: Present, desk: AtDesk) -> ProjectDetail:
    """Show how a project is set up, and its latest summary."""
    return told.detail(desk.app, project)


@router.patch("/{reference}")
def edit(project: Known, change: ProjectEdit, desk: AtDesk) -> ProjectItem:
    """Call it otherwise, or say what it is about."""
    shelf, identity = ProjectShelf(desk.app), project.config.id
    if change.name is not None:
        project = shelf.rename(identity, change.name)
    if change.description is not None:
        project = shelf.describe(identity, change.description)
    return told.item(desk.app, project)


@router.get("/{reference}/status")
def status(project: Known, desk: AtDesk) -> ProjectStatus:
    """Tell how far it is, and how long it may still take."""
    return status_of(desk.app, project)


@router.get("/{reference}/summary")
def summary(project: Present) -> dict[str, JsonValue]:
    """Show the ranking."""
    found = told.summary(project)
    if found is None:
        raise NotFound(f"{shown(project.config.name)} has no summary yet; run it to its end")
    data = found.to_data()
    return data if isinstance(data, dict) else {}


@router.get("/{reference}/environment")
def environment(
    project: Known, desk: AtDesk, against: Annotated[str | None, _AGAINST] = None
) -> dict[str, JsonValue]:
    """Tell what it is carried out with: engine, model, judges, assets and their digests."""
    identity = project.config.id
    if against is None:
        data = project_environment(desk.app, identity).to_data()
    else:
        data = compare_environments(desk.app, identity, against).to_data()
    return data if isinstance(data, dict) else {}


@router.post("/{reference}/clone", status_code=HTTPStatus.CREATED)
def clone(project: Known, desk: AtDesk, wanted: Clone = _AS_IT_IS) -> ProjectItem:
    """Make a new project of the same design, without results; it is not started."""
    return told.item(desk.app, copied(desk.app, project, wanted.name, newest=wanted.newest))


@router.post("/{reference}/archive")
def archive(project: Known, desk: AtDesk) -> ProjectItem:
    """Put it out of the way; nothing is deleted."""
    return told.item(desk.app, ProjectShelf(desk.app).archive(project.config.id, archived=True))


@router.post("/{reference}/restore")
def restore(project: Known, desk: AtDesk) -> ProjectItem:
    """Take an archived one back."""
    return told.item(desk.app, ProjectShelf(desk.app).archive(project.config.id, archived=False))


@router.get("/{reference}/events", responses=STREAM)
async def events(
    project: Known, desk: AtDesk, last_event_id: LastEventId = 0
) -> EventSourceResponse:
    """Follow it; a client that comes back with Last-Event-ID misses nothing."""
    return followed(desk, project.config.id, last_event_id)


router.include_router(projects_work.router)
router.include_router(projects_results.router)
router.include_router(projects_files.router)

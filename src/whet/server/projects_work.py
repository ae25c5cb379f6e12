"""``/v1/projects/{reference}``: run, pause, resume, stop and retry.

Whoever runs a project may be another process on the same workspace; a wish reaches it all the same.
"""

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Response

from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import Retry, Run
from whet.app.projects.status import ProjectStatus, Retried, status
from whet.app.projects.wanted import retry
from whet.app.runs.service import PATIENCE_SECONDS
from whet.app.takeover.takeover import take_over
from whet.core.errors import WrongStatus
from whet.core.run import Wish
from whet.curate.segments import shown
from whet.evaluate.project import Project
from whet.server.desk import AtDesk, Desk
from whet.server.projects_known import Known

router = APIRouter(prefix="/{reference}")


NOT_YET = Run()


@router.post("/run", status_code=HTTPStatus.ACCEPTED)
async def run(project: Known, desk: AtDesk, wanted: Run = NOT_YET) -> ProjectStatus:
    """Carry it out, or go on with it; what is on record is not run again. One that is running goes
    on as it is. What may cost much has to be ``confirmed``."""
    if project.config.status != "running":
        await begun(desk, project, wanted, confirmed=wanted.confirmed)
    return await asyncio.to_thread(status, desk.app, project)


@router.post("/resume", status_code=HTTPStatus.ACCEPTED)
async def resume(project: Known, desk: AtDesk, wanted: Run = NOT_YET) -> ProjectStatus:
    """Go on with it, which is the same as to run it."""
    return await run(project, desk, wanted)


@router.post("/pause")
async def pause(project: Known, desk: AtDesk) -> ProjectStatus:
    """Let what is under way come to its end, and start nothing more. The answer comes when it is
    paused, or after ten seconds with how it is by then."""
    return await _halted(desk, project, "paused")


@router.post("/stop")
async def stop(project: Known, desk: AtDesk) -> ProjectStatus:
    """End its agents now; what they had answered stays, and it can be resumed."""
    return await _halted(desk, project, "stopped")


@router.post("/retry", responses={HTTPStatus.ACCEPTED.value: {"model": Retried}})
async def try_again(project: Known, wish: Retry, desk: AtDesk, response: Response) -> Retried:
    """Want other answers for some results: at once with ``run``, else the next run gets them."""
    if project.config.status == "running":
        message = f"{shown(project.config.name)} is running; pause or stop it first"
        raise WrongStatus(message, "completed, interrupted or pending", "running")
    found = await asyncio.to_thread(_wanted_anew, desk.app, project, wish)
    if wish.run:
        response.status_code = HTTPStatus.ACCEPTED
        await begun(desk, project, NOT_YET, confirmed=True)
    return Retried(results=found, project=await asyncio.to_thread(status, desk.app, project))


async def begun(desk: Desk, project: Project, wanted: Run, *, confirmed: bool) -> None:
    """Start a project in this process; raises ``ConfirmationNeeded`` where a person has to agree
    first."""
    if not confirmed:
        # A large project takes its time to look through, and others are served meanwhile.
        await asyncio.to_thread(_refuse_unagreed, desk.app, project, imported=wanted.imported)
    await desk.start(project, imported=wanted.imported, budget=wanted.budget)


async def _halted(desk: Desk, project: Project, wish: Wish) -> ProjectStatus:
    await Experiments(desk.app).halt(project, wish, PATIENCE_SECONDS)
    return await asyncio.to_thread(status, desk.app, project)


def _wanted_anew(app: App, project: Project, wish: Retry) -> int:
    """Mark the results, or leave all as it is where a person has to agree to the run first."""
    take_over(app, project)
    with app.store.transaction():
        found = retry(app, project, wish.wish)
        if wish.run and not wish.confirmed:
            _refuse_unagreed(app, project)
    return found


def _refuse_unagreed(app: App, project: Project, *, imported: bool = False) -> None:
    estimate(app, project, imported=imported).require_consent(confirmed=False)

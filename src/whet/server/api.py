"""The API as one ASGI application."""

import asyncio
import re
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache

from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from whet import __version__
from whet.app.app import App
from whet.server import (
    assist,
    baselines,
    config,
    engines,
    eval_runs,
    evals,
    evaluation,
    evaluation_admin,
    evaluation_reports,
    evaluation_sets,
    events,
    health,
    home,
    job_batches,
    jobs,
    jobs_files,
    jobs_talk,
    leaderboard,
    management,
    management_runs,
    problems,
    projects,
    projects_files,
    runs,
    sessions,
    sessions_files,
    sessions_live,
    sessions_said,
    skill_packages,
    skills,
    ui,
    views,
    workspace,
)
from whet.server.access import Access
from whet.server.bodies import LimitedBodies
from whet.server.desk import Desk
from whet.server.encoding import Json
from whet.server.error_statuses import with_statuses
from whet.server.sent import with_bodies
from whet.server.upkeep import keep_up

THREADS = 12
"""That answer requests, and as many that work for those who answer on the event loop. Few: they
share one interpreter, and each may have a connection to the database."""

ROUTERS = (
    # Clients ask for the status of their jobs over and over: they are looked up first.
    jobs.router,
    jobs_files.router,
    jobs_talk.router,
    job_batches.router,
    health.router,
    engines.router,
    management.router,
    management_runs.router,
    config.router,
    runs.router,
    projects.router,
    evals.router,
    eval_runs.router,
    views.runs,
    views.evals,
    evaluation.router,
    evaluation_sets.router,
    evaluation_admin.router,
    evaluation_reports.router,
    assist.skills,
    assist.baselines,
    skills.router,
    skill_packages.router,
    baselines.router,
    leaderboard.router,
    sessions_live.router,
    sessions_files.of_all,
    sessions.of_all,
    sessions.router,
    sessions_said.router,
    sessions_files.router,
    workspace.router,
    events.router,
    home.router,
    ui.router,
)
"""Of two that fit a path, the first answers."""


def make_api(app: App) -> FastAPI:
    """Join the resources, the errors and the door-keeper."""
    desk = Desk(app)

    @asynccontextmanager
    async def lifespan(_api: FastAPI) -> AsyncGenerator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "whet"))
        current_default_thread_limiter().total_tokens = THREADS
        desk.index.follow()
        async with app.writer.beside_the_loop():
            keeping_up = asyncio.create_task(keep_up(desk))
            desk.serve_jobs()
            yield
            keeping_up.cancel()
            await asyncio.gather(keeping_up, return_exceptions=True)
            await desk.stop()
        await asyncio.to_thread(desk.index.close)
        await asyncio.to_thread(desk.sessions.close)

    # The interactive documentation pages load scripts from elsewhere; the contract is enough.
    api = FastAPI(
        title="whet",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    api.state.desk = desk
    api.add_middleware(LimitedBodies, larger=_larger())
    api.add_middleware(
        Access,
        token=app.settings.token,
        attempts=desk.failed_attempts,
        public_url=app.settings.public_url,
    )
    problems.install(api)
    api.router.routes.extend(_routes())
    api.openapi = with_statuses(with_bodies(api), has_token=app.settings.token is not None)
    return api


def _larger() -> dict[re.Pattern[str], int]:
    """Bytes that may be sent to those who write them to a file, by what their paths look like."""
    return {
        re.compile(re.escape(projects_files.IMPORT)): projects_files.MOST_BYTES,
        re.compile(re.escape(skill_packages.INSTALL)): skill_packages.MOST_BYTES,
        jobs_files.UPLOADS: jobs_files.MOST_BYTES,
        re.compile(re.escape(sessions_files.IMPORT)): sessions_files.MOST_BYTES,
    }


@cache
def _routes() -> list[BaseRoute]:
    """All resources. Looking through their signatures takes longer than anything else here, so it
    is done once, for however many applications."""
    every = APIRouter(default_response_class=Json, responses=problems.RESPONSES)
    for router in ROUTERS:
        every.include_router(router)
    return every.routes

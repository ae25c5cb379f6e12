"""The API as one ASGI application."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

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
    experiments,
    health,
    leaderboard,
    problems,
    projects,
    projects_files,
    skills,
    workspace,
)
from whet.server.access import Access
from whet.server.bodies import LimitedBodies
from whet.server.desk import Desk
from whet.server.encoding import Json
from whet.server.upkeep import keep_up


def make_api(app: App) -> FastAPI:
    """Join the resources, the errors and the door-keeper."""
    desk = Desk(app)

    @asynccontextmanager
    async def lifespan(_api: FastAPI) -> AsyncGenerator[None]:
        desk.index.follow()
        keeping_up = asyncio.create_task(keep_up(desk))
        yield
        keeping_up.cancel()
        await asyncio.gather(keeping_up, return_exceptions=True)
        await desk.stop()
        await asyncio.to_thread(desk.index.close)

    # The interactive documentation pages load scripts from elsewhere; the contract is enough.
    api = FastAPI(
        title="whet",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        default_response_class=Json,
        responses=problems.RESPONSES,
    )
    api.state.desk = desk
    api.add_middleware(LimitedBodies, larger={projects_files.IMPORT: projects_files.MOST_BYTES})
    api.add_middleware(Access, token=app.settings.token)
    problems.install(api)
    api.include_router(health.router)
    api.include_router(engines.router)
    api.include_router(config.router)
    api.include_router(projects.router)
    api.include_router(experiments.router)
    api.include_router(evals.router)
    api.include_router(eval_runs.router)
    api.include_router(evaluation.router)
    api.include_router(evaluation_sets.router)
    api.include_router(evaluation_admin.router)
    api.include_router(evaluation_reports.router)
    api.include_router(assist.skills)
    api.include_router(assist.baselines)
    api.include_router(skills.router)
    api.include_router(baselines.router)
    api.include_router(leaderboard.router)
    api.include_router(workspace.router)
    return api

"""The API as one ASGI application."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from whet import __version__
from whet.app.app import App
from whet.server import config, engines, eval_runs, evals, experiments, health, problems
from whet.server.access import Access
from whet.server.bodies import LimitedBodies
from whet.server.desk import Desk


def make_api(app: App) -> FastAPI:
    """Join the resources, the errors and the door-keeper."""
    desk = Desk(app)

    @asynccontextmanager
    async def lifespan(_api: FastAPI) -> AsyncGenerator[None]:
        yield
        await desk.stop()

    # The interactive documentation pages load scripts from elsewhere; the contract is enough.
    api = FastAPI(
        title="whet",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=problems.RESPONSES,
    )
    api.state.desk = desk
    api.add_middleware(LimitedBodies)
    api.add_middleware(Access, token=app.settings.token)
    problems.install(api)
    api.include_router(health.router)
    api.include_router(engines.router)
    api.include_router(config.router)
    api.include_router(experiments.router)
    api.include_router(evals.router)
    api.include_router(eval_runs.router)
    return api

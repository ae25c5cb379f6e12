"""``/v1/home`` and ``/v1/demo``: the workspace at a glance, and a first thing to look at."""

import asyncio
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter

from whet.app.demo import demo_project
from whet.app.overview.home import Home
from whet.app.overview.home import home as seen
from whet.core.value import RequestModel
from whet.server.desk import AtDesk
from whet.server.runs import RunEntry, run_entry

router = APIRouter(tags=["system"])

PAUSE_SECONDS = 0.6
"""Before each trial of the demo: the simulated agent takes no time, and a person wants to watch."""


class Demo(RequestModel):
    """The language of the sample."""

    language: Literal["en", "zh"] | None = None
    """As the server's where none is named."""


_AS_IT_SPEAKS = Demo()


@router.get("/v1/home")
def home(desk: AtDesk) -> Home:
    """Tell what is running and what came out last."""
    return seen(desk.app)


@router.post("/v1/demo", status_code=HTTPStatus.ACCEPTED)
async def demo(desk: AtDesk, wanted: Demo = _AS_IT_SPEAKS) -> RunEntry:
    """Run the demo at a pace that can be watched; one that runs or is complete stays as it is."""
    language = wanted.language or desk.app.settings.language
    project = await asyncio.to_thread(demo_project, desk.app, language)
    identity = project.config.id
    run = desk.runs.find(identity)
    if run is None or run.status == "interrupted":
        await desk.start(project, pause_seconds=PAUSE_SECONDS)
    return run_entry(desk, desk.runs.get(identity))

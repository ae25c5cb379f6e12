"""Let whoever runs a project pause or stop, and wait until it has."""

import asyncio
import time

from whet.app.app import App
from whet.app.control import LOOK_SECONDS, Wish
from whet.app.experiments import Experiments, ExperimentState
from whet.core.errors import WrongStatus
from whet.curate.segments import shown
from whet.evaluate.project import Project


async def halt(app: App, project: Project, wish: Wish, patience: float) -> ExperimentState:
    """How it is once nobody is at it any more, or after so many seconds.

    Before a pause, what is under way comes to its end, which may take as long as an agent may. A
    project that came to its end meanwhile is completed. Raises ``WrongStatus`` where it is not
    running.
    """
    config = project.config
    if config.status != "running":
        message = f"{shown(config.name)} is not running; it is {config.status}"
        raise WrongStatus(message, "running", config.status)
    experiments, identity = Experiments(app), config.id
    state = experiments.ask(identity, wish)
    end = time.monotonic() + patience
    while state.status == "running" and time.monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)
        state = experiments.get(identity)
    return state

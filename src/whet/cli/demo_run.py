"""What ``whet demo`` does once its imports are worth their time."""

import asyncio
import sys
import time

from rich.console import Console

from whet.app.app import opened
from whet.app.demo import demo_project
from whet.app.experiments import Experiments, Report
from whet.app.settings import Settings
from whet.cli.progress import shown
from whet.cli.ranking import as_json as ranking_json
from whet.cli.ranking import printed
from whet.cli.words import BY_LANGUAGE


def run(settings: Settings, language: str, *, as_json: bool) -> None:
    """Run the demo project and print what came of it."""
    begun = time.monotonic()
    with opened(settings) as app:
        project = demo_project(app, language)

        async def work() -> Report:
            async with shown(app.store.events, project.config.id, project.config.name):
                return await Experiments(app).run(project)

        report = asyncio.run(work())
    seconds = time.monotonic() - begun
    if as_json:
        sys.stdout.write(ranking_json(report, seconds))
    else:
        printed(Console(), report, seconds, settings.workspace, BY_LANGUAGE[language])

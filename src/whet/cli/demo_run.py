"""What ``whet demo`` does once its imports are worth their time."""

import sys
import time

import typer
from rich.console import Console

from whet.app.app import opened
from whet.app.demo import demo_project
from whet.app.experiments import Experiments, Report
from whet.app.settings import Settings
from whet.cli.browser import ADDRESS, PORT, is_attended
from whet.cli.browser import shown as shown_page
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.ranking import as_json as ranking_json
from whet.cli.ranking import printed
from whet.cli.termination import run_to_end
from whet.cli.words import RankingWords


def run(settings: Settings, language: str, *, as_json: bool) -> None:
    """Run the demo project and print what came of it."""
    begun = time.monotonic()
    with opened(settings) as app:
        project = demo_project(app, language)

        async def work() -> Report:
            async with shown(app.store.events, project.config.id, project.config.name):
                return await Experiments(app).run(project)

        report = run_to_end(app, work())
    seconds = time.monotonic() - begun
    if as_json:
        sys.stdout.write(ranking_json(report, seconds))
        return
    words = RankingWords(language)
    page = f"#/experiments/projects/{report.project.config.id}"
    printed(Console(), report, seconds, settings.workspace, words)
    sys.stdout.write(f"{words.look}  {ADDRESS}/{page}\n")
    if is_attended(settings) and _agrees(words.offer):
        _serve(settings, page)


def _agrees(offer: str) -> bool:
    try:
        return typer.confirm(f"\n{offer}", default=True, err=True)
    except typer.Abort:
        return False


def _serve(settings: Settings, page: str) -> None:
    from whet.server.main import serve_forever

    def listening(url: str) -> None:
        if not shown_page(settings, url, page):
            say(f"{url}/{page}")

    serve_forever(settings, "127.0.0.1", PORT, as_json=False, listening=listening)

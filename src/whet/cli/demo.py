"""``whet demo``: the whole loop in seconds, without any key."""

import sys
import time
from typing import Annotated, Literal

import typer
from rich.console import Console

from whet.app.app import opened
from whet.app.demo import demo_project
from whet.app.experiments import Experiments, Report
from whet.app.settings import Settings
from whet.cli.asset_output import print_json
from whet.cli.browser import ADDRESS, PORT, is_attended
from whet.cli.browser import shown as shown_page
from whet.cli.command import GOES_ON, Call, when_stopped
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.ranking import RankingWords, as_data, printed
from whet.cli.termination import run_to_end

Language = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--language", help="The language of the sample and the result; as --lang."),
]


@when_stopped(GOES_ON)
def demo(call: Call, language: Language = None) -> None:
    """Run the demo project and print what came of it."""
    begun = time.monotonic()
    spoken = language or call.language
    with opened(call.settings) as app:
        project = demo_project(app, spoken)

        async def work() -> Report:
            async with shown(app.store.events, project.config.id, project.config.name):
                return await Experiments(app).run(project)

        report = run_to_end(app, work())
    seconds = time.monotonic() - begun
    if call.json:
        print_json(as_data(report, seconds))
        return
    words = RankingWords(spoken)
    page = f"#/experiments/projects/{report.project.config.id}"
    printed(Console(), report, seconds, call.settings.workspace, words)
    sys.stdout.write(f"{words.look}  {ADDRESS}/{page}\n")
    if is_attended(call.settings) and _agrees(words.offer):
        _serve(call.settings, page)


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

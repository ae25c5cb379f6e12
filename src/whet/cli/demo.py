"""``whet demo``: the whole loop in seconds, without any key."""

from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


class Language(StrEnum):
    """Languages of the sample."""

    EN = "en"
    ZH = "zh"


def demo(
    workspace: Workspace = None,
    language: Annotated[
        Language | None,
        typer.Option(help="Language of the sample and the result. Default: your locale's."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare three sample skills on the built-in simulated agent and print the ranking."""
    stopped = "stopped; run the same command again to go on where it ended"
    with one_line_errors(stopped):
        from whet.app.settings import read
        from whet.cli.demo_run import run

        settings = read(workspace)
        run(settings, language or settings.language, as_json=json)

"""``whet workspace``: the folder with everything, as a whole."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(
    name="workspace",
    help="Take over a workspace of the original program.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.command("import")
def import_(
    original: Annotated[
        Path, typer.Argument(help="The workspace; it is only read.", metavar="DIR")
    ],
    report: Annotated[
        Path | None, typer.Option(help="Write the whole report into this file, which is new.")
    ] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take over skills, baselines, projects and settings, and say what had to be repaired."""
    with one_line_errors("stopped; run the same command again to go on"):
        from whet.app.settings import read
        from whet.cli.workspace_run import run

        run(read(workspace), original, report, as_json=json)

"""``whet cassette``: trials in one file, to be shared, graded again or replayed."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(
    name="cassette",
    help="Put trials into one file, or take them from one.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.command("export")
def export(
    out: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    project: Annotated[
        str | None, typer.Option(help="The trials of this project, by name or id.")
    ] = None,
    trial: Annotated[
        list[str] | None,
        typer.Option(help="A trial by its address or how that begins; may be given again."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every trial of the workspace.")] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write recorded trials into a cassette: answers, files, sessions and steps."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.cassette_run import Choice, export

        choice = Choice(project, tuple(trial or ()), every)
        export(read(workspace), out, choice, as_json=json)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="The cassette.")],
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take the trials of a cassette into the workspace; they run nothing and cost nothing."""
    with one_line_errors("stopped; nothing was imported"):
        from whet.app.settings import read
        from whet.cli.cassette_run import take_in

        take_in(read(workspace), file, as_json=json)

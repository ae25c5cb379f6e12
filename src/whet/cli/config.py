"""``whet config``: what holds where a command names nothing."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(
    name="config",
    help="Show and set what holds where a command names nothing.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.command("show")
def show(workspace: Workspace = None, json: Json = False) -> None:
    """Show every value, and where it comes from."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.config_run import show

        show(read(workspace), as_json=json)


@app.command("set")
def set_(
    values: Annotated[
        list[str],
        typer.Argument(
            help="KEY=VALUE, VALUE as JSON; null goes back to what is built in.",
            metavar="KEY=VALUE...",
        ),
    ],
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Write values into cli/config.json of the workspace."""
    with one_line_errors("stopped; nothing was changed"):
        from whet.app.settings import read
        from whet.cli.config_run import change

        change(read(workspace), values, as_json=json)

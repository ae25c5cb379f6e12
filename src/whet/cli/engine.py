"""``whet engine``: the agents that whet can drive."""

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(help="The agents that whet can drive.", no_args_is_help=True)


@app.callback()
def engine() -> None:
    """The agents that whet can drive."""


@app.command("list")
def list_engines(workspace: Workspace = None, json: Json = False) -> None:
    """List the engines: installed or not, which version, and what is missing."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.doctor_run import list_engines

        list_engines(read(workspace), as_json=json)

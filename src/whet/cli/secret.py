"""``whet secret``: the secrets that runs of this workspace were given."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(
    name="secret",
    help="Secrets that runs of this workspace were given; they lie in your own folder.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Reference = Annotated[
    str, typer.Argument(help="As the message or the list names it.", metavar="REFERENCE")
]
Name = Annotated[
    str, typer.Option("--name", help="Where it stands, as environment.API_TOKEN.", metavar="NAME")
]
STOPPED = "stopped; nothing was changed"


@app.command("list")
def list_(workspace: Workspace = None, json: Json = False) -> None:
    """List the secrets of this workspace: where each stands, never its value."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.secret_run import show

        show(read(workspace), as_json=json)


@app.command("set")
def set_(reference: Reference, name: Name, workspace: Workspace = None, json: Json = False) -> None:
    """Give a secret again, for a workspace that was copied or moved; its value is read from the
    standard input."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.secret_run import give

        give(read(workspace), reference, name, as_json=json)


@app.command("remove")
def remove(reference: Reference, workspace: Workspace = None, json: Json = False) -> None:
    """Forget a secret; work that needs it fails until it is given again."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.secret_run import remove

        remove(read(workspace), reference, as_json=json)

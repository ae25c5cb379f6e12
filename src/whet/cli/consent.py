"""``whet consent``: what agents of this workspace may see and reach beyond what any agent does."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors

app = typer.Typer(
    name="consent",
    help="Agree on this machine to options that widen what agents see and reach.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Code = Annotated[str, typer.Argument(help="The code that the refusal names.", metavar="CODE")]
STOPPED = "stopped; nothing was changed"


@app.command("list")
def list_(workspace: Workspace = None, json: Json = False) -> None:
    """List what you agreed to in this workspace, and what the machine allows."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.consent_run import show

        show(read(workspace), as_json=json)


@app.command("give")
def give(code: Code, workspace: Workspace = None, json: Json = False) -> None:
    """Agree to the options that a refusal listed with this code; others need another code."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.consent_run import give

        give(read(workspace), code, as_json=json)


@app.command("revoke")
def revoke(code: Code, workspace: Workspace = None, json: Json = False) -> None:
    """Take a consent back; its beginning will do."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.consent_run import revoke

        revoke(read(workspace), code, as_json=json)

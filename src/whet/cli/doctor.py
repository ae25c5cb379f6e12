"""``whet doctor``: what works here, and how to get the rest to work."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


def doctor(
    live: Annotated[
        bool, typer.Option("--live", help="Ask each agent one short question. This costs money.")
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Say which engines, sandbox, database and disk there are, with the fix for what is missing."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.doctor_run import run

        run(read(workspace), live=live, as_json=json)

"""``whet model-server``: a scripted model for trying agents without a provider."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


def model_server(
    script: Annotated[Path, typer.Argument(help="What the model says, as JSON.")],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 0,
    workspace: Workspace = None,  # noqa: ARG001 - every command takes it
    json: Json = False,
) -> None:
    """Serve a scripted model on this machine until Ctrl-C; every request is a line on stderr."""
    with one_line_errors("stopped"):
        from whet.cli.model_server_run import run

        run(script, port, as_json=json)

"""``whet serve``: the HTTP API on this machine."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8642,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Serve the API until Ctrl-C. Anything but loopback needs WHET_TOKEN."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.server.main import serve_forever

        serve_forever(read(workspace), host, port, as_json=json)

"""``whet serve``: the pages and the HTTP API on this machine."""

from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors, say


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8642,
    open_: Annotated[bool, typer.Option("--open", help="Show the pages in a browser.")] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Serve the pages and the API until Ctrl-C. Anything but loopback needs WHET_TOKEN."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.browser import shown
        from whet.server.main import serve_forever

        settings = read(workspace)

        def listening(url: str) -> None:
            if open_ and not shown(settings, url):
                say(f"no browser is opened: there is no terminal or no screen here; go to {url}")

        serve_forever(settings, host, port, as_json=json, listening=listening)

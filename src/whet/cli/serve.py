"""``whet serve``: the pages and the HTTP API on this machine."""

from typing import Annotated

import typer

from whet.cli.browser import shown
from whet.cli.command import Call
from whet.cli.options import say
from whet.server.main import serve_forever

Host = Annotated[str, typer.Option(help="Address to listen on.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")]
Open = Annotated[bool, typer.Option("--open", help="Show the pages in a browser.")]


def serve(call: Call, host: Host = "127.0.0.1", port: Port = 8642, open_: Open = False) -> None:
    """Serve until a signal."""

    def listening(url: str) -> None:
        if open_ and not shown(call.settings, url):
            say(f"no browser is opened: there is no terminal or no screen here; go to {url}")

    serve_forever(call.settings, host, port, as_json=call.json, listening=listening)

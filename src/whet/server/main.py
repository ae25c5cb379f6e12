"""Listen and serve."""

import errno
import json
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from whet.app.app import opened
from whet.app.settings import Settings
from whet.core.errors import EnvironmentProblem
from whet.server.access import fit_for_network
from whet.server.api import make_api
from whet.server.desk import Desk

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses to listen on that lead nowhere."""


class _Server(uvicorn.Server):
    """Ends what is under way first; a client that follows an experiment never hangs up."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of experiments and their followers, then of the connections."""
        await self._desk.stop()
        await super().shutdown(sockets)


def serve_forever(
    settings: Settings,
    host: str,
    port: int,
    *,
    as_json: bool,
    listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve the workspace until a signal; experiments under way are left resumable.

    *listening* is called with an address for browsers of this machine, once it can be reached.
    """
    settings = fit_for_network(settings, host)
    # The server library gives the signal back when it is done; unhandled, it would end the
    # process before the store is closed and the scratch folder removed.
    signal.signal(signal.SIGTERM, _end)
    with _listening(host, port) as listener, opened(settings) as app:
        bound = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{bound}"
        news = {"url": url, "workspace": str(settings.workspace)}
        line = json.dumps(news) if as_json else f"whet serves {settings.workspace} on {url}"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        listening(f"http://127.0.0.1:{bound}" if host in EVERYWHERE else url)
        api = make_api(app)
        config = uvicorn.Config(
            api, log_level="warning", access_log=False, timeout_graceful_shutdown=1
        )
        _Server(config, api.state.desk).run(sockets=[listener])


def _end(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, connections are told to send at once what they have. Otherwise the
    # second answer on one of them waits 40 ms for the client's acknowledgement of the first part.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            reason += "; choose another with --port"
        raise EnvironmentProblem(f"cannot listen on {host} port {port}: {reason}") from error
    return listener

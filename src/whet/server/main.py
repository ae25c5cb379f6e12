"""Listen and serve."""

import asyncio
import errno
import gc
import json
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import cast

import uvicorn

from whet.app.app import opened
from whet.app.settings import Settings
from whet.core.errors import EnvironmentProblem
from whet.server.access import fit_for_network
from whet.server.api import make_api
from whet.server.connections import MOST_HEAD_BYTES, Acceptor, Connections, HttpProtocol
from whet.server.desk import Desk

SWITCH_SECONDS = 0.0005
"""For which a busy thread may keep the interpreter when the event loop wants to go on. With the
usual 5 ms, a loop beside some busy threads would be late for everything."""

CANCELLED = {
    "en": "whet: trials that did not end in time were cancelled: {count}; the next start goes on\n",
    "zh": "whet: 未能及时结束而被取消的试验：{count}；下次启动会继续\n",
}

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses to listen on that lead nowhere."""


class _Server(uvicorn.Server):
    """Ends what is under way first; a client that follows an experiment never hangs up."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk
        self._connections = Connections()
        self._acceptors: list[Acceptor] = []
        self._is_hurried = False
        self._looking: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Get ready; then take connections in by ourselves, because the library has no limits."""
        await super().startup([])
        self._acceptors = [
            Acceptor(listener, self._http, self._connections) for listener in sockets or ()
        ]
        self._looking = asyncio.create_task(self._connections.look_after())

    def _http(self) -> HttpProtocol:
        make = cast(Callable[..., HttpProtocol], self.config.http_protocol_class)
        return make(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal drains, the second one ends what is under way."""
        if self.should_exit and not self._is_hurried:
            self._is_hurried = True
        else:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let what is under way finish, and others see that meanwhile; then let go of those who
        follow it, and of the connections."""
        settings, drain = self._desk.app.settings, self._desk.app.drain
        await self._desk.drain(settings.drain_seconds, lambda: self._is_hurried)
        if drain.cancelled:
            sys.stderr.write(CANCELLED[settings.language].format(count=drain.cancelled))
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)
        if self._looking is not None:
            self._looking.cancel()


def serve_forever(
    settings: Settings,
    host: str,
    port: int,
    *,
    as_json: bool,
    listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve the workspace until a signal; then begin nothing more, let trials under way finish, and
    leave the rest to the next server.

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
        _favour_the_loop()
        config = uvicorn.Config(
            api,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            ws="none",
            h11_max_incomplete_event_size=2 * MOST_HEAD_BYTES,
        )
        _Server(config, api.state.desk).run(sockets=[listener])


def _favour_the_loop() -> None:
    """Let nothing hold up the event loop for long."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # What is there now stays: to look through all of it for garbage takes a fifth of a second.
    gc.collect()
    gc.freeze()


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
        listener.listen(1024)
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            reason += "; choose another with --port"
        raise EnvironmentProblem(f"cannot listen on {host} port {port}: {reason}") from error
    return listener

"""HTTP: read a request, send what the desk decided."""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer

from whet.testing.model_server.body import BadBody, read_body
from whet.testing.model_server.connections import Connections
from whet.testing.model_server.desk import Desk
from whet.testing.model_server.log import Limits, LoggedRequest
from whet.testing.model_server.response import Response
from whet.testing.model_server.script import Problem

PATIENCE_SECONDS = 60.0
"""How long a client may take for its next byte."""

DRAIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Office:
    """What all connections share."""

    desk: Desk
    limits: Limits
    connections: Connections
    on_request: Callable[[LoggedRequest], None]


class Handler(BaseHTTPRequestHandler):
    """One connection, which is one request: the connection ends with the answer."""

    protocol_version = "HTTP/1.1"
    server_version = "whet-model-server"
    sys_version = ""
    timeout = PATIENCE_SECONDS
    disable_nagle_algorithm = True

    def __init__(
        self, request: socket.socket, address: object, server: BaseServer, office: Office
    ) -> None:
        self._office = office
        super().__init__(request, address, server)

    def setup(self) -> None:
        self._office.connections.add(self.request)
        super().setup()

    def finish(self) -> None:
        self._office.connections.remove(self.connection)
        super().finish()

    def _serve(self) -> None:
        self.close_connection = True
        body, fault = b"", None
        try:
            body = read_body(self.rfile, self.headers, self._office.limits.body_bytes)
        except BadBody as error:
            fault = Problem(status=error.status, message=str(error))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = LoggedRequest(self.command, self.path, headers, None if fault else body)
        response, request = self._office.desk.receive(request, fault)
        self._office.on_request(request)
        self._send(response)
        if fault:
            self._drain()

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815

    def _send(self, response: Response) -> None:
        if self._office.connections.closing.wait(response.delay):
            return
        if response.status is None:
            self._hang()
            return
        self._send_headers(response.status, response)
        if self.command == "HEAD":
            return
        for number, chunk in enumerate(response.chunks):
            if number and self._office.connections.closing.wait(response.chunk_delay):
                return
            self.wfile.write(chunk)
        if response.hang:
            self._hang()

    def _send_headers(self, status: int, response: Response) -> None:
        self.send_response(status)
        if response.stream:
            self.send_header("content-type", "text/event-stream")
            self.send_header("cache-control", "no-cache")
        else:
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(sum(map(len, response.chunks))))
        if response.retry_after is not None:
            self.send_header("retry-after", str(response.retry_after))
        self.send_header("connection", "close")
        self.end_headers()

    def _hang(self) -> None:
        """Wait until the client goes away or the server stops, which closes the connection."""
        self.connection.settimeout(None)
        while self.connection.recv(65_536):
            pass

    def _drain(self) -> None:
        """Take what is left of a refused body: closing on unread data would destroy the answer."""
        self.connection.shutdown(socket.SHUT_WR)
        end = time.monotonic() + DRAIN_SECONDS
        while (left := end - time.monotonic()) > 0:
            self.connection.settimeout(left)
            if not self.rfile.read1(65_536):
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name there
        """Say nothing: whoever wants to know reads the log."""

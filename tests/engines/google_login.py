"""Google, as far as a login needs it: behind a proxy on this machine, with a certificate that the
program is told to trust."""

import contextlib
import json
import ssl
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pydantic import JsonValue

TOKENS = "oauth2.googleapis.com"
MODELS = "cloudcode-pa.googleapis.com"


@dataclass(frozen=True)
class Asked:
    host: str
    path: str
    authorization: str
    body: str


@dataclass
class Google:
    """What it was asked, and which access tokens it takes for good."""

    certificate: Path
    key: Path
    valid: set[str]
    renewed: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])
    port: int = 0

    @property
    def environment(self) -> dict[str, str]:
        """The user's variables that lead there."""
        return {
            "HTTPS_PROXY": f"http://127.0.0.1:{self.port}",
            "NODE_EXTRA_CA_CERTS": str(self.certificate),
        }

    def of(self, host: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.host == host]

    def answer(self, asked: Asked) -> tuple[int, str]:
        """The status and the body."""
        self.asked.append(asked)
        token = asked.authorization.removeprefix("Bearer ")
        match asked.host, asked.path.partition("?")[0]:
            case host, "/token" if host == TOKENS and self.renewed:
                return 200, _json({"access_token": self.renewed, "expires_in": 3600})
            case host, "/tokeninfo" if host == TOKENS and token in self.valid:
                return 200, _json({"expires_in": 3600, "scope": "all"})
            case host, path if host == MODELS and token in self.valid:
                return self._model(path.rpartition(":")[2])
            case _:
                return 401, _json({"error": {"code": 401, "message": "no such login"}})

    def _model(self, method: str) -> tuple[int, str]:
        match method:
            case "loadCodeAssist":
                tier: JsonValue = {"id": "standard-tier", "name": "Made up"}
                return 200, _json({"currentTier": tier, "cloudaicompanionProject": "made-up"})
            case "streamGenerateContent":
                part: JsonValue = {"role": "model", "parts": [{"text": "Hello from Google."}]}
                candidate: JsonValue = {"content": part, "finishReason": "STOP"}
                tokens: JsonValue = {
                    "promptTokenCount": 20,
                    "candidatesTokenCount": 3,
                    "totalTokenCount": 23,
                }
                response: JsonValue = {"candidates": [candidate], "usageMetadata": tokens}
                return 200, f"data: {_json({'response': response})}\n\n"
            case _:
                return 200, "{}"


@contextmanager
def google(folder: Path, *valid: str, renewed: str = "") -> Generator[Google]:
    certificate, key = folder / "google.crt", folder / "google.key"
    names = f"subjectAltName=DNS:{TOKENS},DNS:{MODELS}"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=made-up", "-addext", names),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    made = Google(certificate, key, {*valid}, renewed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(made))
    server.daemon_threads = True
    made.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(made: Google) -> type[BaseHTTPRequestHandler]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)

    class Handler(BaseHTTPRequestHandler):
        host = ""

        def do_CONNECT(self) -> None:
            """From here on the connection is as if it led to that host."""
            self.send_response(200)
            self.end_headers()
            self.host = self.path.partition(":")[0]
            try:
                self.connection = context.wrap_socket(self.connection, server_side=True)
            except OSError:
                self.close_connection = True
                return
            self.rfile.close()
            self.rfile = self.connection.makefile("rb")
            self.wfile = self.connection.makefile("wb")
            self.close_connection = False

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            authorization = self.headers.get("authorization", "")
            status, text = made.answer(Asked(self.host, self.path, authorization, body))
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text.encode())))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(text.encode())
            self.wfile.flush()

        do_GET = do_POST  # noqa: N815 (the name there)

        def finish(self) -> None:
            with contextlib.suppress(OSError, ValueError):
                super().finish()
            # The server knows only the socket that this one was made of.
            self.connection.close()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name there
            pass

    return Handler


def _json(value: dict[str, JsonValue]) -> str:
    return json.dumps(value)

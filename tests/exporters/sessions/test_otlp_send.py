"""Traces reach whoever collects them, nobody else, and in time."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from tests.exporters.sessions.drawn import calm, large, report
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.outbound import ANYWHERE
from whet.exporters.outbound_http import outbound_connection
from whet.exporters.sessions import otlp_send
from whet.exporters.sessions.otlp import OtlpExporter
from whet.exporters.sessions.otlp_send import Sent, send
from whet.ports.session_exporter import ExportWish

TRACES = OtlpExporter().export(report(calm()), ExportWish())
SPANS = 18


@dataclass
class Collector:
    """A real server on this machine that takes traces, and answers as it is told."""

    status: int = 200
    answer: bytes = b"{}"
    drip: float = 0.0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    got: list[tuple[str, dict[str, str], bytes]] = field(
        default_factory=list[tuple[str, dict[str, str], bytes]]
    )
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.got.append((handler.path, headers, body))
        handler.send_response(self.status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(self.answer)))
        handler.end_headers()
        for sign in self.answer if self.drip else ():
            try:
                handler.wfile.write(bytes([sign]))
                handler.wfile.flush()
            except OSError:
                return
            time.sleep(self.drip)
        if not self.drip:
            handler.wfile.write(self.answer)


@contextmanager
def collecting(collector: Collector) -> Generator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    collector.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("path", ["", "/", "/v1/traces", "/team/one", "/team/one/v1/traces/"])
def test_traces_arrive_whole(path: str) -> None:
    with collecting(Collector()) as collector:
        sent = send(TRACES, collector.url + path, {"X-Key": "k"})
        (place, headers, body) = collector.got[0]
    assert sent == Sent(spans=SPANS)
    assert place == ("/team/one/v1/traces" if "team" in path else "/v1/traces")
    assert headers["content-type"] == "application/json"
    assert headers["x-key"] == "k"
    assert json.loads(body) == json.loads(TRACES)


def test_many_spans_go_in_several_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp_send, "MOST_BYTES", 20_000)
    text = OtlpExporter().export(report(large(100, "x" * 500)), ExportWish())
    with collecting(Collector()) as collector:
        sent = send(text, collector.url)
        bodies = [json.loads(body) for _, _, body in collector.got]
    assert sent.spans == 101
    assert len(bodies) > 3
    assert all(len(body) < 25_000 for _, _, body in collector.got)
    found = [one for body in bodies for one in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    assert found == json.loads(text)["resourceSpans"][0]["scopeSpans"][0]["spans"]


def test_what_is_rejected_is_told() -> None:
    answer = {"partialSuccess": {"rejectedSpans": "3", "errorMessage": "too \x1b[31mlong"}}
    with collecting(Collector(answer=json.dumps(answer).encode())) as collector:
        assert send(TRACES, collector.url) == Sent(SPANS, 3, "too \ufffd[31mlong")


ENDLESS = b'{"partialSuccess":{"rejectedSpans":"' + b"9" * 5_000 + b'"}}'


@pytest.mark.parametrize(
    "answer", [b"", b"no json", b"[" * 60_000, b"[]", b'{"partialSuccess":1}', ENDLESS]
)
def test_any_answer_is_survived(answer: bytes) -> None:
    with collecting(Collector(answer=answer)) as collector:
        assert send(TRACES, collector.url) == Sent(SPANS)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_nobody_else_is_told(status: int) -> None:
    with collecting(Collector()) as other:
        away = Collector(status, headers={"Location": f"{other.url}/v1/traces"})
        with (
            collecting(away) as collector,
            pytest.raises(EnvironmentProblem, match=f"answered {status}"),
        ):
            send(TRACES, collector.url)
    assert other.got == []


def test_a_refusal_says_why_and_never_the_key() -> None:
    refusal = Collector(401, b'{"message": "no such team"}')
    with collecting(refusal) as collector, pytest.raises(EnvironmentProblem) as caught:
        send(TRACES, collector.url, {"Authorization": "Bearer hunter2"})
    assert str(caught.value).endswith("/v1/traces answered 401: no such team")
    with pytest.raises(EnvironmentProblem) as caught:
        send(TRACES, collector.url, {"Authorization": "Bearer hunter2\nX-More: 1"})
    assert "hunter2" not in str(caught.value)


def test_whoever_drips_is_left() -> None:
    with collecting(Collector(answer=b"{" + b" " * 400 + b"}", drip=0.05)) as collector:
        begun = time.monotonic()
        with pytest.raises(EnvironmentProblem, match=r"did not answer within 0\.3 s"):
            send(TRACES, collector.url, timeout=0.3)
        assert time.monotonic() - begun < 3


def test_nobody_there_is_a_problem_of_the_machine() -> None:
    with collecting(Collector()) as collector:
        gone = collector.url
    with pytest.raises(EnvironmentProblem, match="could not be reached"):
        send(TRACES, gone, timeout=2)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "localhost:4318",
        "file:///etc/passwd",
        "ftp://localhost",
        "http://",
        "http://localhost:0",
        "http://localhost:99999",
        "http://[::1",
        "http://u:hunter2@localhost",
        "http://exa mple",
        "http://.",
        "http://a..b",
        "http://127.0.0.1:9/a b",
        "http://127.0.0.1:9/\u8bcd",
        "http://127.0.0.1:9/\0",
        "http://127.0.0.1:9/?\u8bcd",
    ],
)
def test_what_is_no_endpoint_is_not_asked(endpoint: str) -> None:
    with pytest.raises(UsageError) as caught:
        send(TRACES, endpoint)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443)])
def test_an_address_without_a_port_has_the_usual_one(scheme: str, port: int) -> None:
    connection = outbound_connection(urlsplit(f"{scheme}://[::1]/v1/traces"), 1.0, ANYWHERE)
    assert (connection.host, connection.port) == ("::1", port)


def test_what_is_no_trace_is_not_sent() -> None:
    with pytest.raises(UsageError, match="no traces"):
        send("{}", "http://localhost:4318")

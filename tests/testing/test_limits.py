"""The log, its limits, and bodies that nobody should send."""

import json
import socket
from typing import Any

import pytest

from tests.testing.asking import (
    PATHS,
    WIRES,
    ask,
    body,
    call,
    raw,
    raw_answer,
    script,
    text_of,
    user,
)
from whet.core.errors import InvalidDocument
from whet.testing.model_server import Limits, LoggedRequest, ModelServer, Turn

SCRIPT = script(Turn(text="fine"))
HEAD = b"POST /v1/messages HTTP/1.1\r\nhost: x\r\n"


def test_every_request_is_kept_as_it_came() -> None:
    told: list[LoggedRequest] = []
    with ModelServer(SCRIPT, on_request=told.append) as server:
        sent = body("anthropic", "MARK")
        call(server, "POST", "/v1/messages?beta=true", sent, **{"X-Api-Key": "test-key"})
        call(server, "GET", "/nowhere")
        first, second = server.requests
    assert (first.method, first.path) == ("POST", "/v1/messages?beta=true")
    assert first.headers["x-api-key"] == "test-key"
    assert first.json == sent
    assert first.body == json.dumps(sent).encode()
    assert (first.wire, first.marker, first.turn, first.hit) == ("anthropic", "MARK", 0, 0)
    assert first.status == 200
    assert (second.wire, second.marker, second.turn, second.status) == (None, None, None, 404)
    assert first.time <= second.time
    assert told == [first, second]
    with pytest.raises(InvalidDocument, match="GET /nowhere"):
        _ = second.json


@pytest.mark.parametrize("wire", WIRES)
def test_too_many_requests_are_refused_and_counted(wire: str) -> None:
    with ModelServer(SCRIPT, limits=Limits(requests=2)) as server:
        assert [ask(server, wire, "MARK").status for _ in range(2)] == [200, 200]
        assert not server.exceeded
        refused = ask(server, wire, "MARK")
        ask(server, wire, "MARK")
    assert refused.status == 429
    assert "its limit is reached" in refused.json["error"]["message"]
    assert server.exceeded
    assert server.refused == 2
    assert len(server.requests) == 2


def test_bodies_beyond_the_limit_are_answered_but_not_kept() -> None:
    room = len(json.dumps(body("chat", "MARK")))
    with ModelServer(SCRIPT, limits=Limits(stored_bytes=room)) as server:
        answers = [text_of("chat", ask(server, "chat", "MARK")) for _ in range(2)]
        kept = [request.body is not None for request in server.requests_for("MARK")]
    assert answers == ["fine", "fine"]
    assert kept == [True, False]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("sent", [b"", b"{", b"[1]", b'"x"', b"\xff", b"[" * 100_000, b"NaN"])
def test_a_body_that_is_no_json_object(wire: str, sent: bytes) -> None:
    with ModelServer(SCRIPT) as server:
        answer = call(server, "POST", PATHS[wire], sent)
        assert answer.status == 400
        assert answer.json["error"]["message"]
        assert text_of(wire, ask(server, wire, "MARK")) == "fine"


ODD: list[Any] = [None, 3, "x", [], {}, [None], [3], [[]], [{}], [{"role": 7}], [{"type": []}]]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("wire", WIRES)
def test_what_is_not_as_it_should_be_is_skipped(wire: str, odd: Any) -> None:
    keys = ("messages", "input", "contents", "tools", "text", "response_format", "model")
    strange: dict[str, Any] = dict.fromkeys(keys, odd) | {"generationConfig": odd}
    inside = {"role": "user", "content": odd, "parts": odd}
    with ModelServer(SCRIPT) as server:
        assert call(server, "POST", PATHS[wire], strange).status == 200
        assert call(server, "POST", PATHS[wire], body(wire, inside)).status == 200
        good = body(wire, user(wire, "MARK")) | {"tools": odd}
        answer = call(server, "POST", PATHS[wire], good | {"stream": True})
        assert text_of(wire, answer) == "fine"


def test_a_chunked_body() -> None:
    data = json.dumps(body("anthropic", "MARK")).encode()
    half = len(data) // 2
    chunks = b"%x;x=y\r\n%s\r\n%X\r\n%s\r\n" % (half, data[:half], len(data) - half, data[half:])
    head = HEAD + b"transfer-encoding: chunked\r\n\r\n"
    with ModelServer(SCRIPT) as server:
        answer = raw_answer(server, head + chunks + b"0\r\nx-trailer: y\r\n\r\n")
        assert server.requests_for("MARK")[0].body == data
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        (b"transfer-encoding: chunked\r\n\r\nxyz\r\n", b"must begin with its size"),
        (b"transfer-encoding: chunked\r\n\r\n-5\r\nhello", b"must begin with its size"),
        (b"transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n", b"longer than it says"),
        (b"transfer-encoding: chunked\r\n\r\n5\r\nhel", b"after 3 of 5 bytes"),
        (b"transfer-encoding: chunked\r\n\r\n5", b"in the middle of a chunk"),
        (b"transfer-encoding: chunked\r\n\r\n" + b"1" * 2000, b"in the middle of a chunk"),
        (b"transfer-encoding: gzip\r\n\r\n", b"either of a known length or chunked"),
        (
            b"transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n",
            b"either of a known length or chunked",
        ),
        (b"content-length: -3\r\n\r\n", b"must be a whole number"),
        (b"content-length: many\r\n\r\n", b"must be a whole number"),
        (b"content-length: 9\r\n\r\nhello", b"after 5 of 9 bytes"),
    ],
)
def test_a_broken_body(rest: bytes, says: bytes) -> None:
    with ModelServer(SCRIPT) as server:
        with raw(server, HEAD + rest) as connection:
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while part := connection.recv(65_536):
                answer += part
        (request,) = server.requests
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert says in answer
    assert b'"type":"invalid_request_error"' in answer
    assert (request.status, request.body) == (400, None)


@pytest.mark.parametrize(
    "head", [b"content-length: 1001\r\n\r\n", b"content-length: " + b"9" * 40 + b"\r\n\r\n"]
)
def test_a_body_that_is_too_large(head: bytes) -> None:
    with ModelServer(SCRIPT, limits=Limits(body_bytes=1000)) as server:
        answer = raw_answer(server, HEAD + head + b"x" * 1001)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"more than 1000 bytes" in answer


def test_chunks_that_are_too_large_together() -> None:
    head = HEAD + b"transfer-encoding: chunked\r\n\r\n"
    with ModelServer(SCRIPT, limits=Limits(body_bytes=1000)) as server:
        answer = raw_answer(server, head + (b"190\r\n" + b"x" * 400 + b"\r\n") * 3)
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_the_answer_survives_a_large_body_that_is_refused() -> None:
    with ModelServer(SCRIPT, limits=Limits(body_bytes=1000)) as server:
        answer = call(server, "POST", "/v1/messages", b"x" * 5_000_000)
    assert answer.status == 413
    assert answer.json["error"]["type"] == "request_too_large"


def test_the_usual_limit_is_64_megabytes() -> None:
    size = 64 * 1024 * 1024
    with ModelServer(SCRIPT) as server:
        assert raw_answer(server, HEAD + b"content-length: %d\r\n\r\n" % (size + 1)).startswith(
            b"HTTP/1.1 413 "
        )


def test_noise_that_is_not_http(capfd: pytest.CaptureFixture[str]) -> None:
    with ModelServer(SCRIPT) as server:
        assert b"400" in raw_answer(server, b"\x16\x03\x01 nonsense\r\n\r\n")
        raw(server, b"").close()
        assert text_of("chat", ask(server, "chat", "MARK")) == "fine"
    assert capfd.readouterr().err == ""

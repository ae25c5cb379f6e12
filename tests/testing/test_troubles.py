"""Everything that is to go wrong goes wrong as scripted."""

import http.client
import json
import socket
import time
from itertools import pairwise

import pytest

from tests.testing.asking import PATHS, WIRES, Json, ask, body, connected, raw, script, text_of
from whet.testing.model_server import Answer, ModelServer, Problem, Turn

ERRORS: list[tuple[str, Problem, Json]] = [
    (
        "anthropic",
        Problem(status=529, message="busy"),
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
    ),
    (
        "responses",
        Problem(status=401, message="who?"),
        {
            "error": {
                "message": "who?",
                "type": "authentication_error",
                "param": None,
                "code": "authentication_error",
            }
        },
    ),
    (
        "chat",
        Problem(status=400, type="context_length_exceeded", message="long"),
        {
            "error": {
                "message": "long",
                "type": "context_length_exceeded",
                "param": None,
                "code": "context_length_exceeded",
            }
        },
    ),
    (
        "gemini",
        Problem(status=429, message="slow", retry_after=3),
        {
            "error": {
                "code": 429,
                "message": "slow",
                "status": "RESOURCE_EXHAUSTED",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.RetryInfo",
                        "retryDelay": "3s",
                    }
                ],
            }
        },
    ),
]


@pytest.mark.parametrize(("wire", "problem", "said"), ERRORS)
def test_an_error(wire: str, problem: Problem, said: Json) -> None:
    with ModelServer(script(Turn(error=problem))) as server:
        answer = ask(server, wire, "MARK")
    assert (answer.status, answer.json) == (problem.status, said)
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("wire", WIRES)
def test_first_a_limit_and_then_an_answer(wire: str) -> None:
    limit = Answer(error=Problem(status=429, retry_after=7))
    turn = Turn(hits=(limit, limit, Answer(text="at last")))
    with ModelServer(script(turn)) as server:
        first, second, third, fourth = (ask(server, wire, "MARK") for _ in range(4))
        found = [(request.hit, request.status) for request in server.requests]
    assert first.headers["retry-after"] == second.headers["retry-after"] == "7"
    assert text_of(wire, third) == text_of(wire, fourth) == "at last"
    assert found == [(0, 429), (1, 429), (2, 200), (3, 200)]


@pytest.mark.parametrize("wire", WIRES)
def test_a_delay_is_before_the_headers(wire: str) -> None:
    with ModelServer(script(Turn(text="late", delay=0.2))) as server:
        begun = time.monotonic()
        assert text_of(wire, ask(server, wire, "MARK")) == "late"
    assert time.monotonic() - begun >= 0.2


def streaming(server: ModelServer, wire: str) -> http.client.HTTPResponse:
    connection = connected(server)
    connection.request("POST", PATHS[wire], json.dumps(body(wire, "MARK")).encode())
    return connection.getresponse()


@pytest.mark.slow
@pytest.mark.parametrize("wire", WIRES)
def test_chunks_arrive_one_by_one(wire: str) -> None:
    turn = Turn(text=("one", "two", "three"), chunk_delay=0.04)
    with ModelServer(script(turn)) as server:
        response = streaming(server, wire)
        times: list[float] = []
        while line := response.readline():
            if line.startswith(b"data:"):
                times.append(time.monotonic())
        response.close()
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert len(gaps) >= 2
    assert min(gaps) > 0.01


@pytest.mark.parametrize(
    ("wire", "last"),
    [
        ("anthropic", "content_block_delta"),
        ("responses", "response.content_part.added"),
        ("chat", None),
        ("gemini", None),
    ],
)
def test_a_cut_stream_ends_without_its_closing_events(wire: str, last: str | None) -> None:
    with ModelServer(script(Turn(text=("a", "b", "c", "d", "e"), cut=3))) as server:
        events = ask(server, wire, "MARK").events
    assert len(events) == 3
    assert events[-1][0] == last
    assert "finishReason" not in str(events)
    assert "usage" not in str(events[1:])


@pytest.mark.parametrize("wire", WIRES)
def test_a_cut_never_leaves_the_whole(wire: str) -> None:
    with ModelServer(script(Turn(hits=(Answer(text="a", cut=99), Answer(text="a"))))) as server:
        cut, whole = ask(server, wire, "MARK"), ask(server, wire, "MARK")
    assert cut.events == whole.events[:-1]


@pytest.mark.parametrize("wire", WIRES)
def test_an_answer_in_one_piece_is_not_cut(wire: str) -> None:
    with ModelServer(script(Turn(text="whole", cut=1))) as server:
        assert "whole" in str(ask(server, wire, "MARK", stream=False).json)


def test_a_hanging_server_sends_nothing_and_stops_at_once() -> None:
    with ModelServer(script(Turn(hang=True))) as server:
        clients = [streaming_socket(server) for _ in range(5)]
        assert server.wait_for(5)
        clients[0].settimeout(0.1)
        with pytest.raises(TimeoutError):
            clients[0].recv(1)
        begun = time.monotonic()
    assert time.monotonic() - begun < 1
    for client in clients:
        client.settimeout(5)
        assert client.recv(1) == b""
        client.close()
    assert {request.status for request in server.requests} == {None}


def test_a_stream_can_hang_in_the_middle() -> None:
    with ModelServer(script(Turn(text="never", cut=2, hang=True))) as server:
        client = streaming_socket(server)
        received = b""
        while received.count(b"\n\n") < 2 or b"\r\n\r\n" not in received:
            received += client.recv(65_536)
        client.settimeout(0.1)
        with pytest.raises(TimeoutError):
            client.recv(1)
    assert client.recv(1) == b""
    client.close()


def test_a_client_that_goes_away_is_let_go() -> None:
    with ModelServer(script(Turn(hang=True))) as server:
        client = streaming_socket(server)
        assert server.wait_for(1)
        client.close()
        assert ask(server, "chat", "hello").status == 200


def test_stopping_interrupts_every_wait(capfd: pytest.CaptureFixture[str]) -> None:
    waits = (Answer(delay=600), Answer(text=("a", "b"), chunk_delay=600))
    with ModelServer(script(Turn(hits=waits))) as server:
        clients = [streaming_socket(server) for _ in range(2)]
        assert server.wait_for(2)
        begun = time.monotonic()
    assert time.monotonic() - begun < 1
    for client in clients:
        client.close()
    assert capfd.readouterr().err == ""


def streaming_socket(server: ModelServer) -> socket.socket:
    data = json.dumps(body("anthropic", "MARK")).encode()
    head = f"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {len(data)}\r\n\r\n"
    return raw(server, head.encode() + data)

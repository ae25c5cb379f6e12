"""Clients that begin a request and do not end it, or send more of it than anybody needs."""

import resource
import signal
import socket
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.flows.serving import Serving
from whet.server.connections import HEAD_SECONDS, MOST_HEAD_BYTES

HALF = b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BEGUN = b"POST /v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
MOST_SECONDS = 5.0
MOST_LOG_BYTES = 20_000


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    with Serving.on(tmp_path_factory.mktemp("half") / "workspace") as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def given_up(serving: Serving) -> Generator[list[Future[tuple[bytes, float]]]]:
    """What connections with half a head, or nothing, get at last, and after how many seconds. They
    wait while the other tests are made."""

    def hear(one: socket.socket, begun: float) -> tuple[bytes, float]:
        one.settimeout(HEAD_SECONDS + 20)
        return one.recv(200), time.monotonic() - begun

    with (
        connected(serving, 2, HALF) as halves,
        connected(serving, 1, b"") as silent,
        ThreadPoolExecutor(3) as pool,
    ):
        yield [pool.submit(hear, one, time.monotonic()) for one in (*halves, *silent)]


def port(serving: Serving) -> int:
    found = serving.client.base_url.port
    assert found is not None
    return found


@contextmanager
def connected(serving: Serving, count: int, begin: bytes) -> Generator[list[socket.socket]]:
    """So many connections that each have sent *begin*."""
    with ExitStack() as stack:
        made: list[socket.socket] = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port(serving)), timeout=20)
            made.append(stack.enter_context(one))
            if begin:
                one.sendall(begin)
        yield made


def assert_answers(serving: Serving) -> None:
    """New clients are heard, for health, the page and the API, in a short time."""
    for path in ("/v1/health", "/", "/v1/home"):
        begun = time.monotonic()
        url = serving.client.base_url.join(path)
        with urlopen(str(url), timeout=MOST_SECONDS) as answer:
            assert answer.status == 200, path
        assert time.monotonic() - begun < MOST_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("begin", [b"", HALF, BEGUN], ids=["silent", "half a head", "half a body"])
def test_1100_open_connections_do_not_stop_the_server(tmp_path: Path, begin: bytes) -> None:
    with Serving.on(tmp_path / "workspace") as serving:
        with connected(serving, 1100, begin):
            time.sleep(2.5)  # so long that half a body may make room
            for _ in range(3):
                assert_answers(serving)
        assert_answers(serving)
        _, out, errors = serving.end(signal.SIGTERM)
    assert len(out) + len(errors) < MOST_LOG_BYTES


@pytest.mark.slow
def test_running_out_of_files_is_survived_and_logged_in_few_lines(tmp_path: Path) -> None:
    """With few files allowed the system itself refuses connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Serving.on(tmp_path / "workspace") as serving:
        assert_answers(serving)
        used = len([*Path(f"/proc/{serving.process.pid}/fd").iterdir()])
        few = used + 20
        resource.prlimit(serving.process.pid, resource.RLIMIT_NOFILE, (few, hard))
        with connected(serving, 100, HALF):
            time.sleep(2)
            url = str(serving.client.base_url.join("/v1/health"))
            with urlopen(url, timeout=MOST_SECONDS) as answer:
                assert answer.status == 200
        resource.prlimit(serving.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        assert_answers(serving)
        _, out, errors = serving.end(signal.SIGTERM)
        assert "no connection can be taken" in errors
        assert len(out) + len(errors) < MOST_LOG_BYTES


@pytest.mark.parametrize("ends", [False, True], ids=["endless", "complete"])
def test_a_huge_header_is_refused(serving: Serving, ends: bool) -> None:  # noqa: FBT001
    with connected(serving, 1, HALF) as [one]:
        refused = b""
        try:
            for _ in range(4 * MOST_HEAD_BYTES // 4096):
                one.sendall(b"x" * 4096)
            if ends:
                one.sendall(b"\r\n\r\n")
            refused = one.recv(200)
        except ConnectionError:
            pass  # it hung up on us
        assert refused == b"" or refused.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
    assert_answers(serving)


@pytest.mark.parametrize("answered", [False, True], ids=["new", "used"])
def test_empty_lines_do_not_keep_a_connection(serving: Serving, answered: bool) -> None:  # noqa: FBT001
    with connected(serving, 1, b"") as [one]:
        if answered:
            one.sendall(b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(2000).startswith(b"HTTP/1.1 200")
        sent = 0
        try:
            while sent < 8 * MOST_HEAD_BYTES:
                one.sendall(b"\r\n" * 2048)
                sent += 4096
                time.sleep(0.01)
        except ConnectionError:
            return
        raise AssertionError(f"it is still open after {sent} bytes")


def test_a_head_in_small_pieces_is_read(serving: Serving) -> None:
    """What is slow and comes to an end is answered; so is the next one on the same connection."""
    with connected(serving, 1, b"") as [one]:
        for _ in range(2):
            for byte in b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n":
                one.sendall(bytes([byte]))
            answer = b""
            while b"}" not in answer:
                answer += one.recv(2000)
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_body_that_nobody_wants_is_taken_and_the_answer_is_heard(serving: Serving) -> None:
    body = b"x" * (4 * 1024 * 1024)
    head = b"POST /v1/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
    with connected(serving, 1, head % len(body)) as [one]:
        one.sendall(body)
        assert one.recv(2000).startswith(b"HTTP/1.1 40")


@pytest.mark.slow
def test_half_a_head_is_given_up_after_a_while(
    given_up: list[Future[tuple[bytes, float]]],
) -> None:
    for answer, seconds in (each.result() for each in given_up):
        assert answer == b"" or answer.startswith(b"HTTP/1.1 408")
        assert HEAD_SECONDS - 1 < seconds < HEAD_SECONDS + 8

"""Starting, stopping and many clients at once."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from tests.testing.asking import WIRES, ask, script, text_of
from whet.core.errors import EnvironmentProblem, UsageError
from whet.testing.model_server import ModelServer, Turn

SCRIPT = script(Turn(text="fine"))


def test_it_starts_and_stops_at_once() -> None:
    times: list[float] = []
    for _ in range(5):
        begun = time.monotonic()
        with ModelServer(SCRIPT) as server:
            times.append(time.monotonic() - begun)
            assert text_of("chat", ask(server, "chat", "MARK")) == "fine"
            begun = time.monotonic()
        times.append(time.monotonic() - begun)
    assert sorted(times)[len(times) // 2] < 0.05


def test_it_takes_a_free_port_of_this_machine() -> None:
    with ModelServer(SCRIPT) as one, ModelServer(SCRIPT) as other:
        assert one.url == f"http://127.0.0.1:{one.port}"
        assert one.port != other.port


def test_it_listens_on_the_other_loopback_too() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with ModelServer(SCRIPT, host="::1") as server:
        assert server.url == f"http://[::1]:{server.port}"
        assert text_of("chat", ask(server, "chat", "MARK")) == "fine"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.1", "localhost", "example.com"])
def test_it_refuses_any_other_address(host: str) -> None:
    with pytest.raises(UsageError, match="on a loopback address only"):
        ModelServer(SCRIPT, host=host)


def test_a_port_that_is_taken() -> None:
    with ModelServer(SCRIPT) as server:
        second = ModelServer(SCRIPT, port=server.port)
        with pytest.raises(EnvironmentProblem, match=f"port {server.port}: Address already in use"):
            second.start()
        second.stop()


def test_a_port_that_cannot_be() -> None:
    with pytest.raises(EnvironmentProblem, match="port 70000"):
        ModelServer(SCRIPT, port=70_000).start()


def test_it_has_no_address_before_the_start() -> None:
    with pytest.raises(UsageError, match="has not been started"):
        _ = ModelServer(SCRIPT).url


def test_it_can_be_stopped_twice_and_read_afterwards() -> None:
    with ModelServer(SCRIPT) as server:
        ask(server, "chat", "MARK")
    server.stop()
    assert len(server.requests) == 1
    address = urlsplit(server.url)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address.hostname or "", address.port or 0))


def test_it_leaves_no_thread() -> None:
    before = threading.active_count()
    with ModelServer(SCRIPT) as server:
        ask(server, "chat", "MARK")
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before


@pytest.mark.slow
def test_fifty_at_once() -> None:
    everybody = threading.Barrier(50)

    def one(number: int) -> str:
        wire = WIRES[number % len(WIRES)]
        everybody.wait(20)
        return text_of(wire, ask(server, wire, "MARK"))

    slow = script(Turn(text="fine", delay=0.2))
    with ModelServer(slow) as server, ThreadPoolExecutor(50) as pool:
        begun = time.monotonic()
        assert list(pool.map(one, range(50))) == ["fine"] * 50
        assert time.monotonic() - begun < 5  # one after the other it would take ten seconds
        assert sorted(request.hit or 0 for request in server.requests) == list(range(50))


def test_waiting_for_requests() -> None:
    with ModelServer(SCRIPT) as server:
        assert server.wait_for(0)
        assert not server.wait_for(1, timeout=0.01)
        ask(server, "chat", "MARK")
        assert server.wait_for(1)

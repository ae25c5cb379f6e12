"""From inside a sandbox, the model is reached and nobody else."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.children import descriptors
from tests.shell.sandboxes import confined, needs, script
from whet.shell.command import Command
from whet.shell.policy import Endpoint
from whet.shell.process import Completed, run, started

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def _bubblewrap() -> None:
    needs("bubblewrap")


@asynccontextmanager
async def serving(handle: Handler) -> AsyncGenerator[int]:
    """A server on a loopback port."""

    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handle(reader, writer)
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(closing, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 (others change what it looks at)
            await asyncio.sleep(0.01)


async def echo_at_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers after the other side has said all it has to say."""
    writer.write(b"got " + await reader.read(-1))
    await writer.drain()


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()


def through(
    handle: Handler, text: str, work: Path, host: str = "127.0.0.1", connect: str = ""
) -> Completed:
    """Run a script inside, with a server that only the endpoint leads to."""

    async def check() -> Completed:
        async with serving(handle) as port:
            command = script(text, connect or host, str(port))
            return await run(confined(command, "bubblewrap", work, Endpoint(host, port)))

    return asyncio.run(check())


HALF_CLOSED = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), 30) as c:
    peer = c.getpeername()[0]
    c.sendall(b"all of it")
    c.shutdown(socket.SHUT_WR)
    print(c.makefile().read(), peer)
"""


def test_an_answer_comes_after_the_question_has_ended(tmp_path: Path):
    stdout, exit_ = through(echo_at_the_end, HALF_CLOSED, tmp_path)
    assert stdout == "got all of it 127.0.0.1", exit_.stderr


def test_localhost_is_a_name_for_it(tmp_path: Path):
    stdout, exit_ = through(echo_at_the_end, HALF_CLOSED, tmp_path, host="localhost")
    assert stdout == "got all of it 127.0.0.1", exit_.stderr


def test_a_name_leads_there_too(tmp_path: Path):
    # A way to write 127.0.0.1 that every machine knows and that is no IP address to us.
    stdout, exit_ = through(
        echo_at_the_end, HALF_CLOSED, tmp_path, host="127.1", connect="127.0.0.2"
    )
    assert stdout == "got all of it 127.0.0.2", exit_.stderr


def test_names_have_one_address_inside(tmp_path: Path):
    text = """
import socket
for name in ("model.example", "Other.Example", "localhost"):
    print(*sorted({info[4][0] for info in socket.getaddrinfo(name, 443)}))
try:
    socket.getaddrinfo("unknown.example", 443)
except OSError:
    print("unknown")
"""
    endpoints = [
        Endpoint(host, port)
        for host, port in (
            ("model.example", 443),
            ("model.example", 8080),
            ("other.example", 443),
            ("127.0.0.2", 443),
        )
    ]
    stdout, exit_ = asyncio.run(run(confined(script(text), "bubblewrap", tmp_path, *endpoints)))
    assert stdout == "127.0.0.3\n127.0.0.4\n127.0.0.1\nunknown", exit_.stderr


def test_low_ports_and_foreign_addresses_leave_no_capability(tmp_path: Path):
    text = """
import socket
socket.create_server(("192.0.2.7", 0)).close()
for port in (80, 443):
    with socket.socket() as c:
        try:
            c.bind(("127.0.0.1", port))
        except OSError as error:
            print(error.errno)
print([line for line in open("/proc/self/status") if line.startswith("CapEff")])
print(open("/proc/self/status").read().count("NoNewPrivs:\\t1"))
"""
    hosts = (("192.0.2.7", 80), ("192.0.2.7", 8080), ("192.0.2.8", 80), ("model.example", 443))
    endpoints = [Endpoint(host, port) for host, port in hosts]
    stdout, exit_ = asyncio.run(run(confined(script(text), "bubblewrap", tmp_path, *endpoints)))
    assert stdout == "13\n13\n['CapEff:\\t0000000000000000\\n']\n1", exit_.stderr


def test_a_refusal_is_seen_inside(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    text = """
import socket, sys
for _ in range(3):
    try:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 30) as c:
            print("answer", c.recv(1))
    except ConnectionResetError:
        print("reset")
"""
    endpoint = Endpoint("127.0.0.1", port)
    command = confined(script(text, str(port)), "bubblewrap", tmp_path, endpoint)
    assert asyncio.run(run(command)).stdout == "reset\nreset\nreset"


@pytest.mark.slow
def test_more_connections_than_are_carried_at_once(tmp_path: Path):
    text = """
import socket, sys
place = (sys.argv[1], int(sys.argv[2]))
def talk(connection, number):
    with connection:
        connection.sendall(b"%d\\n" % number)
        return int(connection.makefile().readline()) == number
held = [socket.create_connection(place, 60) for _ in range(200)]
print(all([talk(one, number) for number, one in enumerate(held)]))
print(all([talk(socket.create_connection(place, 60), number) for number in range(300)]))
"""
    stdout, exit_ = through(echo, text, tmp_path)
    assert stdout == "True\nTrue", exit_.stderr


SLOW_READER = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), 60) as c:
    print("connected", flush=True)
    sys.stdin.readline()
    print(sum(map(len, iter(lambda: c.recv(1 << 20), b""))))
"""


@pytest.mark.slow
def test_a_slow_reader_makes_the_writer_wait(tmp_path: Path):
    total, sent = 200_000_000, 0

    async def flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        while sent < total:
            writer.write(bytes(100_000))
            await writer.drain()
            sent += 100_000

    async def check() -> str:
        async with serving(flood) as port:
            command = script(SLOW_READER, "127.0.0.1", str(port), seconds=300)
            command = replace(command, interactive=True)
            endpoint = Endpoint("127.0.0.1", port)
            async with started(confined(command, "bubblewrap", tmp_path, endpoint)) as process:
                lines = process.lines()
                assert await anext(lines) == "connected"
                before = -1
                while before != sent or not sent:
                    before = sent
                    await asyncio.sleep(0.5)
                assert sent < total / 2
                assert await process.write("go on\n")
                return await anext(lines)

    assert asyncio.run(check()) == str(total)


def test_connections_end_with_the_process_and_nothing_leaks(tmp_path: Path):
    text = """
import socket, sys
c = [socket.create_connection((sys.argv[1], int(sys.argv[2])), 30) for _ in range(5)]
assert [one.recv(1) for one in c] == [b"!"] * 5
print("connected", flush=True)
c[0].recv(1)
"""
    hung_up = 0

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal hung_up
        writer.write(b"!")
        try:
            await reader.read(-1)
        finally:
            hung_up += 1

    async def once(command: Command) -> None:
        async with started(command) as process:
            assert await anext(process.lines()) == "connected"

    async def check() -> None:
        nonlocal hung_up
        async with serving(wait) as port:
            command = script(text, "127.0.0.1", str(port))
            command = confined(command, "bubblewrap", tmp_path, Endpoint("127.0.0.1", port))
            await once(command)
            await until(lambda: hung_up == 5)
            hung_up, before = 0, descriptors()
            for _ in range(3):
                await once(command)
            await until(lambda: hung_up == 15 and descriptors() <= before)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(check())

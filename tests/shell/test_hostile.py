"""A hostile agent reaches nothing that it was not given."""

import asyncio
import json
import os
import socket
import tempfile
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.shell import hostile
from tests.shell.sandboxes import PYTHON, confined, needs
from whet.shell import landlock
from whet.shell.command import Command
from whet.shell.policy import Endpoint, Sandbox
from whet.shell.process import run
from whet.shell.strength import explain

SECRET = "the expected output"


@contextmanager
def greeting(listener: socket.socket) -> Generator[socket.socket]:
    """Somebody who says "hi" to everyone that connects."""

    def greet() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(b"hi")

    thread = threading.Thread(target=greet)
    thread.start()
    try:
        yield listener
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()


def unix(address: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address.replace("@", "\0"))
    listener.listen()
    return listener


class World:
    """What there is to get at, outside of the folder that the agent is given."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.work = root / "mine" / "work"
        self.home = root / "home"
        self.other = root / "other"
        self.workspace = root / "workspace"
        for folder in (self.work, self.home / ".ssh", self.other, self.workspace):
            folder.mkdir(parents=True)
        files = (self.other / "expected", self.home / ".ssh/id", self.workspace / "whet.db")
        for file in files:
            file.write_text(SECRET)
            file.chmod(0o600)
        self.files = files
        model, elsewhere = (
            stack.enter_context(greeting(socket.create_server(("127.0.0.1", 0)))) for _ in range(2)
        )
        self.model = model.getsockname()[1]
        short = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file, abstract = str(short / "s"), f"@whet-{os.getpid()}-{id(self)}"
        for address in (file, abstract):
            stack.enter_context(greeting(unix(address)))
        self.traces = (
            self.other / "written",
            self.other / "linked",
            Path(tempfile.gettempdir(), f"whet-hostile-{os.getpid()}"),
            Path("/dev/shm", f"whet-hostile-{os.getpid()}"),
        )
        stack.callback(lambda: [trace.unlink(missing_ok=True) for trace in self.traces])
        self.aims = {
            "read another trial": files[0],
            "read a key": files[1],
            "read the workspace": files[2],
            "read the environment": f"/proc/{os.getpid()}/environ",
            "list the home": self.home,
            "link another trial": files[0],
            "write outside": self.traces[0],
            "write to the host's tmp": self.traces[2],
            "write to shared memory": self.traces[3],
            "write through a link": self.other,
            "change a mode": files[0],
            "connect to the model": self.model,
            "connect elsewhere": elsewhere.getsockname()[1],
            "connect elsewhere by multipath": elsewhere.getsockname()[1],
            "connect elsewhere by sending": elsewhere.getsockname()[1],
            "connect to a socket file": file,
            "connect to an abstract socket": abstract,
            "listen": "",
            "signal": os.getpid(),
            "see": f"/proc/{os.getpid()}/cmdline",
        }

    def attacked(self, sandbox: Sandbox) -> dict[str, object]:
        agent = Path(hostile.__file__)
        aims = json.dumps({name: str(aim) for name, aim in self.aims.items()})
        argv = (str(PYTHON), "-I", "-S", str(agent), aims)
        command = Command(argv, self.work, {"HOME": str(self.work)}, 120)
        model = Endpoint("127.0.0.1", self.model)
        stdout, exit_ = asyncio.run(
            run(confined(command, sandbox, self.work, model, readable=(agent,)))
        )
        assert exit_.ok, exit_
        return json.loads(stdout)


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def succeeded(outcome: dict[str, object]) -> set[str]:
    return {name for name, result in outcome.items() if result is not None}


def unharmed(world: World) -> bool:
    return not any(trace.exists() for trace in world.traces)


def test_without_a_sandbox_every_attempt_succeeds(world: World):
    outcome = world.attacked("none")
    doubtful = {"connect elsewhere by multipath", "connect elsewhere by sending"}
    assert succeeded(outcome) | doubtful == set(hostile.ATTEMPTS)
    assert outcome["read a key"] == SECRET
    assert all(trace.exists() for trace in world.traces)
    assert world.files[0].stat().st_mode & 0o777 == 0o777


def test_bubblewrap_stops_all_but_the_model(world: World):
    outcome = world.attacked("bubblewrap")
    # What it may do alone in its own world: memory of its own, and listening to itself.
    own = {"write to the host's tmp", "write to shared memory", "listen"}
    assert succeeded(outcome) - own == {"connect to the model"}
    assert unharmed(world)
    assert world.files[0].stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(landlock.version() < 6, reason="needs a newer Landlock")
def test_landlock_stops_all_but_what_is_said(world: World):
    needs("landlock")
    outcome = world.attacked("landlock")
    said = explain("landlock").open
    assert any("mode and times" in one for one in said)
    assert any("names and arguments" in one for one in said)
    assert any("unix sockets" in one for one in said)
    weak = {"change a mode", "see", "connect to a socket file"}
    assert succeeded(outcome) == {"connect to the model"} | weak
    assert unharmed(world)

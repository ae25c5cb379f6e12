"""What there is to get at outside of a sandbox; as a program it measures one sandbox.

It prints as JSON what came of every attempt: ``held``, ``limited`` or ``open``.
"""

import asyncio
import ctypes
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

from tests.shell.escapes import agent, excess
from tests.shell.escapes.attempts import ATTEMPTS, LIBC, Aims, syscall
from tests.shell.sandboxes import PYTHON, confined
from whet.shell.command import Command, ResourceLimits
from whet.shell.policy import Endpoint, Sandbox
from whet.shell.process import Completed, run

SECRET = "the expected output"
VICTIM = """
import ctypes, signal, sys, time
kept = open(".ssh/id")
received = open(sys.argv[2], "ab", buffering=0)
for number in (signal.SIGWINCH, signal.SIGURG):
    signal.signal(number, lambda *_: received.write(b"x"))
secret = ctypes.create_string_buffer(64)
print(ctypes.addressof(secret), flush=True)
while True:
    time.sleep(0.05)
"""
_SOON = 20.0
"""Seconds; whoever stays, stays for thirty."""

LIMITS = ResourceLimits(
    memory_bytes=128 * excess.MIB, processes=40, threads=80, file_bytes=2 * excess.AMOUNT - 1
)


@contextmanager
def greeting(listener: socket.socket) -> Generator[socket.socket]:
    """Somebody who says "hi" to everyone that connects, or sends."""

    def greet() -> None:
        with suppress(OSError):
            while listener.type == socket.SOCK_STREAM:
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(b"hi")
            while listener.family != socket.AF_UNIX:
                _, address = listener.recvfrom(64)
                listener.sendto(b"hi", address)

    threading.Thread(target=greet, daemon=True).start()
    with listener:
        yield listener


class World:
    """Files, processes, sockets and keys that belong to somebody else than the agent."""

    def __init__(self, root: Path, stack: ExitStack, sandbox: Sandbox) -> None:
        self._stack = stack
        self.sandbox: Sandbox = sandbox
        self.work = root / "work"
        mark = f"whet-{os.getpid()}"
        self.aims: Aims = {"sandbox": sandbox, "key name": mark}
        self._files(root)
        self._shared(mark)
        self._keys(mark)
        self._sockets(root / "home", mark)
        self._victim(root / "home")
        self._before = self._state()

    def _files(self, root: Path) -> None:
        folders = {name: root / name for name in ("home", "other", "bin", "workspace")}
        for folder in (*folders.values(), self.work):
            folder.mkdir()
        (folders["home"] / ".ssh").mkdir()
        (folders["other"] / ".git/hooks").mkdir(parents=True)
        (folders["home"] / ".bashrc").touch()
        files = {
            "key": folders["home"] / ".ssh/id",
            "database": folders["workspace"] / "whet.db",
            "credentials": folders["home"] / ".credentials.json",
            **{
                name: folders["other"] / name
                for name in ("movable", "exchanged", "emptied", "deleted", "attributes")
            },
        }
        for file in files.values():
            file.write_text(SECRET)
            file.chmod(0o600)
        (folders["other"] / "link").symlink_to(files["key"])
        files["link"] = folders["other"] / "link"
        self.aims |= {name: str(path) for name, path in (folders | files).items()}
        shutil.copytree(
            Path(__file__).parent,
            self.work / "tests/shell/escapes",
            ignore=shutil.ignore_patterns("test_*", "__pycache__"),
        )

    def _shared(self, mark: str) -> None:
        """Memory, queues and semaphores, and files that all may write beside."""
        for name, folder in (("temporary", tempfile.gettempdir()), ("shared", "/dev/shm")):
            self.aims[name] = f"{folder}/{mark}"
        shared = Path(self.aims["shared"])
        shared.write_text(SECRET)
        for path in (shared, Path(f"{shared}-written"), Path(self.aims["temporary"])):
            self._stack.callback(path.unlink, missing_ok=True)
        key = 0x77000000 + os.getpid()
        self.aims["ipc"] = str(key)
        memory = syscall("shmget", key, 4096, 0o1600)
        self._stack.callback(LIBC.shmctl, memory, 0, None)
        LIBC.shmat.restype = ctypes.c_void_p
        ctypes.memmove(LIBC.shmat(memory, None, 0), SECRET.encode(), len(SECRET))
        queue = syscall("msgget", key, 0o1600)
        self._stack.callback(LIBC.msgctl, queue, 0, None)
        LIBC.msgsnd(queue, (1).to_bytes(8, sys.byteorder) + b"hi", 2, 0)
        semaphore = syscall("semget", key, 1, 0o1600)
        self._stack.callback(LIBC.semctl, semaphore, 0, 0)
        for name in ("queue", "queue to delete"):
            self.aims[name] = f"{mark}-{name.replace(' ', '-')}"
            made = syscall("mq_open", self.aims[name].encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
            os.close(made)
            self._stack.callback(_ignoring, "mq_unlink", self.aims[name].encode())

    def _keys(self, mark: str) -> None:
        syscall("keyctl", 1, None)
        for name, purpose in ((mark, "key number"), (f"{mark}-more", "key to revoke")):
            made = syscall("add_key", b"user", name.encode(), SECRET.encode(), len(SECRET), -3)
            syscall("keyctl", 5, made, 0x3F3F0000)  # not only for those who have it already
            self.aims[purpose] = str(made)
        self._stack.callback(_forget_key, f"{mark}-left")

    def _sockets(self, home: Path, mark: str) -> None:
        tcp = self._listen(socket.AF_INET, "127.0.0.1")
        model = self._listen(socket.AF_INET, "127.0.0.1")
        self._listen(socket.AF_INET, "127.0.0.9", model)
        udp = self._listen(socket.AF_INET, "127.0.0.1", kind=socket.SOCK_DGRAM)
        ports = {"elsewhere": tcp, "model": model, "udp": udp, "udp6": udp, "free": _free()}
        with suppress(OSError):  # a machine without IPv6
            self._listen(socket.AF_INET6, "::1", tcp)
            ports["udp6"] = self._listen(socket.AF_INET6, "::1", kind=socket.SOCK_DGRAM)
        self.model = model
        self.aims |= {name: str(port) for name, port in ports.items()}
        places = {name: str(home / name) for name in ("bus", "agent", "docker")}
        places["abstract"] = f"@{mark}"
        for address in places.values():
            self._unix(address)
        places["log"] = str(home / "log")
        for address in (places["log"], f"@{mark}-log"):
            self._unix(address, socket.SOCK_DGRAM)
        self.aims |= places

    def _listen(
        self,
        family: socket.AddressFamily,
        address: str,
        port: int = 0,
        kind: socket.SocketKind = socket.SOCK_STREAM,
    ) -> int:
        listener = socket.socket(family, kind)
        listener.bind((address, port))
        if kind == socket.SOCK_STREAM:
            listener.listen()
        self._stack.enter_context(greeting(listener))
        return int(listener.getsockname()[1])

    def _unix(self, address: str, kind: socket.SocketKind = socket.SOCK_STREAM) -> None:
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind(address.replace("@", "\0"))
        if kind == socket.SOCK_STREAM:
            listener.listen()
        self._stack.enter_context(greeting(listener))

    def _victim(self, home: Path) -> None:
        self.aims["received"] = str(self.work / "received")
        victim = self._stack.enter_context(
            subprocess.Popen(
                [str(PYTHON), "-I", "-S", "-c", VICTIM, "victim", self.aims["received"]],
                cwd=home,
                env={"SECRET": SECRET},
                start_new_session=True,
                stdout=subprocess.PIPE,
            )
        )
        self._stack.callback(victim.kill)
        assert victim.stdout is not None
        self.aims |= {"victim": str(victim.pid), "address": victim.stdout.readline().decode()}

    def beats(self, name: str) -> bytes:
        """The number of a process that stays, and a sign for each moment that it lived."""
        path = self.work / f"{name}.beats"
        return path.read_bytes() if path.exists() else b""

    def untraced(self) -> list[str]:
        """What worked in a world of the agent's own, and left no trace in ours."""
        traces = {
            "write to the temporary folder of all": self.aims["temporary"],
            "write shared memory": f"{self.aims['shared']}-written",
        }
        return [name for name, trace in traces.items() if not Path(trace).exists()]

    def assert_unharmed(self) -> None:
        """See for ourselves that nothing was changed."""
        now = self._state()
        changed = {name: now.get(name) for name in self._before if self._before[name] != now[name]}
        assert not changed, changed

    def _state(self) -> dict[str, object]:
        victim = int(self.aims["victim"])
        folders = [Path(self.aims[name]) for name in ("home", "other", "bin", "workspace")]
        files = sorted(path for folder in folders for path in folder.rglob("*"))
        limits = (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU)
        return {
            "files": [str(path) for path in files],
            "contents": [path.read_bytes() for path in files if path.is_file()],
            "limits": [resource.prlimit(victim, kind) for kind in limits],
            "priority": os.getpriority(os.PRIO_PROCESS, victim),
            "processors": os.sched_getaffinity(victim),
            "policy": os.sched_getscheduler(victim),
            "signals": (self.work / "received").read_bytes(),
        }

    async def tried(self, names: list[str], limits: ResourceLimits) -> Completed:
        """The run of an agent that tries these."""
        start = f"import sys; sys.path.insert(0, {str(self.work)!r}); "
        start += "from tests.shell.escapes.agent import main; main()"
        argv = (str(PYTHON), "-I", "-S", "-c", start, json.dumps(names), json.dumps(self.aims))
        command = Command(argv, self.work, {"HOME": str(self.work)}, 60, resources=limits)
        model = Endpoint("127.0.0.1", self.model)
        return await run(confined(command, self.sandbox, self.work, model))


def _ignoring(name: str, *arguments: object) -> None:
    with suppress(OSError):
        syscall(name, *arguments)


def _forget_key(name: str) -> None:
    with suppress(OSError):
        syscall("keyctl", 9, syscall("keyctl", 10, -4, b"user", name.encode(), 0), -4)


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def measured(world: World) -> dict[str, str]:
    """Held, limited or open, for every attempt that may be tried in this sandbox."""
    safe = [one for one in ATTEMPTS.values() if world.sandbox != "none" or one.control != "unsafe"]
    together = [name for name in agent.tried_together() if ATTEMPTS[name] in safe]
    done = await world.tried(together, ResourceLimits())
    assert done.exit.ok, done.exit
    found = _outcomes(done)
    found |= dict.fromkeys(world.untraced(), "held")
    if world.sandbox != "none":
        world.assert_unharmed()
    alone = [one.name for one in agent.tried_alone() if one in safe]
    staying = agent.staying()
    outcomes = await asyncio.gather(
        *(_excessive(world, name) for name in alone), *(_stayed(world, name) for name in staying)
    )
    return found | dict(zip((*alone, *staying), outcomes, strict=True))


def _outcomes(done: Completed) -> dict[str, str]:
    said = cast("dict[str, str | None]", json.loads(done.stdout))
    for name, reason in said.items():
        sys.stderr.write(f"{name}: {reason}\n")
    broken = {name: reason for name, reason in said.items() if str(reason).startswith("broken")}
    assert not broken, broken
    return {name: "open" if reason is None else "held" for name, reason in said.items()}


async def _excessive(world: World, name: str) -> str:
    done = await world.tried([name], LIMITS)
    if done.exit.exceeded is not None:
        return "limited"
    assert done.exit.ok, done.exit
    return _outcomes(done)[name]


async def _stayed(world: World, name: str) -> str:
    """Open if it still runs after the end, or if the end had to wait for it."""
    done = await world.tried([name], ResourceLimits())
    before = world.beats(name)
    await asyncio.sleep(0.5)
    after = world.beats(name)
    if world.sandbox == "none" and after:
        with suppress(ProcessLookupError):
            os.kill(int(after.partition(b"\n")[0]), signal.SIGKILL)
    return "open" if after != before or done.exit.seconds > _SOON else "held"


def main() -> None:
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whet-")))
        world = World(root, stack, cast("Sandbox", sys.argv[1]))
        sys.stdout.write(json.dumps(asyncio.run(measured(world))))


if __name__ == "__main__":
    main()

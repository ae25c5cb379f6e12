"""Start ``whet`` without importing it anew each time: a process that has imported everything forks
one process for each command. Each is a process of its own, in a session of its own, with the
environment, the streams and the exit of a command; only the second or two of imports are saved.

``python -m tests.flows.fork_server`` is that process: its standard input is a socket. For each
request with three files (both streams, and a pipe for the status) it writes the new process's id
and, once that has ended, its status into the pipe.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FrameType

PACKAGES = ("whet.app", "whet.cli", "whet.engines", "whet.server", "whet.shell", "whet.stores")
MOST_BYTES = 1_000_000
_NUMBER_BYTES = 12


class ForkedCommand:
    """What tests use of ``subprocess.Popen``, for a command that was forked."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        streams = [os.pipe() for _ in range(3)]
        wanted = json.dumps([[*arguments], dict(environment), str(Path.cwd())]).encode()
        socket.send_fds(_server(), [wanted], [writing for _, writing in streams])
        for _, writing in streams:
            os.close(writing)
        out, errors, self._status = (reading for reading, _ in streams)
        self.args = [*arguments]
        self.returncode: int | None = None
        self.pid = int(os.read(self._status, _NUMBER_BYTES))
        self.stdout, self.stderr = os.fdopen(out), os.fdopen(errors)

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        return self._ended_within(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended; raises ``TimeoutExpired``."""
        code = self._ended_within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """The rest of both streams and the end. One that takes longer than *timeout* is killed."""
        if self.stdout.closed:
            return "", ""
        with ThreadPoolExecutor(2) as pool, self.stdout, self.stderr:
            out, errors = pool.submit(self.stdout.read), pool.submit(self.stderr.read)
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(self.pid, signal.SIGKILL)
                raise
            return out.result(), errors.result()

    def send_signal(self, how: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, how)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _ended_within(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], seconds)[0]:
            self.returncode = int(os.read(self._status, _NUMBER_BYTES))
            os.close(self._status)
        return self.returncode


@cache
def _server() -> socket.socket:
    """The connection to a server of this process; it ends when this one does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # Its code is that of this checkout, wherever a test is.
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-m", __name__], stdin=theirs.fileno(), cwd=root)
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _import_all() -> None:
    for package in PACKAGES:
        module = importlib.import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            if ".migrations." not in found.name and not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    gc.collect()
    gc.freeze()


def _serve() -> None:
    """Fork for each request until the other side is gone; returns in each new process only."""
    server = socket.socket(fileno=os.dup(0))
    statuses: dict[int, int] = {}
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking)
    signal.signal(signal.SIGCHLD, _wake)
    while True:
        ready = select.select([server, woken], [], [])[0]
        if woken in ready:
            os.read(woken, 1000)
            _tell_ends(statuses)
        if server not in ready:
            continue
        wanted, files, *_ = socket.recv_fds(server, MOST_BYTES, 3)
        if not wanted:
            sys.exit()
        child = os.fork()
        if not child:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for other in (*statuses.values(), woken, waking):
                os.close(other)
            server.close()
            _become(*json.loads(wanted), *files)
            return
        out, errors, statuses[child] = files
        os.write(statuses[child], b"%*d" % (_NUMBER_BYTES, child))
        os.close(out)
        os.close(errors)


def _wake(_number: int, _frame: FrameType | None) -> None:
    """Let the wait for requests end; what is to be done then is done there."""


def _tell_ends(statuses: dict[int, int]) -> None:
    while statuses:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        pipe = statuses.pop(child)
        with suppress(BrokenPipeError):  # whoever started it is not interested
            os.write(pipe, b"%*d" % (_NUMBER_BYTES, os.waitstatus_to_exitcode(status)))
        os.close(pipe)


def _become(
    arguments: list[str], environment: dict[str, str], folder: str, out: int, errors: int, pipe: int
) -> None:
    """Make this process that of a command."""
    os.setsid()
    os.close(pipe)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for ours, theirs in ((nothing, 0), (out, 1), (errors, 2)):
        os.dup2(ours, theirs)
        os.close(ours)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    tempfile.tempdir = None
    sys.argv = arguments
    sys.modules["__main__"].__package__ = ""  # else messages would name this module


if __name__ == "__main__":
    _import_all()
    _serve()
    from whet.cli.main import main

    sys.exit(main())

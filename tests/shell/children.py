"""Real children for the tests: commands that start them, and looking whether they live."""

import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

from whet.shell.command import Command, Limits

PATH = "/usr/local/bin:/usr/bin:/bin"


def sh(
    script: str, *, seconds: float = 20, stdin: str | None = None, limits: Limits | None = None
) -> Command:
    """A shell script as a command."""
    argv = ("/bin/sh", "-c", script)
    return Command(argv, Path("/"), {"PATH": PATH}, seconds, stdin, limits or Limits())


def python(script: str, *, seconds: float = 20, limits: Limits | None = None) -> Command:
    """A Python program as a command."""
    argv = (sys.executable, "-I", "-S", "-c", script)
    return Command(argv, Path("/"), {"PATH": PATH}, seconds, None, limits or Limits())


def descriptors() -> int:
    """How many this process has open, but for those by which it looks at processes."""
    found = 0
    for link in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found += not str(link.readlink()).startswith("/proc")
    return found


def alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and only waits to be collected does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(*pids: int, within: float = 1.0) -> bool:
    """Whether all of them are gone within that many seconds."""
    deadline = time.monotonic() + within
    while any(map(alive, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True

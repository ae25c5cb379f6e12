"""Whoever uses more than is allowed is ended, with all it has started."""

import asyncio
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.shell.children import gone, sh
from tests.shell.sandboxes import confined, script
from whet.shell.command import Command, ResourceLimits
from whet.shell.policy import Sandbox
from whet.shell.process import Exit, run, started

MIB = 1024 * 1024
EVERYWHERE = pytest.mark.parametrize("sandbox", ["none", "bubblewrap", "landlock"])


def limited(
    command: Command, sandbox: Sandbox, work: Path, limits: ResourceLimits
) -> tuple[Exit, list[psutil.Process]]:
    """How it ended, and all processes there were when it said that it is at work."""

    async def check() -> tuple[Exit, list[psutil.Process]]:
        ready = confined(replace(command, resources=limits), sandbox, work)
        async with started(ready) as process:
            assert await anext(process.lines()) == "at work"
            seen = psutil.Process(process.pid).children(recursive=True)
            return await process.ended(), seen

    return asyncio.run(check())


HUNGRY = """
import sys, time
print("at work", flush=True)
eaten = []
end = time.monotonic() + 50
while time.monotonic() < end:
    if len(eaten) < 40:
        eaten.append(b"x" * 20_000_000)
    time.sleep(0.01)
"""


@pytest.mark.slow
@EVERYWHERE
def test_memory(sandbox: Sandbox, tmp_path: Path):
    limits = ResourceLimits(memory_bytes=300 * MIB)
    exit_, seen = limited(script(HUNGRY, seconds=120), sandbox, tmp_path, limits)
    assert exit_.exceeded == "memory", exit_
    assert not exit_.ok
    assert not exit_.timed_out
    assert gone(*(one.pid for one in seen), within=10)


def test_the_disk_of_the_machine_is_nobody_s_memory(tmp_path: Path):
    """Between a file system view of its own and a private /tmp a process sees the machine's."""
    command = sh("exec unshare --map-root-user --mount sh -c 'echo at work; sleep 1.5'", seconds=30)
    limits = ResourceLimits(memory_bytes=100 * MIB)
    try:
        exit_, _ = limited(command, "none", tmp_path, limits)
    except StopAsyncIteration:
        pytest.skip("no mount namespace can be had here")
    assert exit_.ok, exit_


SHARING = """
import os, time
big = b"x" * 100_000_000
children = []
for _ in range(8):
    pid = os.fork()
    if pid == 0:
        time.sleep(3)
        os._exit(0)
    children.append(pid)
for child in children:
    os.waitpid(child, 0)
"""


@pytest.mark.slow
def test_shared_memory_counts_once(tmp_path: Path):
    limits = ResourceLimits(memory_bytes=400 * MIB)
    command = confined(replace(script(SHARING), resources=limits), "none", tmp_path)
    assert asyncio.run(run(command)).exit.ok


# Everyone doubles five times a second and leaves the group; should nobody end them, they
# end by themselves before the machine suffers.
BOMB = """
import os, time
print("at work", flush=True)
end = time.monotonic() + 20
most = time.monotonic() + 2
while time.monotonic() < end:
    if time.monotonic() < most and os.fork() == 0:
        os.setsid()
    time.sleep(0.2)
"""


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_a_fork_bomb(sandbox: Sandbox, tmp_path: Path):
    limits = ResourceLimits(processes=40)
    marker = f"# {tmp_path}"
    exit_, _ = limited(script(BOMB + marker, seconds=120), sandbox, tmp_path, limits)
    assert exit_.exceeded == "processes", exit_
    assert not exit_.timed_out
    left = [one.pid for one in psutil.process_iter() if _runs(one, marker)]
    assert gone(*left, within=10)


def _runs(process: psutil.Process, marker: str) -> bool:
    try:
        return any(marker in word for word in process.cmdline())
    except psutil.Error:
        return False


MANY = """
import os, time
print("at work", flush=True)
for _ in range(60):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(60)
"""


@pytest.mark.slow
def test_too_many_processes_without_a_sandbox(tmp_path: Path):
    limits = ResourceLimits(processes=40)
    exit_, seen = limited(script(MANY, seconds=120), "none", tmp_path, limits)
    assert exit_.exceeded == "processes", exit_
    assert gone(*(one.pid for one in seen), within=10)


@EVERYWHERE
def test_a_file_has_a_largest_size(sandbox: Sandbox, tmp_path: Path):
    async def check() -> list[str]:
        writing = sh("read go; head -c 9000000 /dev/zero > big; echo $?; ulimit -c")
        limits = ResourceLimits(file_bytes=2 * MIB)
        command = replace(writing, resources=limits, interactive=True)
        async with started(confined(command, sandbox, tmp_path)) as process:
            assert await process.write("go\n")
            return [line async for line in process.lines()]

    failed, core = asyncio.run(check())
    assert int(failed) != 0
    assert core == "0"
    assert (tmp_path / "big").stat().st_size <= 2 * MIB


@pytest.mark.slow
def test_within_the_limits_nothing_is_exceeded(tmp_path: Path):
    done = asyncio.run(run(confined(sh("sleep 1.2"), "none", tmp_path)))
    assert done.exit.ok
    assert done.exit.exceeded is None

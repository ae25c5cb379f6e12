"""When we are killed ourselves."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import psutil
import pytest

from tests.shell.children import PATH, alive, gone, sh
from whet.shell.guard import GUARD
from whet.shell.process import run, started

PARENT = """
import asyncio, sys
from tests.shell.children import sh
from whet.shell.process import run, started

async def main():
    await run(sh("exit 0"))
    async with started(sh(sys.argv[1])) as process:
        print(process.pid, flush=True)
        async for line in process.lines():
            print(line, flush=True)

asyncio.run(main())
"""


@contextmanager
def parent(script: str) -> Generator[subprocess.Popen[str]]:
    """A process of ours with a child that runs *script*; what both print comes line by line."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, script],
        env={"PATH": PATH, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "sleep 60 & echo $!; wait",
        "trap '' TERM; sh -c \"trap '' TERM; while :; do sleep 1; done\" & echo $!; wait",
        "setsid sleep 60 & echo $!; wait",
    ],
    ids=["obedient", "stubborn", "left the group"],
)
def test_kill_9_leaves_neither_child_nor_grandchild(script: str):
    with parent(script) as process:
        child, grandchild = line(process), line(process)
        (guard,) = (p for p in psutil.Process(process.pid).children() if p.pid != child)
        assert alive(child)
        assert alive(grandchild)
        process.kill()
        assert gone(child, grandchild, within=1.0)
        assert gone(guard.pid, within=1.0)


def test_the_guard_goes_when_we_end_in_peace():
    with parent("true") as process:
        guards = {p.pid for p in psutil.Process(process.pid).children()}
        assert process.wait(20) == 0
        assert gone(*guards, within=0.2)


@pytest.mark.slow
def test_a_killed_guard_is_replaced_and_told_what_lives():
    async def check() -> None:
        async with started(sh("exec sleep 60")) as process:
            first = GUARD._process
            assert first is not None
            first.kill()
            first.wait()
            await run(sh("exit 0"))
            second = GUARD._process
            assert second is not None
            assert second.pid != first.pid
            pid = process.pid
            GUARD.close()
            assert gone(pid)

    asyncio.run(check())


def test_one_guard_for_all():
    async def check() -> None:
        await run(sh("exit 0"))
        guard = GUARD._process
        await asyncio.gather(*(run(sh("exit 0")) for _ in range(5)))
        assert GUARD._process is guard

    asyncio.run(check())

"""However it ends, nothing is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from tests.shell.children import alive, descriptors, gone, python, sh
from whet.core.errors import EnvironmentProblem, UsageError
from whet.shell.command import Command
from whet.shell.process import Process, _polled, run, started

STUBBORN = "trap '' TERM; sh -c \"trap '' TERM; while :; do sleep 1; done\" & echo $!; wait"
OBEDIENT = "sleep 60 & echo $!; wait"
# The grandchild leaves the group, as the commands that agents run often do.
LEAVER = "setsid sleep 60 & echo $!; wait"


async def first_pid(process: Process) -> int:
    return int(await anext(process.lines()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "script", [STUBBORN, OBEDIENT, LEAVER], ids=["stubborn", "obedient", "left the group"]
)
def test_timeout_ends_the_family(script: str):
    async def check() -> tuple[int, int]:
        async with started(sh(script, seconds=0.4)) as process:
            child = await first_pid(process)
            exit_ = await process.ended()
            assert exit_.timed_out
            assert not exit_.ok
            assert exit_.signal == (signal.SIGKILL if script == STUBBORN else signal.SIGTERM)
            assert exit_.code is None
            assert 0.4 <= exit_.seconds < 2.4
            return process.pid, child

    assert gone(*asyncio.run(check()), within=0.2)


@pytest.mark.slow
def test_who_leaves_the_group_at_the_very_end_is_ended_too():
    # Twenty that are just about to: their pids are told before they have left.
    crowd = "for n in $(seq 20); do setsid sleep 60 & echo $!; done; echo; wait"

    async def check() -> list[int]:
        async with started(sh(crowd)) as process:
            return [int(pid) async for pid in up_to_the_empty_line(process.lines())]

    for _ in range(10):
        assert gone(*asyncio.run(check()))


async def up_to_the_empty_line(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    async for line in lines:
        if not line:
            return
        yield line


@pytest.mark.slow
@pytest.mark.parametrize(
    "script", [STUBBORN, OBEDIENT, LEAVER], ids=["stubborn", "obedient", "left the group"]
)
def test_cancelling_ends_the_family_within_two_seconds(script: str):
    async def check() -> None:
        pids: list[int] = []
        running = asyncio.Event()

        async def work() -> None:
            async with started(sh(script)) as process:
                pids.extend([process.pid, await first_pid(process)])
                running.set()
                await process.ended()

        task = asyncio.create_task(work())
        await running.wait()
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert gone(*pids, within=0.2)
        assert time.monotonic() - begun < 2

    asyncio.run(check())


def test_cancelling_twice_still_ends_it():
    async def check() -> list[int]:
        pids: list[int] = []
        running = asyncio.Event()

        async def work() -> None:
            async with started(sh(STUBBORN)) as process:
                pids.extend([process.pid, await first_pid(process)])
                running.set()
                await process.ended()

        task = asyncio.create_task(work())
        await running.wait()
        task.cancel()
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    # The second time there is no grace, and the loop closes at once.
    assert gone(*asyncio.run(check()), within=0.2)


def test_leaving_early_and_errors_end_it():
    async def leave() -> tuple[int, int]:
        async with started(sh(OBEDIENT)) as process:
            return process.pid, await first_pid(process)

    async def fail() -> None:
        async with started(sh(OBEDIENT)) as process:
            pids.extend([process.pid, await first_pid(process)])
            raise KeyError("mine")

    pids: list[int] = []
    assert gone(*asyncio.run(leave()), within=0.2)
    with pytest.raises(KeyError, match="mine"):
        asyncio.run(fail())
    assert gone(*pids, within=0.2)


def test_closing_an_iterator_around_it_ends_it():
    pids: list[int] = []

    async def steps() -> AsyncGenerator[str]:
        async with started(sh("echo $$; " + OBEDIENT)) as process:
            async for line in process.lines():
                yield line

    async def check() -> None:
        async with aclosing(steps()) as lines:
            pids.extend([int(await anext(lines)), int(await anext(lines))])

    asyncio.run(check())
    assert gone(*pids, within=0.2)


def test_a_forgotten_task_ends_with_its_loop():
    pids: list[int] = []

    async def work(running: asyncio.Event) -> None:
        async with started(sh(OBEDIENT)) as process:
            pids.extend([process.pid, await first_pid(process)])
            running.set()
            await process.ended()

    async def check() -> None:
        running = asyncio.Event()
        task = asyncio.create_task(work(running))
        await running.wait()
        assert not task.done()

    asyncio.run(check())
    assert gone(*pids, within=0.2)


def test_a_loop_that_closes_at_once_leaves_nothing():
    pids: list[int] = []

    async def work() -> None:
        async with started(sh("exec sleep 60")) as process:
            pids.append(process.pid)
            await process.ended()

    async def check() -> asyncio.Task[None]:
        task = asyncio.create_task(work())
        await asyncio.sleep(0)  # as far as the start, and no step further
        return task

    assert asyncio.run(check()).cancelled()
    assert gone(*pids, within=0.2)


def test_background_processes_end_with_the_one_that_left_them():
    stdout, exit_ = asyncio.run(run(sh("sleep 60 & echo $!")))
    assert exit_.ok
    assert exit_.seconds < 5
    assert gone(int(stdout), within=0.2)


ESCAPE = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        while True:
            time.sleep(0.01)
            print("still here", flush=True)
    os._exit(0)
os.wait()
time.sleep(0.3)
"""


@pytest.mark.slow
def test_an_escaped_process_that_holds_the_pipe_holds_nobody_up():
    stdout, exit_ = asyncio.run(run(python(ESCAPE)))
    escaped = int(stdout.split("\n")[0])
    try:
        assert exit_.ok
        assert exit_.seconds < 5
    finally:
        # Nobody finds it without a sandbox. The broken pipe may have been its end already.
        with suppress(ProcessLookupError):
            os.kill(escaped, signal.SIGKILL)


@pytest.mark.slow
def test_time_runs_out_although_nobody_reads():
    async def check() -> int:
        async with started(sh("yes", seconds=0.2)) as process:
            await asyncio.sleep(1.0)
            assert not alive(process.pid)
            assert (await process.ended()).timed_out
            return process.pid

    assert gone(asyncio.run(check()), within=0.1)


@pytest.mark.slow
def test_a_polite_exit_after_the_time_is_up_is_no_success():
    script = "trap 'exit 0' TERM; while :; do sleep 0.05; done"
    _, exit_ = asyncio.run(run(sh(script, seconds=0.3)))
    assert exit_.code == 0
    assert exit_.timed_out
    assert not exit_.ok


def test_exit_codes_and_signals():
    _, exit_ = asyncio.run(run(sh("exit 7")))
    assert (exit_.code, exit_.signal, exit_.ok) == (7, None, False)
    _, exit_ = asyncio.run(run(sh("kill -SEGV $$")))
    assert (exit_.code, exit_.signal, exit_.ok) == (None, signal.SIGSEGV, False)


def test_closed_output_is_not_the_end():
    _, exit_ = asyncio.run(run(sh("exec >&- 2>&-; sleep 0.2; exit 5")))
    assert exit_.code == 5
    assert exit_.seconds >= 0.2


def test_where_nothing_tells_of_an_exit_it_is_polled():
    with subprocess.Popen(["/bin/sh", "-c", "sleep 0.1; exit 6"]) as popen:
        asyncio.run(_polled(popen))
        assert popen.returncode == 6


def test_no_descriptor_leaks():
    async def check() -> None:
        await run(sh("exit 0"))
        before = descriptors()
        for _ in range(10):
            await run(sh("echo x", stdin="y"))
            async with started(sh(OBEDIENT)):
                pass
        assert descriptors() == before

    asyncio.run(check())


def problem(command: Command) -> str:
    with pytest.raises(EnvironmentProblem) as caught:
        asyncio.run(run(command))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_cannot_be_started_is_named(tmp_path: Path):
    plain = tmp_path / "plain"
    plain.write_text("not a program")
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    env = {"PATH": "/nowhere:/usr/bin"}
    assert problem(Command(("no-such-agent",), tmp_path, env, 5)) == (
        "no-such-agent: command not found in /nowhere:/usr/bin; install it or correct PATH"
    )
    assert problem(Command((f"{tmp_path}/missing",), tmp_path, env, 5)) == (
        f"cannot start {tmp_path}/missing: No such file or directory"
    )
    assert problem(Command((str(plain),), tmp_path, env, 5)) == (
        f"cannot start {plain}: Permission denied"
    )
    assert problem(Command((str(script),), tmp_path, env, 5)) == (
        f"cannot start {script}: its interpreter is missing"
    )
    assert problem(Command((sys.executable,), tmp_path / "gone", env, 5)) == (
        f"cannot start {sys.executable} in {tmp_path}/gone: No such file or directory"
    )
    assert problem(Command((sys.executable,), plain, env, 5)) == (
        f"cannot start {sys.executable} in {plain}: Not a directory"
    )


@pytest.mark.parametrize(
    ("argument", "why"),
    [("a\0b", "embedded null byte"), ("x" * 3_000_000, "Argument list too long")],
    ids=["zero", "long"],
)
def test_an_argument_that_cannot_be_is_the_callers_mistake(argument: str, why: str):
    with pytest.raises(UsageError, match=f"cannot start echo: {why}"):
        asyncio.run(run(Command(("echo", argument), Path("/"), {"PATH": "/bin"}, 5)))

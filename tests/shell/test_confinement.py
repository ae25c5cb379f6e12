"""What holds in every sandbox alike: how a command starts, ends and fails."""

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.shell.children import PATH, alive, descriptors, gone, sh
from tests.shell.sandboxes import confined, needs, script
from whet.core.errors import EnvironmentProblem
from whet.shell.command import Command
from whet.shell.policy import Endpoint, Policy, Sandbox
from whet.shell.process import run, started
from whet.shell.sandbox import wrapped

BOTH = pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])


@BOTH
def test_environment_input_output_and_exit_code_pass_through(sandbox: Sandbox, tmp_path: Path):
    command = replace(sh("cat; env; echo problem >&2; exit 7", stdin="hello\n"), env={"ONLY": "x"})
    stdout, exit_ = asyncio.run(run(confined(command, sandbox, tmp_path)))
    hello, *environment = stdout.split("\n")
    assert hello == "hello"
    assert set(environment) - {f"PWD={tmp_path}"} == {"ONLY=x"}
    assert exit_.stderr == "problem\n"
    assert exit_.code == 7


@pytest.mark.slow
@BOTH
def test_signals_are_as_a_program_expects_them(sandbox: Sandbox, tmp_path: Path):
    # The shell would go on for ever if a broken pipe were ignored.
    stdout, exit_ = asyncio.run(run(confined(sh("yes | head -n 1"), sandbox, tmp_path)))
    assert stdout == "y"
    assert exit_.stderr == ""
    text = "grep -E 'Sig(Ign|Blk)' /proc/self/status"
    stdout, _ = asyncio.run(run(confined(sh(text), sandbox, tmp_path)))
    # What ignores a signal before us, as make does with one of the C library's own, does so inside.
    outside, _ = asyncio.run(run(sh(text)))
    assert stdout == outside
    ignored = int(stdout.split("SigIgn:")[1].split()[0], 16)
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)


def test_under_landlock_an_end_by_a_signal_shows(tmp_path: Path):
    _, exit_ = asyncio.run(run(confined(sh("kill -KILL $$"), "landlock", tmp_path)))
    assert (exit_.code, exit_.signal) == (None, signal.SIGKILL)


@BOTH
def test_no_descriptor_of_ours_gets_inside(sandbox: Sandbox, tmp_path: Path):
    command = confined(sh("ls /proc/$$/fd"), sandbox, tmp_path, Endpoint("model.example", 443))
    stdout, _ = asyncio.run(run(command))
    assert stdout == "0\n1\n2"


def problem(command: Command) -> str:
    before = descriptors()
    with pytest.raises(EnvironmentProblem) as caught:
        asyncio.run(run(command))
    assert descriptors() == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


@BOTH
def test_what_cannot_be_started_inside_is_named(sandbox: Sandbox, tmp_path: Path):
    needs(sandbox)
    asyncio.run(run(sh("exit 0")))  # the guard runs from now on
    work = tmp_path / "work"
    work.mkdir()
    hidden = tmp_path / "hidden"
    hidden.write_text("#!/bin/sh\n")
    hidden.chmod(0o755)
    plain = work / "plain"
    plain.write_text("not a program")
    inner = work / "script"
    inner.write_text("#!/no/such/interpreter\n")
    inner.chmod(0o755)

    def said(*argv: str) -> str:
        command = Command(argv, work, {"PATH": "/nowhere:/usr/bin"}, 30)
        return problem(wrapped(command, sandbox, Policy((work,))))

    assert said("no-such-agent") == (
        "no-such-agent: command not found in /nowhere:/usr/bin; install it or correct PATH"
    )
    assert said(f"{work}/missing") == f"cannot start {work}/missing: No such file or directory"
    assert said(str(plain)) == f"cannot start {plain}: Permission denied"
    invisible = "it or its interpreter is not visible inside the sandbox"
    assert said(str(inner)) == f"cannot start {inner}: {invisible}"
    assert said(str(hidden)) == f"cannot start {hidden}: {invisible}"


@BOTH
def test_what_is_given_must_exist(sandbox: Sandbox, tmp_path: Path):
    needs(sandbox)
    policy = Policy((tmp_path,), readable=(tmp_path / "lost",))
    command = wrapped(replace(sh("exit 0"), cwd=tmp_path), sandbox, policy)
    assert problem(command) == f"{tmp_path}/lost is missing; a sandbox cannot be given it"


def test_a_working_folder_that_is_not_given_is_named(tmp_path: Path):
    needs("bubblewrap")
    command = wrapped(replace(sh("exit 0"), cwd=tmp_path), "bubblewrap", Policy(()))
    assert "cannot build a sandbox for /bin/sh: bwrap: Can't chdir" in problem(command)


@BOTH
def test_time_may_run_out_while_it_starts(sandbox: Sandbox, tmp_path: Path):
    command = replace(sh("exec sleep 60"), timeout=0.001)
    assert asyncio.run(run(confined(command, sandbox, tmp_path))).exit.timed_out


# Leaves the group, outlives its parent, and says where it is.
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal_free = [os.close(number) for number in (0, 1, 2)]
        time.sleep(600)
    os._exit(0)
os.wait()
print("at work", flush=True)
"""


def running(marker: str) -> list[int]:
    return [one.pid for one in psutil.process_iter() if _has(one, marker)]


def _has(process: psutil.Process, marker: str) -> bool:
    try:
        return any(marker in word for word in process.cmdline())
    except psutil.Error:
        return False


@BOTH
def test_a_daemon_ends_with_the_agent(sandbox: Sandbox, tmp_path: Path):
    marker = f"# {tmp_path}"

    async def check(ending: str) -> list[int]:
        command = confined(script(DAEMON + ending + marker), sandbox, tmp_path)
        async with started(command) as process:
            assert await anext(process.lines()) == "at work"
            seen = running(marker)
            if not ending:
                assert (await process.ended()).ok
            return seen

    assert gone(*asyncio.run(check("")), within=10)
    seen = asyncio.run(check("time.sleep(600)"))
    assert len(seen) >= 2
    assert gone(*seen, within=10)
    assert running(marker) == []


PARENT = """
import asyncio, sys
from pathlib import Path
from tests.shell.sandboxes import confined, script
from whet.shell.process import started

async def main():
    command = confined(script(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
    async with started(command) as process:
        async for line in process.lines():
            print(line, flush=True)

asyncio.run(main())
"""


@pytest.mark.slow
@BOTH
def test_kill_9_leaves_nobody_behind(sandbox: Sandbox, tmp_path: Path):
    needs(sandbox)
    marker = f"# {tmp_path}"
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, DAEMON + "time.sleep(600)" + marker, sandbox, str(tmp_path)],
        env={"PATH": PATH, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline() == "at work\n"
            seen = [pid for pid in running(marker) if pid != parent.pid]
            assert len(seen) >= 2
            assert all(map(alive, seen))
        finally:
            parent.kill()
        assert gone(*seen, within=10)

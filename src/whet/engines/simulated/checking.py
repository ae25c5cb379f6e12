"""The processes the agent starts: one that tries its solution, one that never ends.

The code that is run here is put together from our own text alone; the prompt is at most a
string literal in it. Python runs isolated, so no input file can pass itself off as a module.
"""

import os
import shlex
import sys
from pathlib import Path

from whet.engines.simulated.kernels import Kernel
from whet.ports.workdir import Workdir
from whet.shell.command import Command
from whet.shell.process import run
from whet.shell.sandbox import Policy, wrapped

_PATIENCE = 30.0
_DAY = 86_400


def script(kernel: Kernel, file: str) -> str:
    """Python that loads the solution and tries it."""
    load = f"globals().update(run_path({file!r}))"
    return "\n".join(["from runpy import run_path", load, *kernel.smoke])


def as_command(text: str) -> str:
    """How a person would type that."""
    return f"python -I -c {shlex.quote(text)}"


async def run_script(text: str, workdir: Workdir, sandbox: str) -> tuple[bool, str]:
    """Run it; whether it passed, and the last line it said.

    Only that line is alike on every machine and in every folder.
    """
    command = Command(
        argv=(sys.executable, "-I", "-S", "-B", "-c", text),
        cwd=workdir.work,
        env={"TMPDIR": str(workdir.root)},
        timeout=_PATIENCE,
    )
    completed = await run(_inside(command, workdir, sandbox))
    if completed.exit.timed_out:
        return False, f"no end after {_PATIENCE:g} seconds"
    last = completed.exit.stderr.strip().rpartition("\n")[2]
    return completed.exit.ok, last.partition(". Did you mean")[0]


def _inside(command: Command, workdir: Workdir, sandbox: str) -> Command:
    if sandbox != "bubblewrap":
        return command
    interpreter = tuple({Path(sys.prefix), Path(sys.base_prefix)})
    return wrapped(command, sandbox, Policy(writable=(workdir.root,), readable=interpreter))


async def hang(workdir: Workdir) -> None:
    """Start a process and wait for it, for ever."""
    command = Command(
        argv=("sleep", str(_DAY)),
        cwd=workdir.work,
        env={"PATH": os.defpath},
        timeout=2 * _DAY,
    )
    while True:
        await run(command)

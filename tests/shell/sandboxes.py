"""Sandboxes for the tests: which there are, and commands that run in them."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.children import PATH
from whet.shell.command import Command
from whet.shell.policy import Endpoint, Policy, Sandbox
from whet.shell.sandbox import probe, problem, wrapped
from whet.shell.visible import visible

PYTHON = Path(sys.executable)


def needs(sandbox: Sandbox) -> None:
    """Skip where *sandbox* does not work; in CI bubblewrap must."""
    must = sandbox == "bubblewrap" and os.environ.get("CI")
    if sandbox not in probe() and not must:
        pytest.skip(f"{sandbox}: {problem(sandbox)}")


def confined(
    command: Command,
    sandbox: Sandbox,
    work: Path,
    *endpoints: Endpoint,
    readable: tuple[Path, ...] = (),
) -> Command:
    """*command* in the folder *work*, which it may write to, and with our Python to read."""
    needs(sandbox)
    policy = Policy((work,), (*visible(PYTHON), *readable), endpoints=endpoints)
    return wrapped(replace(command, cwd=work), sandbox, policy)


def script(text: str, *arguments: str, seconds: float = 60) -> Command:
    """A Python program that may be run in any sandbox."""
    argv = (str(PYTHON), "-I", "-S", "-c", text, *arguments)
    return Command(argv, Path("/"), {"PATH": PATH}, seconds)

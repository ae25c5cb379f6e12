"""Sandboxes: choosing one, and putting a command into it.

Bubblewrap is the stronger one, Landlock the one that needs nothing installed. What is chosen
is what is used: a sandbox that cannot be built is an error, never a reason to go without.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from whet.core.errors import EnvironmentProblem, UsageError
from whet.shell import bubblewrap, landlock
from whet.shell.command import Command
from whet.shell.policy import Confinement, Endpoint, Policy, Sandbox
from whet.shell.process import run

__all__ = ["Endpoint", "Policy", "Sandbox", "Wish", "choose", "probe", "problem", "wrapped"]

Wish = Literal["required", "auto", "off"]

_PROBE_SECONDS = 20.0
_PROBE_ENDPOINT = Endpoint("localhost", 443)
_SANDBOXES: tuple[Literal["bubblewrap", "landlock"], ...] = ("bubblewrap", "landlock")


def wrapped(command: Command, sandbox: Sandbox, policy: Policy) -> Command:
    """The same command inside *sandbox*; unchanged if that is none.

    The working folder must be among those given. The environment stays as it is, but for PWD,
    which bubblewrap sets.
    """
    if sandbox == "none":
        return command
    if sandbox == "bubblewrap":
        bubblewrap.program()
    return replace(command, confinement=Confinement(sandbox, policy))


def probe() -> tuple[Sandbox, ...]:
    """The sandboxes that work here, the strongest first; "none" always does.

    Each is tried once, with a real run: that bubblewrap is installed does not say that this
    kernel or container lets it work.
    """
    return (*(sandbox for sandbox in _SANDBOXES if problem(sandbox) is None), "none")


@cache
def problem(sandbox: Sandbox) -> str | None:
    """Why *sandbox* does not work here; None if it does."""
    if sandbox == "none":
        return None
    if sys.platform != "linux":
        return "needs Linux"
    if sandbox == "landlock" and landlock.version() == 0:
        return "the kernel does not offer it"
    command = Command(("/bin/sh", "-c", "exit 0"), Path("/"), {}, _PROBE_SECONDS)
    policy = Policy(writable=(), endpoints=(_PROBE_ENDPOINT,))
    try:
        with ThreadPoolExecutor(1) as elsewhere:  # the caller may be in an event loop
            trial = wrapped(command, sandbox, policy)
            done = elsewhere.submit(lambda: asyncio.run(run(trial))).result()
    except EnvironmentProblem as found:
        return str(found)
    return None if done.exit.ok else f"a trial run ended with {done.exit}"


def choose(wish: Wish) -> Sandbox:
    """The sandbox to use: the strongest that works, unless none is wished for.

    Raises ``EnvironmentProblem`` if one is required and none works.
    """
    if wish == "off":
        return "none"
    if wish not in ("auto", "required"):
        raise UsageError(f"unknown sandbox wish {wish!r}; use required, auto or off")
    strongest = probe()[0]
    if strongest == "none" and wish == "required":
        reasons = "; ".join(f"{one}: {problem(one)}" for one in _SANDBOXES)
        raise EnvironmentProblem(
            f"no sandbox works here ({reasons}); install bubblewrap, or allow to run without one"
        )
    return strongest

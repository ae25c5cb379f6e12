"""How a command is really started: as it is, or inside its sandbox.

Outside, for as long as the process lives, there is at most one task for each endpoint that
carries connections to it. Nothing is left in any file system.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.shell import bubblewrap, inside, interpreter, seccomp, system
from whet.shell.channel import Channel, Refusal
from whet.shell.command import Command
from whet.shell.gates import Gate, gates, hosts
from whet.shell.policy import Policy
from whet.shell.relay import relay

_SPARE = 2
"""The kernel refuses threads of users, but not of root, so the watcher is to see both first."""

_LANDLOCKED = (
    "import sys; sys.path.append(sys.argv.pop(1)); from whet.shell.landlocked import main; main()"
)


@dataclass(frozen=True, slots=True)
class Launch:
    """What to start, and what it inherits."""

    argv: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    channel: Channel | None = None
    gates: tuple[Gate, ...] = ()
    reaper: bool = False
    """Whether the process we start only waits for the agent, and ends all that it leaves."""


@asynccontextmanager
async def prepared(command: Command) -> AsyncGenerator[Launch]:
    """The command as it is to be started now; once."""
    if command.confinement is None:
        yield Launch(command.argv)
        return
    policy = command.confinement.policy
    for path in (*policy.readable, *policy.writable):
        if not os.access(path, os.F_OK):
            raise EnvironmentProblem(f"{path} is missing; a sandbox cannot be given it")
    async with AsyncExitStack() as stack:
        channel = Channel()
        stack.callback(channel.close)
        if command.confinement.sandbox == "bubblewrap":
            yield _in_bubblewrap(command, policy, channel, stack)
        else:
            yield _in_landlock(command, policy, channel)


@asynccontextmanager
async def relayed(
    listeners: list[socket.socket], inside_gates: tuple[Gate, ...]
) -> AsyncGenerator[None]:
    """Carry what comes in at the gates for the time of the block."""
    tasks = [
        asyncio.create_task(relay(listener, gate.endpoint))
        for listener, gate in zip(listeners, inside_gates, strict=True)
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in listeners:
            listener.close()


def reason(command: Command, error: OSError) -> str:
    """Why the program could not be started, in one line."""
    name = command.argv[0]
    if str(error.filename) == str(command.cwd):
        return f"cannot start {name} in {command.cwd}: {error.strerror}"
    if isinstance(error, FileNotFoundError) and "/" not in name:
        where = command.env.get("PATH", os.defpath)
        return f"{name}: command not found in {where}; install it or correct PATH"
    hidden = isinstance(error, FileNotFoundError | PermissionError)
    if command.confinement and hidden and os.access(command.cwd / name, os.X_OK):
        return f"cannot start {name}: it or its interpreter is not visible inside the sandbox"
    if isinstance(error, FileNotFoundError) and (command.cwd / name).exists():
        return f"cannot start {name}: its interpreter is missing"
    return f"cannot start {name}: {error.strerror}"


def refused(command: Command, refusal: Refusal) -> EnvironmentProblem:
    """The same, when it turned out inside the sandbox."""
    if refusal.tried == "exec":
        return EnvironmentProblem(reason(command, refusal.error))
    what = f"cannot {refusal.tried} inside the sandbox: {refusal.error.strerror}"
    return EnvironmentProblem(f"{command.argv[0]}: {what}")


def _in_bubblewrap(
    command: Command, policy: Policy, channel: Channel, stack: AsyncExitStack
) -> Launch:
    script = Path(inside.__file__)
    inner = () if policy.network else gates(policy.endpoints)
    capabilities = _capabilities(inner)
    texts = {} if policy.network else bubblewrap.names(hosts(inner))
    made = {place: _file(text.encode(), stack) for place, text in texts.items()}
    argv = bubblewrap.arguments(
        policy,
        needed=(*interpreter.files(), script),
        made=made,
        capabilities=capabilities,
    )
    descriptors = [channel.inherited, *made.values()]
    user = os.geteuid()
    if seccomp.available():  # also for the first process inside, which the agent may take over
        scope = "init" if capabilities and user else "bubblewrap"
        descriptors.append(_file(seccomp.program(scope, network=policy.network), stack))
        argv += ["--seccomp", str(descriptors[-1])]
    orders = [*_limits(command), *_guards("bubblewrap", policy)]
    if user:  # for root, nothing is counted
        orders += ["limit", f"processes:{command.resources.threads * _SPARE}"]
    for address in {gate.address for gate in inner if gate.foreign}:
        orders += ["address", address]
    for gate in inner:
        orders += ["listen", f"{gate.address}:{gate.endpoint.port}"]
    if capabilities:
        orders += ["capabilities", "drop"]
    if capabilities and user:
        argv += ["--uid", "0", "--gid", "0"]
        orders += ["identity", f"{user}:{os.getegid()}"]
    argv += ["--chdir", str(command.cwd), "--", *interpreter.PYTHON, str(script)]
    argv += [str(channel.inherited), *orders, "--", *command.argv]
    return Launch(tuple(argv), tuple(descriptors), channel, inner)


def _in_landlock(command: Command, policy: Policy, channel: Channel) -> Launch:
    orders = ["network", "open" if policy.network else "ports", *_limits(command)]
    orders += _guards("landlock", policy)
    for path in (*system.FOLDERS, *system.CONFIGURATION, *system.NAMES, Path("/proc")):
        if os.access(path, os.R_OK):
            orders += ["read", str(path)]
    for path in policy.readable:
        orders += ["read", str(path)]
    for path in (*(one for one in system.DEVICES if one.exists()), *policy.writable):
        orders += ["write", str(path)]
    for endpoint in policy.endpoints:
        orders += ["connect", str(endpoint.port)]
    package = Path(inside.__file__).parents[2]
    argv = [*interpreter.PYTHON, "-c", _LANDLOCKED, str(package), str(channel.inherited)]
    argv += [*orders, "--", *command.argv]
    return Launch(tuple(argv), (channel.inherited,), channel, reaper=True)


def _limits(command: Command) -> list[str]:
    orders = ["limit", f"file:{command.resources.file_bytes}", "limit", "core:0"]
    if "LC_CTYPE" not in command.env:  # the interpreter may have set it
        orders += ["unset", "LC_CTYPE"]
    return orders


def _guards(scope: seccomp.Scope, policy: Policy) -> list[str]:
    """No keys of ours, and none of the system calls that no agent needs."""
    if not seccomp.available():
        return []
    program = seccomp.program(scope, network=policy.network)
    return ["keyring", str(seccomp.call_number("keyctl")), "filter", program.hex()]


def _capabilities(inner: tuple[Gate, ...]) -> list[str]:
    """What setting up the network needs; given up again before the agent starts."""
    found: list[str] = []
    if any(gate.privileged for gate in inner):
        found.append("CAP_NET_BIND_SERVICE")
    if any(gate.foreign for gate in inner):
        found.append("CAP_NET_ADMIN")
    if found and os.geteuid():
        found.append("CAP_SETFCAP")  # what mapping root to a user takes
    return found


def _file(content: bytes, stack: AsyncExitStack) -> int:
    """A file in memory alone, until the end of *stack*."""
    descriptor = os.memfd_create("whet")
    stack.callback(os.close, descriptor)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor

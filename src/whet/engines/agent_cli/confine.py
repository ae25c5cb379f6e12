"""The command of an agent, inside the sandbox that its trial names."""

import os
import pwd
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import UsageError
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.network import certificates, endpoint, proxies
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.shell.command import Command
from whet.shell.policy import Policy, Sandbox
from whet.shell.sandbox import wrapped
from whet.shell.visible import visible

_BEYOND = 60.0
"""Seconds beyond the trial's own limit, which the runner holds; only a last resort."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent works, whom it may talk to and what it may read besides."""

    spec: TrialSpec
    workdir: Workdir
    machine: Machine
    endpoints: tuple[str, ...] = ()
    programs: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()


def confined(
    place: Place,
    argv: tuple[str, ...],
    environment: Mapping[str, str],
    stdin: str | None,
    *,
    interactive: bool = False,
) -> Command:
    """The command to start."""
    command = Command(
        argv,
        place.workdir.work,
        environment,
        place.spec.stimulus.limits.timeout_seconds + _BEYOND,
        stdin=None if interactive else stdin,
        interactive=interactive,
    )
    path = environment.get("PATH", "")
    # A user that the system does not know, as in a container, has no home but this one.
    home = None if _is_known_user() else place.machine.home
    programs = (Path(argv[0]), *place.programs)
    shown = (file for program in programs for file in visible(program, path, home))
    policy = Policy(
        writable=(place.workdir.root,),
        readable=tuple(dict.fromkeys((*shown, *place.readable, *certificates(place.machine)))),
        endpoints=tuple(map(endpoint, (*place.endpoints, *proxies(place.machine)))),
    )
    return wrapped(command, _sandbox(place.spec.sandbox), policy)


def _is_known_user() -> bool:
    try:
        pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return True


def _sandbox(name: str) -> Sandbox:
    match name:
        case "bubblewrap" | "landlock" | "none":
            return name
        case _:
            raise UsageError(f"no sandbox {name!r}; there are bubblewrap, landlock and none")

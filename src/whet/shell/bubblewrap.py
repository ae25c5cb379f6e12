"""Bubblewrap: a root of its own, made of what a command is given, and namespaces.

A command sees a read-only system without anybody's home, a private /tmp, /proc and /dev, and
the folders it is given, at their own paths. It has no capabilities, sees no process but its
own, and its network has nothing but the gates. When it ends, all it has started ends with it,
even what left its process group.
"""

import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from shutil import which

from whet.core.errors import EnvironmentProblem
from whet.shell import system
from whet.shell.policy import Policy

_NAMESPACES = (
    "--die-with-parent",
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
)
# Root may write to these even without any capability, and they rule the whole machine.
_KERNEL = ["acpi", "bus", "driver", "fs", "irq", "mtrr", "pressure", "scsi", "sys", "sysrq-trigger"]
# These tell the names of keys of the same user, whichever namespace they belong to.
_KEYS = ("keys", "key-users")
_NAME_SERVICE = "passwd: files\ngroup: files\nhosts: files\n"
IN_MEMORY = {"/dev/shm": 512 * 1024**2, "/tmp": 2 * 1024**3}
"""File systems in memory that can be written to, and the bytes they have room for."""

_SIZES_SINCE = (0, 7)


def program() -> str:
    """Where bubblewrap is."""
    found = which("bwrap")
    if found is None:
        raise EnvironmentProblem("bwrap: command not found; install bubblewrap")
    return found


def arguments(
    policy: Policy,
    *,
    needed: Iterable[Path],
    made: Mapping[str, int],
    capabilities: Iterable[str],
) -> list[str]:
    """Everything but the working folder and the command itself.

    *needed* is shown besides what the policy gives; *made* are open files by their place.
    """
    argv = [program(), *_NAMESPACES]
    for capability in capabilities:
        argv += ["--cap-add", capability]
    if not policy.network:
        argv.append("--unshare-net")
    argv += [*_system(policy), *_given(policy, needed)]
    for place, descriptor in made.items():
        argv += ["--ro-bind-data", str(descriptor), place]
    # These are file systems in memory themselves, and would be writable.
    return [*argv, "--remount-ro", "/dev", "--remount-ro", "/"]


def names(hosts: str) -> dict[str, str]:
    """The files that say how to look names up where there is no network, by their path."""
    return {"/etc/hosts": hosts, "/etc/nsswitch.conf": _NAME_SERVICE}


def _system(policy: Policy) -> list[str]:
    argv: list[str] = []
    for path in system.FOLDERS:
        if path.is_symlink():
            argv += ["--symlink", str(path.readlink()), str(path)]
        else:
            argv += ["--ro-bind-try", str(path), str(path)]
    for path in (*system.CONFIGURATION, *(system.NAMES if policy.network else ())):
        argv += ["--ro-bind-try", str(path), str(path)]
    argv += ["--dev", "/dev", "--proc", "/proc"]
    for place, size in IN_MEMORY.items():
        argv += _memory(place, size)
    for name in _KERNEL:
        argv += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    for path in (Path("/proc", name) for name in _KEYS):
        argv += ["--ro-bind", "/dev/null", str(path)] if path.exists() else []
    return argv


def _given(policy: Policy, needed: Iterable[Path]) -> list[str]:
    """Outer folders before what lies in them, so that each path is as it was asked for."""
    writable = set(policy.writable)
    wanted = writable | {path for path in (*policy.readable, *needed) if not system.shown(path)}
    links = {path for path in wanted - writable if path.is_symlink()}
    targets = {path.resolve() for path in links}
    wanted |= {path for path in targets if not system.shown(path)}
    argv: list[str] = []
    done: set[Path] = set()
    for path in sorted(wanted, key=lambda one: len(one.parts)):
        if path in writable:
            argv += ["--bind", str(path), str(path)]
        elif path not in links:
            argv += ["--ro-bind", str(path), str(path)]
        elif done.isdisjoint(path.parents):  # else the link is there with its folder
            argv += ["--symlink", str(path.resolve()), str(path)]
        done.add(path)
    return argv


def _memory(path: str, size: int) -> list[str]:
    """A file system in memory. What is in it counts for no process, so it has a size."""
    sized = ["--size", str(size)] if _version() >= _SIZES_SINCE else []
    return [*sized, "--tmpfs", path]


@cache
def _version() -> tuple[int, ...]:
    try:
        said = subprocess.run(
            [program(), "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentProblem(f"cannot start bwrap: {error}") from error
    return tuple(map(int, re.findall(r"\d+", said)))

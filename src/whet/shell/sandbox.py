"""Sandboxes: what a command may see and change while it runs.

So far there is bubblewrap or nothing. Under bubblewrap a command sees a read-only system
without anybody's home, a private /tmp, /proc and /dev, and the folders it is given, at their
own paths; it has no capabilities and sees no process but its own. When it ends, all it has
started ends with it, even what left its process group.
"""

import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from shutil import which
from typing import Literal

from whet.core.errors import EnvironmentProblem
from whet.shell.command import Command

Sandbox = Literal["bubblewrap", "none"]

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
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Not all of /etc: with its keys and passwords it is readable to root, who may be running us.
_CONFIGURATION = (
    "alternatives",
    "ca-certificates",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "pki",
    "resolv.conf",
    "ssl/certs",
    "ssl/openssl.cnf",
)
# Root may write to these even without any capability, and they rule the whole machine.
_KERNEL = ("bus", "fs", "irq", "sys", "sysrq-trigger")
_PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Policy:
    """What a command is given besides the system: folders or files, and the network or not."""

    writable: tuple[Path, ...]
    readable: tuple[Path, ...] = ()
    network: bool = False


@cache
def probe() -> Sandbox:
    """The strongest sandbox that works here; tried once, with a real run.

    That bubblewrap is installed does not say that this kernel or container lets it work.
    """
    if which("bwrap") is None:
        return "none"
    trial = Command(("/bin/sh", "-c", "exit 0"), Path("/"), {}, _PROBE_SECONDS)
    attempt = wrapped(trial, "bubblewrap", Policy(writable=()))
    try:
        found = subprocess.run(
            attempt.argv, env={}, capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "none"
    return "bubblewrap" if found.returncode == 0 else "none"


def wrapped(command: Command, sandbox: Sandbox, policy: Policy) -> Command:
    """The same command inside *sandbox*; unchanged if that is none.

    The working folder must be among those given. The environment stays as it is, but for PWD,
    which bubblewrap sets. A program that is missing inside shows as
    bubblewrap's own failure: exit code 1 and a line on standard error.
    """
    if sandbox == "none":
        return command
    program = which("bwrap")
    if program is None:
        raise EnvironmentProblem("bwrap: command not found; install bubblewrap")
    shared = [] if policy.network else ["--unshare-net"]
    argv = [program, *_NAMESPACES, *shared, *_system(), *_folders(policy)]
    # The root itself is a file system in memory, and would be writable.
    argv += ["--remount-ro", "/", "--chdir", str(command.cwd), "--", *command.argv]
    return replace(command, argv=tuple(argv))


def _system() -> list[str]:
    argv: list[str] = []
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            argv += ["--symlink", str(path.readlink()), str(path)]
        else:
            argv += ["--ro-bind-try", str(path), str(path)]
    for name in _CONFIGURATION:
        argv += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    argv += ["--dev", "/dev", "--tmpfs", "/tmp", "--proc", "/proc"]
    for name in _KERNEL:
        argv += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    return argv


def _folders(policy: Policy) -> list[str]:
    argv: list[str] = []
    for path in policy.readable:
        argv += ["--ro-bind", str(path), str(path)]
    for path in policy.writable:
        argv += ["--bind", str(path), str(path)]
    return argv

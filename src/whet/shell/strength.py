"""What a sandbox confines and what it does not, in words for people."""

import sys
from dataclasses import dataclass

from whet.shell import landlock, seccomp
from whet.shell.policy import Sandbox
from whet.shell.sandbox import problem


@dataclass(frozen=True, slots=True)
class Strength:
    """What is confined; what is not is open."""

    files: bool
    """It reads and writes what it is given, and the system read-only."""

    network: bool
    """It connects to the endpoints it is given only, or at least to their ports only."""

    processes: bool
    """It can neither signal nor look into processes that are not its own."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A sandbox on this machine."""

    sandbox: Sandbox
    strength: Strength
    confined: tuple[str, ...]
    open: tuple[str, ...]
    better: str | None
    """How to get a stronger one; None if there is none."""

    @property
    def text(self) -> str:
        """All of it, one statement a line."""
        lines = [f"sandbox: {self.sandbox}"]
        lines += [f"confined: {one}" for one in self.confined]
        lines += [f"open: {one}" for one in self.open]
        if self.better:
            lines.append(f"better: {self.better}")
        return "\n".join(lines)


def strength(sandbox: Sandbox) -> Strength:
    """What *sandbox* confines on this machine."""
    if sandbox == "bubblewrap":
        return Strength(files=True, network=True, processes=True)
    if sandbox == "landlock":
        number = landlock.version()
        return Strength(
            files=True,
            network=number >= landlock.NETWORK_SINCE,
            processes=number >= landlock.SIGNALS_SINCE,
        )
    return Strength(files=False, network=False, processes=False)


def explain(sandbox: Sandbox) -> Explanation:
    """What *sandbox* means for the agent that runs in it, here."""
    found = strength(sandbox)
    if sandbox == "bubblewrap":
        return Explanation(sandbox, found, _BUBBLEWRAP, _BUBBLEWRAP_OPEN, None)
    if sandbox == "landlock":
        confined, left = _landlock(found)
        return Explanation(sandbox, found, confined, left, _better())
    return Explanation(sandbox, found, (), _NONE_OPEN, _better())


_BUBBLEWRAP = (
    "files: only the folders it is given exist; the system is read-only",
    "network: only the model's endpoints can be reached",
    "processes: it sees its own only, and all of them end with it",
)
_BUBBLEWRAP_OPEN = ("the kernel itself: a hole in it is a hole in the sandbox",)
_NONE_OPEN = (
    "files: it reads and writes what you can",
    "network: it connects to anything",
    "processes: it sees and signals yours, and a detached one outlives it",
)


def _landlock(found: Strength) -> tuple[tuple[str, ...], tuple[str, ...]]:
    confined = [
        "files: only the folders it is given can be read or written; the system is read-only",
        "processes: all of them end with it",
    ]
    left = [
        "files: it sees that others exist, and can change the mode and times of yours",
        "processes: it sees their names and arguments",
        "unix sockets: it can connect to those that have a path",
    ]
    if found.network:
        confined.append("network: TCP only to the ports of the model's endpoints")
        left.append("network: those ports of any host, and UDP")
        if not seccomp.available():
            left.append("network: protocols other than TCP and UDP")
    else:
        left.append("network: it connects to anything; this kernel's Landlock is too old")
    if found.processes:
        confined.append("signals: they reach its own processes only")
    else:
        left.append("signals: they reach your processes; this kernel's Landlock is too old")
    return tuple(confined), tuple(left)


def _better() -> str:
    if sys.platform != "linux":
        return "none on this system; the agent's own sandbox is all there is"
    trouble = problem("bubblewrap")
    if trouble is None:
        return "use bubblewrap, which works here"
    if "install bubblewrap" in trouble:
        return "install bubblewrap"
    return f"allow unprivileged user namespaces, so that bubblewrap works (now: {trouble})"

"""What a sandbox confines and what it does not, in words for people."""

import sys
from dataclasses import dataclass
from typing import Literal, NamedTuple

from whet.shell import landlock, seccomp
from whet.shell.policy import Sandbox
from whet.shell.sandbox import problem

Hold = Literal["held", "limited", "open"]


class Row(NamedTuple):
    """One kind of attempt to get out, and what each sandbox makes of it.

    ``limited`` is what works until the watcher sees it and ends the agent.
    """

    attempt: str
    bubblewrap: Hold
    landlock: Hold
    version: int = 1
    """Of Landlock, from which on it is held."""

    filtered: frozenset[Sandbox] = frozenset()
    """The sandboxes that need a filter on system calls for it."""


_BOTH: frozenset[Sandbox] = frozenset({"bubblewrap", "landlock"})
_ONE: frozenset[Sandbox] = frozenset({"landlock"})

TABLE = (
    Row("read files of others", "held", "held"),
    Row("write, make or delete files of others", "held", "held", landlock.TRUNCATION_SINCE),
    Row("change mode, owner and times of files of others", "held", "open"),
    Row("see whether files of others exist", "held", "open"),
    Row("look into memory, environment and descriptors of other processes", "held", "held"),
    Row("see names and arguments of other processes", "held", "open"),
    Row("signal other processes", "held", "held", landlock.SIGNALS_SINCE),
    Row("set limits and priorities of other processes", "held", "held", filtered=_ONE),
    Row("use shared memory, queues and semaphores of others", "held", "held", filtered=_ONE),
    Row("read, add or ask for keys in the kernel", "held", "held", filtered=_BOTH),
    Row("connect to unix sockets with a path", "held", "held", filtered=_ONE),
    Row("connect to abstract unix sockets", "held", "held", filtered=_ONE),
    Row("connect by TCP to ports that were not given", "held", "held", landlock.NETWORK_SINCE),
    Row("connect to the model's port of other hosts", "held", "open"),
    Row("send and receive by UDP, and so reach name servers", "held", "open"),
    Row("open other kinds of sockets", "held", "held", filtered=_BOTH),
    Row("get privileges, namespaces or mounts", "held", "held", filtered=_BOTH),
    Row("load into, look into or set the kernel and the machine", "held", "held", filtered=_BOTH),
    Row("see how busy the machine is, and as root how its memory is used", "open", "open"),
    Row("get around the filter on system calls", "held", "held", filtered=_BOTH),
    Row("type into a terminal", "held", "held", filtered=_BOTH),
    Row("stay after the end, or put it off", "held", "held"),
    Row("write a larger file than the limit", "held", "held"),
    Row("use more processes and threads than the limit", "limited", "limited"),
    Row("use more memory than the limit", "limited", "limited", filtered=_BOTH),
    Row(
        "use memory that no process shows, such as shared memory that was let go of",
        "open",
        "open",
    ),
    Row(
        "fill the disk with many files, and keep the processors busy until its time is up",
        "open",
        "open",
    ),
)
"""What was tried, by kinds; the tests try it anew and compare. See ``docs/engines.md``."""


def hold(
    row: Row, sandbox: Sandbox, *, version: int | None = None, has_filter: bool | None = None
) -> Hold:
    """What *sandbox* makes of such attempts, with that Landlock or the one of this machine."""
    number = landlock.version() if version is None else version
    can_filter = seccomp.available() if has_filter is None else has_filter
    if sandbox == "none" or (sandbox in row.filtered and not can_filter):
        return "open"
    if sandbox == "landlock" and number < row.version:
        return "open"
    return row.bubblewrap if sandbox == "bubblewrap" else row.landlock


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
        return Explanation(sandbox, found, _BUBBLEWRAP, _left(sandbox), None)
    if sandbox == "landlock":
        return Explanation(sandbox, found, _landlock(found), _left(sandbox), _better())
    return Explanation(sandbox, found, (), _NONE_OPEN, _better())


_BUBBLEWRAP = (
    "files: only the folders it is given exist; the system is read-only",
    "network: only the model's endpoints can be reached",
    "processes: it sees its own only, and all of them end with it",
)
_LANDLOCK = (
    "files: only the folders it is given can be read or written; the system is read-only",
    "processes: all of them end with it",
)
_HOLE = "a hole in the kernel is a hole in the sandbox"
_NONE_OPEN = (
    "files: it reads and writes what you can",
    "network: it connects to anything",
    "processes: it sees and signals yours, and a detached one outlives it",
)


def _left(sandbox: Sandbox) -> tuple[str, ...]:
    """What of the table is not held here, as sentences about the agent."""
    words = {"open": "it can", "limited": "it can for a moment, until it is ended for it,"}
    found = [(hold(row, sandbox), row.attempt) for row in TABLE]
    said = [f"{words[how]} {attempt}" for how, attempt in found if how in words]
    return (*said, _HOLE)


def _landlock(found: Strength) -> tuple[str, ...]:
    confined = [*_LANDLOCK]
    if found.network:
        confined.append("network: TCP only to the ports of the model's endpoints")
    if found.processes:
        confined.append("signals: they reach its own processes only")
    return tuple(confined)


def _better() -> str:
    if sys.platform != "linux":
        return "none on this system; the agent's own sandbox is all there is"
    trouble = problem("bubblewrap")
    if trouble is None:
        return "use bubblewrap, which works here"
    if "install bubblewrap" in trouble:
        return "install bubblewrap"
    return f"allow unprivileged user namespaces, so that bubblewrap works (now: {trouble})"

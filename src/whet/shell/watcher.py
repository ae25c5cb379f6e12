"""Limits on what a whole family of processes uses; the kernel has them for one process only.

One thread for all of us looks at the table of processes twice a second while any limited
family lives. A thread, as a table with thousands of processes takes longer to read than the
event loop may stand still.
"""

import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from whet.shell import bubblewrap, family
from whet.shell.command import ResourceLimits

Exceeded = Literal["memory", "processes", "threads"]

_PERIOD = 0.5
_ROUNDS = 20
_PAUSE = 0.01
_PAGE = resource.getpagesize()


class Watched:
    """A family under limits."""

    def __init__(self, leader: int, limits: ResourceLimits) -> None:
        self.leader = leader
        self.limits = limits
        self.exceeded: Exceeded | None = None
        """The limit it was ended for."""

        self.over = False
        """Its numbers may soon be those of others."""


class Watcher:
    """Knows all limited families, and ends those that go beyond."""

    def __init__(self) -> None:
        self._families: dict[int, Watched] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(self, leader: int, limits: ResourceLimits) -> Watched:
        """From now on *leader* and all it starts must stay within *limits*."""
        watched = Watched(leader, limits)
        with self._lock:
            self._families[leader] = watched
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="limits", daemon=True)
                self._thread.start()
        return watched

    def forget(self, leader: int) -> None:
        """The process has ended. To be called while its number cannot be another's yet."""
        with self._lock:
            watched = self._families.pop(leader, None)
        if watched is not None:
            watched.over = True

    def _look(self) -> None:
        while True:
            time.sleep(_PERIOD)
            with self._lock:
                families = list(self._families.values())
                if not families:
                    self._thread = None
                    return
            table = family.Table()
            for watched in families:
                excess = _excess(table.family(watched.leader), watched.limits)
                if excess and not watched.over:
                    watched.exceeded = excess
                    _end(watched)


def limit(pid: int, limits: ResourceLimits) -> None:
    """Set what the kernel itself can limit, for a process that runs since a moment ago.

    What it starts from now on inherits that; what it has started already is looked for.
    """
    if sys.platform != "linux":
        return
    wishes = {resource.RLIMIT_FSIZE: limits.file_bytes, resource.RLIMIT_CORE: 0}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        # It is gone already, or became somebody else's, whom we may not limit.
        with suppress(ProcessLookupError, PermissionError):
            for kind, wish in wishes.items():
                _, hard = resource.prlimit(one, kind)
                number = wish if hard == resource.RLIM_INFINITY else min(wish, hard)
                resource.prlimit(one, kind, (number, number))
        with suppress(OSError):  # gone, or a kernel that does not say
            children = Path(f"/proc/{one}/task/{one}/children").read_text()
            waiting += map(int, children.split())


def _excess(members: list[family.Entry], limits: ResourceLimits) -> Exceeded | None:
    if len(members) > limits.processes:
        return "processes"
    if sum(entry.threads for entry in members) > limits.threads:
        return "threads"
    # What is shared is in this sum many times, so the exact number is asked for when it
    # matters; the kernel takes its time to find that out.
    files = _files_in_memory(members)
    if sum(entry.pages for entry in members) * _PAGE + files <= limits.memory_bytes:
        return None
    used = [_proportional(entry) for entry in members]
    # Files in memory that are mapped are in both numbers.
    shared = max(files, sum(one.shared for one in used))
    return "memory" if sum(one.own for one in used) + shared > limits.memory_bytes else None


class _Memory(NamedTuple):
    """Resident bytes of a process, those that are shared divided by the number of sharers."""

    own: int
    shared: int
    """Of files in memory."""


def _proportional(entry: family.Entry) -> _Memory:
    found = {b"Pss": 0, b"Pss_Shmem": 0}
    try:
        with open(f"/proc/{entry.pid}/smaps_rollup", "rb") as file:  # noqa: PTH123 (hot)
            for line in file:
                name, _, rest = line.partition(b":")
                if name in found:
                    found[name] = int(rest.split()[0]) * 1024
    except ProcessLookupError:
        return _Memory(0, 0)
    except OSError:  # not for us to see
        return _Memory(entry.pages * _PAGE, 0)
    return _Memory(found[b"Pss"] - found[b"Pss_Shmem"], found[b"Pss_Shmem"])


def _files_in_memory(members: list[family.Entry]) -> int:
    """Bytes in the file systems in memory that bubblewrap makes, and that end with it.

    Until it has made them, a process that bubblewrap starts sees the machine's own folders, whose
    disk may hold any number of bytes.
    """
    total = 0
    known = {_file_systems(os.getpid())}
    for entry in members:
        with suppress(OSError):  # gone, or not for us to see
            place = _file_systems(entry.pid)
            if place not in known:
                known.add(place)
                for folder in bubblewrap.IN_MEMORY:
                    seen = f"/proc/{entry.pid}/root{folder}"
                    if os.stat(seen).st_dev != os.stat(folder).st_dev:  # noqa: PTH116 (hot)
                        room = os.statvfs(seen)
                        total += (room.f_blocks - room.f_bfree) * room.f_frsize
    return total


def _file_systems(pid: int) -> int:
    """Which file systems a process sees; the same number means the same ones."""
    return os.stat(f"/proc/{pid}/ns/mnt").st_ino  # noqa: PTH116 (hot)


def _end(watched: Watched) -> None:
    """Kill everybody, and the leader last: until then its descendants can be found.

    In bubblewrap the leader's child is the first process of the namespace, and the kernel
    ends all others with it, however fast they multiply. Elsewhere a group dies at once, too.
    """
    leader = watched.leader
    for _ in range(_ROUNDS):
        table = family.Table()
        if watched.over:
            return
        for child in table.children(leader):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child.pid, signal.SIGKILL)
        others = family.groups(leader, table) - {leader}
        if not others:
            break
        family.send(signal.SIGKILL, others)
        time.sleep(_PAUSE)
    if not watched.over:
        family.send(signal.SIGKILL, [leader])


WATCHER = Watcher()

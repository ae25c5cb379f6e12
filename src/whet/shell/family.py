"""Finding and ending everything a process has started; also the guard's whole program.

Run as a script it is the guard: it reads from its standard input which processes live, and
when that input ends, however its writer died, it ends those that are left. It therefore
imports nothing but the standard library.
"""

import contextlib
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

_GUARD_GRACE = 0.3


class Entry(NamedTuple):
    """One line of the process table."""

    pid: int
    parent: int
    group: int
    session: int
    threads: int
    pages: int
    """Of resident memory."""


class Table:
    """All processes of the machine as they were at one moment; empty if not on Linux."""

    def __init__(self) -> None:
        self._entries = {entry.pid: entry for entry in map(_entry, _pids()) if entry}
        self._children: defaultdict[int, list[Entry]] = defaultdict(list)
        self._sessions: defaultdict[int, list[Entry]] = defaultdict(list)
        for entry in self._entries.values():
            self._children[entry.parent].append(entry)
            self._sessions[entry.session].append(entry)

    def children(self, pid: int) -> list[Entry]:
        """Those whose parent is *pid*."""
        return self._children.get(pid, [])

    def family(self, leader: int) -> list[Entry]:
        """*leader*, its descendants and its session with all descendants of that."""
        found: dict[int, Entry] = {}
        waiting = [*self._sessions.get(leader, []), *self.children(leader)]
        if leader in self._entries:
            waiting.append(self._entries[leader])
        while waiting:
            entry = waiting.pop()
            if entry.pid not in found:
                found[entry.pid] = entry
                waiting += self.children(entry.pid)
        return list(found.values())


def groups(leader: int, table: Table | None = None) -> set[int]:
    """The process groups of *leader*, which leads one itself, and of all its descendants.

    Agents give commands they run a group or session of their own, so the leader's group is
    not all. Descendants are known on Linux only, and only while their parents live.
    """
    found = {entry.group for entry in (table or Table()).family(leader)}
    return (found | {leader}) - {0, 1, os.getpgrp()}


def held(leader: int) -> set[int]:
    """The groups of the family of *leader*, each of them stopped.

    Between a count and a signal somebody may move to a group of its own and be missed; who is
    stopped does not. It goes on with ``SIGCONT``, or dies with ``SIGKILL``.
    """
    known: set[int] = set()
    while new := groups(leader) - known:
        send(signal.SIGSTOP, new)
        known |= new
    return known


def send(signal_number: signal.Signals, to: Iterable[int]) -> None:
    """Signal every process of these groups; those that are gone are no error."""
    for group in to:
        # Where a group has only dead members left, some systems say "not permitted".
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal_number)


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    except FileNotFoundError:  # no such file system
        return []


def _entry(pid: int) -> Entry | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:  # noqa: PTH123 (hot)
            stat = file.read(1024)
    except OSError:  # it has just gone
        return None
    # The name, in parentheses, may hold anything; numbers start after it.
    fields = stat.rpartition(b")")[2].split()
    numbers = (int(fields[place]) for place in (1, 2, 3, 17, 21))
    return Entry(pid, *numbers)


def _guard(messages: Iterable[bytes]) -> None:
    """Keep the set of living leaders (``+pid`` and ``-pid``), and end it after the last word."""
    living: set[int] = set()
    for message in messages:
        change = living.add if message.startswith(b"+") else living.discard
        change(int(message[1:]))
    families = set[int]().union(*map(held, living))
    if families:
        send(signal.SIGTERM, families)
        send(signal.SIGCONT, families)
        time.sleep(_GUARD_GRACE)
        send(signal.SIGKILL, families.union(*map(groups, living)))


if __name__ == "__main__":
    _guard(sys.stdin.buffer)

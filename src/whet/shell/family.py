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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_GUARD_GRACE = 0.3


class _Entry(NamedTuple):
    """One line of the process table."""

    pid: int
    parent: int
    group: int
    session: int


def groups(leader: int) -> set[int]:
    """The process groups of *leader*, which leads one itself, and of all its descendants.

    Agents give commands they run a group or session of their own, so the leader's group is
    not all. Descendants are known on Linux only, and only while their parents live.
    """
    table = list(_table())
    relatives, found = {leader}, {leader}
    grown = True
    while grown:
        before = len(relatives)
        for entry in table:
            if entry.parent in relatives or entry.session == leader:
                relatives.add(entry.pid)
                found.add(entry.group)
        grown = len(relatives) > before
    return found - {0, 1, os.getpgrp()}


def send(signal_number: signal.Signals, to: Iterable[int]) -> None:
    """Signal every process of these groups; those that are gone are no error."""
    for group in to:
        # Where a group has only dead members left, some systems say "not permitted".
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal_number)


def _table() -> Iterator[_Entry]:
    with contextlib.suppress(FileNotFoundError):  # no such file system
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with contextlib.suppress(OSError):  # it has just gone
                    stat = (folder / "stat").read_text(errors="replace")
                    # The name, in parentheses, may hold anything; numbers start after it.
                    _, parent, group, session = stat.rpartition(")")[2].split()[:4]
                    yield _Entry(int(folder.name), int(parent), int(group), int(session))


def _guard(messages: Iterable[bytes]) -> None:
    """Keep the set of living leaders (``+pid`` and ``-pid``), and end it after the last word."""
    living: set[int] = set()
    for message in messages:
        change = living.add if message.startswith(b"+") else living.discard
        change(int(message[1:]))
    families = set[int]().union(*map(groups, living))
    if families:
        send(signal.SIGTERM, families)
        time.sleep(_GUARD_GRACE)
        send(signal.SIGKILL, families.union(*map(groups, living)))


if __name__ == "__main__":
    _guard(sys.stdin.buffer)

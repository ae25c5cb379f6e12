"""Finding session logs: in a folder of anybody's, or where agents keep their history."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from whet.core.errors import NotFound, WhetError
from whet.ports.machine import Machine
from whet.ports.reader import Reader
from whet.readers.moments import file_time
from whet.readers.recognition import head_of

MOST_FILES = 50_000
"""Files that are looked into, at most."""

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".db", ".sqlite")
_LEFT_OUT = {"node_modules", ".git", ".venv", "__pycache__"}
_HOMES = (
    ("claude", "CLAUDE_CONFIG_DIR", ".claude", ("projects",)),
    ("codex", "CODEX_HOME", ".codex", ("sessions", "archived_sessions")),
    ("gemini", "GEMINI_CLI_HOME", ".gemini", ("tmp",)),
    ("opencode", "XDG_DATA_HOME", ".local/share", ("opencode",)),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that a reader recognises."""

    path: Path
    format: str
    """The name of the reader."""

    size: int
    modified: datetime


def candidates(path: Path, readers: Sequence[Reader]) -> tuple[Candidate, ...]:
    """The session logs in a file or below a folder, newest first; raises ``NotFound``.

    A file is known by its content. Files of subagents that are read along with another are left
    out. No link is followed, and what cannot be read is passed over.
    """
    return looked_through(path, readers).candidates


class LookedThrough(NamedTuple):
    """What is in a folder."""

    candidates: tuple[Candidate, ...]
    """Newest first."""

    unrecognised: tuple[Path, ...]
    """Files that are no session logs, nor of a subagent whose log is there; by name."""


def looked_through(path: Path, readers: Sequence[Reader]) -> LookedThrough:
    """As ``candidates`` does, and tells what else is there."""
    if not path.exists():
        raise NotFound(f"{path}: no such file or folder")
    alone = path.is_file()
    found: list[Candidate] = []
    others: list[Path] = []
    for file in [path] if alone else _files(path):
        each = _candidate(file, readers, alone=alone)
        if isinstance(each, Candidate):
            found.append(each)
        elif not each:
            others.append(file)
    newest = sorted(found, key=lambda each: (each.modified, str(each.path)), reverse=True)
    return LookedThrough(tuple(newest), tuple(others))


def histories(machine: Machine) -> tuple[tuple[str, Path], ...]:
    """Where agents keep their history on this machine, by the agent, as far as it is there."""
    places: list[tuple[str, Path]] = []
    for agent, variable, usual, folders in _HOMES:
        named = machine.environment.get(variable)
        home = Path(named) if named else machine.home / usual
        if named and agent == "gemini":
            home = home / usual  # the variable names what stands for the user's home
        places += [(agent, home / folder) for folder in folders]
    return tuple((agent, place) for agent, place in places if place.is_dir())


def _files(folder: Path) -> Iterator[Path]:
    looked = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(names):
            looked += name.endswith(_SUFFIXES)
            if looked > MOST_FILES:
                return
            yield Path(place, name)


def _candidate(file: Path, readers: Sequence[Reader], *, alone: bool) -> Candidate | bool:
    """The log that a file is; else whether it belongs to another one."""
    if not alone and not file.name.endswith(_SUFFIXES):
        return False
    try:
        status = file.stat() if alone else file.lstat()
        if not stat.S_ISREG(status.st_mode):
            return False
        head = head_of(file)
    except (WhetError, OSError):
        return False
    for reader in readers:
        if reader.recognises(head):
            if not alone and reader.belongs(head):
                return True
            return Candidate(file, reader.name, status.st_size, file_time(status.st_mtime))
    return False

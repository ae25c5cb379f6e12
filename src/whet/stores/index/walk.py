"""The folders of versions and projects, and which of them are not as they were."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from whet.ports.listing import Kind
from whet.stores.index.look import stamped

Table = Literal["versions", "projects"]
"""Of the index, for each sort of folder."""

KINDS: tuple[Kind, ...] = ("skill", "baseline")


class Spot(NamedTuple):
    """A folder of a version or project, or something in the way; *path* is relative to the
    workspace."""

    path: str
    problem: str = ""

    @property
    def kind(self) -> Kind:
        """Of the asset, where it is a version."""
        return "skill" if self.path.startswith("skills") else "baseline"


class Known(NamedTuple):
    """A folder as the index has it."""

    watched: str
    stamps: bytes
    is_young: bool
    problem: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Between the files and the index."""

    new: tuple[Spot, ...]
    """Not known, or not as they are known, or too young when they were read."""

    gone: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is none."""
        return not self.new and not self.gone


@dataclass(slots=True)
class Counts:
    """Folders that are not as they were."""

    added: int = 0
    changed: int = 0
    removed: int = 0


def difference(
    connection: sqlite3.Connection,
    workspace: Path,
    table: Table,
    earlier: Difference | None = None,
) -> Difference:
    """What is to be read and what to be dropped.

    With an *earlier* look, only what was new in it or is not known now is looked at again.
    """
    known = {
        path: Known(*rest)
        for path, *rest in connection.execute(
            f"SELECT path, watched, stamps, is_young, problem FROM {table}"
        )
    }
    suspects = None if earlier is None else {spot.path for spot in earlier.new}
    new: list[Spot] = []
    root = str(workspace)
    for spot in _SPOTS[table](workspace):
        before = known.pop(spot.path, None)
        if before is not None and suspects is not None and spot.path not in suspects:
            continue
        if before is None or not _is_same(spot, before, root):
            new.append(spot)
    return Difference(tuple(sorted(new)), tuple(known))


def spots(workspace: Path) -> Iterator[Spot]:
    """Every folder of a version. What begins with a dot is somebody's unfinished work."""
    for kind in KINDS:
        shelf = f"{kind}s"
        for purpose in _folders(workspace, shelf):
            if purpose.problem:
                yield purpose
                continue
            for provider in _folders(workspace, purpose.path):
                if provider.problem:
                    yield provider
                    continue
                yield from _folders(workspace, provider.path, f"{kind}_")


def project_spots(workspace: Path) -> Iterator[Spot]:
    """Every folder of a project."""
    return _folders(workspace, "projects", "project_")


_SPOTS: Mapping[Table, Callable[[Path], Iterator[Spot]]] = {
    "versions": spots,
    "projects": project_spots,
}


def _folders(workspace: Path, above: str, prefix: str = "") -> Iterator[Spot]:
    try:
        with os.scandir(workspace / above) as entries:
            found = list(entries)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Spot(above, error.strerror or "cannot be read")
        return
    for entry in found:
        name = entry.name
        if name.startswith(".") or not name.startswith(prefix):
            continue
        path = f"{above}/{name}"
        shown = path if name.isascii() else _printable(path)
        if entry.is_dir(follow_symlinks=False):
            yield Spot(shown, "" if shown == path else "its name is no UTF-8")
        elif entry.is_symlink():
            yield Spot(shown, "is a link, which is not followed")


def _is_same(spot: Spot, known: Known, root: str) -> bool:
    if spot.problem or not known.watched:
        return bool(spot.problem) and spot.problem == known.problem
    if known.is_young:
        return False
    stamps, _ = stamped(f"{root}/{spot.path}", known.watched.split("\0"))
    return stamps == known.stamps


def _printable(path: str) -> str:
    return os.fsencode(path).decode(errors="backslashreplace")

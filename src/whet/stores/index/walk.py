"""The folders of versions in a workspace, and which of them are not as they were."""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from whet.ports.listing import Kind
from whet.stores.index.folder import stamped

KINDS: tuple[Kind, ...] = ("skill", "baseline")


class Spot(NamedTuple):
    """A folder of a version, or something in the way; *path* is relative to the workspace."""

    path: str
    kind: Kind
    problem: str = ""


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


def difference(
    connection: sqlite3.Connection, workspace: Path, earlier: Difference | None = None
) -> Difference:
    """What is to be read and what to be dropped.

    With an *earlier* look, only what was new in it or is not known now is looked at again.
    """
    known = {
        path: Known(*rest)
        for path, *rest in connection.execute(
            "SELECT path, watched, stamps, is_young, problem FROM versions"
        )
    }
    suspects = None if earlier is None else {spot.path for spot in earlier.new}
    new: list[Spot] = []
    root = str(workspace)
    for spot in spots(workspace):
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
        for purpose in _folders(workspace, shelf, kind):
            if purpose.problem:
                yield purpose
                continue
            for provider in _folders(workspace, purpose.path, kind):
                if provider.problem:
                    yield provider
                    continue
                yield from _folders(workspace, provider.path, kind, f"{kind}_")


def _folders(workspace: Path, above: str, kind: Kind, prefix: str = "") -> Iterator[Spot]:
    try:
        with os.scandir(workspace / above) as entries:
            found = list(entries)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Spot(above, kind, error.strerror or "cannot be read")
        return
    for entry in found:
        name = entry.name
        if name.startswith(".") or not name.startswith(prefix):
            continue
        path = f"{above}/{name}"
        shown = path if name.isascii() else _printable(path)
        if entry.is_dir(follow_symlinks=False):
            yield Spot(shown, kind, "" if shown == path else "its name is no UTF-8")
        elif entry.is_symlink():
            yield Spot(shown, kind, "is a link, which is not followed")


def _is_same(spot: Spot, known: Known, root: str) -> bool:
    if spot.problem or not known.watched:
        return bool(spot.problem) and spot.problem == known.problem
    if known.is_young:
        return False
    stamps, _ = stamped(f"{root}/{spot.path}", known.watched.split("\0"))
    return stamps == known.stamps


def _printable(path: str) -> str:
    return os.fsencode(path).decode(errors="backslashreplace")

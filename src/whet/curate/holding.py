"""Every version of one asset, found by its id wherever its purpose and provider put it."""

import contextlib
import itertools
import json
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from whet.core.errors import NotFound, UsageError
from whet.core.naming import short
from whet.curate import library
from whet.curate.locks import locked
from whet.curate.places import PARTS, Wanted, no_link, version_folders
from whet.curate.segments import shown
from whet.curate.snapshot import AnyAsset
from whet.documents.files import UNFINISHED

_NUMBER = re.compile(r"_v([0-9]{1,9})$")
_REGULAR = "[0-9a-f]{8}_v[0-9]{1,9}"


@dataclass(frozen=True)
class Holding:
    """Every version of one asset that can be read, oldest first."""

    versions: tuple[AnyAsset, ...]
    problems: tuple[str, ...]
    """What cannot be read and why, of folders that may belong to it."""

    broken: tuple[Path, ...] = ()
    """Those folders."""

    @property
    def newest(self) -> AnyAsset:
        """The version that edits start from; ``UsageError`` where a later one is unreadable."""
        newest = self.versions[-1]
        for folder in self.broken:
            found = _NUMBER.search(folder.name)
            if found and int(found[1]) > number(newest):
                raise UsageError(f"{folder} cannot be read; repair it or move it elsewhere first")
        return newest

    def version(self, name: str) -> AnyAsset:
        """The version of that name, ``v2``."""
        for asset in self.versions:
            if asset.meta.version == name:
                return asset
        known = ", ".join(asset.meta.version for asset in self.versions)
        called = self.versions[-1].meta.name
        raise NotFound(f"{called!r} has no version {shown(name)}; it has {known}")


def number(asset: AnyAsset) -> int:
    """The number of a version."""
    return int(asset.meta.version[1:])


def holding(workspace: Path, identity: str) -> Holding:
    """What there is of an asset, be it a skill or a baseline."""
    found = _holding(workspace, identity)
    if not found.versions:
        # Somebody may have given its folder the name of another asset.
        found = _holding(workspace, identity, whatever_name=True)
    if not found.versions:
        broken = f"; not readable: {found.problems[0]}" if found.problems else ""
        raise NotFound(f"no asset {shown(identity)} in the library{broken}")
    if len({type(asset.meta) for asset in found.versions}) > 1:
        raise UsageError(f"{identity} is the id of a skill and of a baseline")
    return found


@contextmanager
def held(workspace: Path, identity: str) -> Generator[Holding]:
    """The asset, with its lock: while it is held nobody else changes it."""
    holding(workspace, identity)  # or else there is nothing to lock
    with locked(workspace, identity):
        found = holding(workspace, identity)
        for name in PARTS:
            no_link(found.newest.folder / name)
        _sweep(found.newest.folder)
        yield found


def _holding(workspace: Path, identity: str, *, whatever_name: bool = False) -> Holding:
    own = partial(_own, identity=identity, whatever_name=whatever_name)
    skills = library.skills(workspace, own("skill"))
    baselines = library.baselines(workspace, own("baseline"))
    every: tuple[AnyAsset, ...] = (*skills.assets, *baselines.assets)
    problems = (*skills.problems, *baselines.problems)
    named = sorted((asset for asset in every if asset.meta.id == identity), key=number)
    # Of a version that lies in two folders the first one counts, as it does in lists.
    found = tuple(next(twins) for _, twins in itertools.groupby(named, key=number))
    broken: tuple[Path, ...] = ()
    if found and problems:
        shelf = found[0].folder.parents[2]
        kind = shelf.name.removesuffix("s")
        readable = {asset.folder for asset in every}
        folders, links = version_folders(shelf, own(kind))
        broken = tuple(folder for folder in (*folders, *links) if folder not in readable)
    return Holding(found, problems, broken)


def _sweep(folder: Path) -> None:
    """Remove what killed writers left unfinished: who holds the lock is the only writer."""
    for place in (folder, folder / "auto_tag_log"):
        for path in place.glob(UNFINISHED):
            with contextlib.suppress(OSError):  # it is in nobody's way
                path.unlink()


def _own(kind: str, identity: str, *, whatever_name: bool) -> Wanted:
    """Folders that are called as versions of the asset are, and those that other programs or
    people called otherwise and whose metadata names it; *whatever_name* also where the name is one
    of ours."""
    start = f"{kind}_{short(identity)}_v"
    # A name of ours tells whose version it is; only other names are worth a look into the folder.
    likely = re.compile(rf"{kind}_(?:{re.escape(short(identity))}_v|(?!{_REGULAR}$))").match

    def wanted(entry: os.DirEntry[str]) -> bool:
        name = entry.name
        if not whatever_name and not likely(name):
            return False
        if name.startswith(start):
            return True
        return not entry.is_symlink() and _is_named(Path(entry.path), identity)

    return wanted


def _is_named(folder: Path, identity: str) -> bool:
    path = folder / "meta.json"
    try:
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    except OSError:
        return False
    forms = (identity, json.dumps(identity)[1:-1])
    return any(form.encode(errors="replace") in data for form in forms)

"""Every version of one asset, found by its id wherever its purpose and provider put it."""

import glob
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import NotFound, UsageError
from whet.core.naming import short
from whet.curate import library
from whet.curate.locks import locked
from whet.curate.places import PARTS, no_link, version_folders
from whet.curate.segments import shown
from whet.curate.snapshot import AnyAsset

_NUMBER = re.compile(r"_v([0-9]{1,9})$")


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
    start = glob.escape(short(identity))
    found = _holding(workspace, identity, f"{start}_v*")
    # Folders that other programs made may be called otherwise.
    found = found if found.versions else _holding(workspace, identity, "*")
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
        yield found


def _holding(workspace: Path, identity: str, pattern: str) -> Holding:
    skills = library.skills(workspace, f"skill_{pattern}")
    baselines = library.baselines(workspace, f"baseline_{pattern}")
    every: tuple[AnyAsset, ...] = (*skills.assets, *baselines.assets)
    problems = (*skills.problems, *baselines.problems)
    found = tuple(sorted((a for a in every if a.meta.id == identity), key=number))
    broken: tuple[Path, ...] = ()
    if found and problems:
        shelf = found[0].folder.parents[2]
        kind = found[0].folder.name.partition("_")[0]
        readable = {asset.folder for asset in every}
        folders, links = version_folders(shelf, f"{kind}_{pattern}")
        broken = tuple(folder for folder in (*folders, *links) if folder not in readable)
    return Holding(found, problems, broken)

"""Folders for executions, in a scratch root outside the workspace, and what is kept of them.

Every trial passes here twice; paths are plain strings because path objects cost as much as the
system calls do.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whet.core.address import digest_bytes
from whet.core.errors import EnvironmentProblem
from whet.core.files import FileRef
from whet.core.redaction import NOTHING, Redactor
from whet.core.trial import TrialSpec
from whet.documents.files import lock_new_folder, remove_unlocked
from whet.ports.blobs import Blobs
from whet.ports.workdir import Workdir

MOST_FILES = 2_000
MOST_BYTES = 64 * 1024 * 1024
"""An agent that produces more than this has the rest cut off, and the record says so."""

_OWNER = re.compile(r"[0-9]+-[0-9a-f]{12}")
NEWBORN_SECONDS = 5
"""A scratch folder younger than this may not have its lock yet."""


@dataclass(frozen=True)
class Kept:
    """Files an agent created or changed, read before its folder goes."""

    files: dict[str, bytes]
    created: tuple[str, ...]
    modified: tuple[str, ...]
    cut: bool
    deleted: tuple[str, ...] = ()
    """Input files that are gone."""

    def refs(self) -> tuple[FileRef, ...]:
        """The files as values."""
        return tuple(
            FileRef(path=path, digest=digest_bytes(data), size=len(data))
            for path, data in self.files.items()
        )


class Scratch:
    """Makes a fresh folder for every execution of one owner, and removes all with ``close``.

    As long as its process lives it holds a lock on its own folder, so that ``sweep`` can tell
    what a killed process left behind.
    """

    def __init__(self, root: Path, blobs: Blobs) -> None:
        self._root = root
        self._blobs = blobs
        try:
            root.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = lock_new_folder(root)
        except OSError as error:
            raise EnvironmentProblem(f"cannot make the scratch folder {root}: {error}") from error

    @contextmanager
    def workdir(self, name: str, spec: TrialSpec) -> Generator[Workdir]:
        """A folder with the input files and copies of the skills, for the time of the block."""
        root = f"{self._root}/{name}"
        skill = f"{root}/skill" if spec.skill else None
        beside = [f"{root}/neighbours/{number}" for number in range(len(spec.neighbours))]
        try:
            try:
                os.mkdir(root)
                fill(f"{root}/work", spec.stimulus.files, self._blobs)
                if spec.skill and skill:
                    fill(skill, spec.skill.files, self._blobs)
                if beside:
                    os.mkdir(f"{root}/neighbours")
                for folder, neighbour in zip(beside, spec.neighbours, strict=True):
                    fill(folder, neighbour.files, self._blobs)
            except OSError as error:
                raise EnvironmentProblem(f"cannot fill the folder {root}: {error}") from error
            where = Path(skill) if skill else None
            yield Workdir(Path(root), Path(root, "work"), where, tuple(map(Path, beside)))
        finally:
            remove(root)

    def close(self) -> None:
        """Remove everything."""
        remove(str(self._root))
        os.close(self._lock)


def fill(folder: str, files: tuple[FileRef, ...], blobs: Blobs) -> None:
    """Lay *files* into a folder, which is made if it is not there."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)
    for file in files:
        path = f"{folder}/{file.path}"
        if "/" in file.path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as target:
            target.write(blobs.get(file.digest))


def sweep(folder: Path, now: float) -> None:
    """Remove what killed processes left in a scratch folder, of whichever workspace.

    A person may have chosen a folder with other things in it: only what bears an owner's name
    is looked at.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _OWNER.fullmatch(entry.name) and not _is_newborn(entry, now):
                remove_unlocked(Path(entry.path))


def _is_newborn(entry: os.DirEntry[str], now: float) -> bool:
    return now - entry.stat(follow_symlinks=False).st_mtime < NEWBORN_SECONDS


def keep(workdir: Workdir, given: tuple[FileRef, ...], redactor: Redactor = NOTHING) -> Kept:
    """Read what the agent created or changed; links are not followed, nothing else is read.

    What cannot be read or named counts as cut off: an agent may have locked or removed it.
    """
    before = {file.path: file.digest for file in given}
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    cut = False
    gone = set(before)
    for path, size in _walk(str(workdir.work)):
        gone = _still_gone(gone, path)
        if len(files) >= MOST_FILES or size > left or not _can_be_named(path):
            cut = True
            continue
        try:
            with open(f"{workdir.work}/{path}", "rb") as source:
                data = source.read()
        except OSError:
            cut = True
            continue
        if path in before and digest_bytes(data) == before[path]:
            continue
        name = redactor.text(path)
        if name in files:  # two names that differ in the secret only
            cut = True
            continue
        files[name] = redactor.data(data)
        left -= len(data)
    created = tuple(path for path in files if path not in before)
    changed = tuple(path for path in files if path in before)
    return Kept(files, created, changed, cut, tuple(sorted(gone)))


def _still_gone(gone: set[str], path: str) -> set[str]:
    """*gone* without what is there at *path*: a file, or a folder that nobody could look into."""
    if path and not path.endswith("/"):
        gone.discard(path)
        return gone
    return {one for one in gone if not one.startswith(path)}


def _can_be_named(path: str) -> bool:
    """A backslash separates folders elsewhere; what is not UTF-8 fits into no document."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\\" not in path


def _walk(folder: str) -> Iterator[tuple[str, int]]:
    """Regular files below *folder* as relative path and size, in order of name.

    No recursion: an agent may nest folders as deeply as it likes. It may also have put a link in
    the place of *folder*.
    """
    prefixes = [""]
    while prefixes:
        prefix = prefixes.pop()
        try:
            if not prefix and os.path.islink(folder):
                raise NotADirectoryError(folder)
            with os.scandir(f"{folder}/{prefix}") as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            yield prefix, MOST_BYTES + 1
            continue
        for entry in found:
            if entry.is_file(follow_symlinks=False):
                yield prefix + entry.name, entry.stat(follow_symlinks=False).st_size
        below = [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
        prefixes += [f"{prefix}{name}/" for name in reversed(below)]


def remove(folder: str) -> None:
    """Remove a folder, or a file; nobody is at work there any more, so the plain way is safe and
    quick."""
    folders = [folder]
    try:
        if os.path.islink(folder):  # an agent may have put it there; what it leads to is not ours
            os.unlink(folder)
            return
        for each in folders:
            with os.scandir(each) as entries:
                found = list(entries)
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    os.unlink(entry.path)
        for each in reversed(folders):
            os.rmdir(each)
    except NotADirectoryError:
        with contextlib.suppress(OSError):
            os.unlink(folder)
    except OSError:
        with contextlib.suppress(RecursionError):
            shutil.rmtree(folder, ignore_errors=True)

"""A folder that several executions share, one after the other: turns of one conversation.

An agent finds its conversation by the path of its folder, and its prompt names files in there. So
all turns happen at one path. Between them what the folder had is kept elsewhere, as it was at the
end of a turn: whoever has to take a turn again, as the process died, begins with just that.
"""

import contextlib
import fcntl
import os
import shutil
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from whet.core.errors import EnvironmentProblem
from whet.core.files import FileRef
from whet.core.redaction import Redactor
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.ports.blobs import Blobs
from whet.ports.workdir import Workdir
from whet.run.workdir import Kept, fill, remove

MOST_BYTES = 256 * 1024 * 1024
MOST_ENTRIES = 20_000
"""Of what is kept between two turns."""

_HOME = "home"
_KEPT = ("work", _HOME)


class Redactors(NamedTuple):
    """Take secrets out of what is kept of an execution."""

    work: Redactor
    """For what the agent says and makes."""

    home: Redactor
    """For its home, where its program has all its options in files, mere words among them."""


def _nobody(_step: Step) -> None:
    """Nobody listens."""


def _nothing(_ended: Ended, _workdir: Workdir, _kept: Kept, _clean: Redactors) -> None:
    """Nothing is kept."""


@dataclass(frozen=True)
class Stay:
    """One turn: where it happens, what it goes on from, and who hears of it."""

    root: Path
    """The same for all turns."""

    folders: tuple[str, ...] = ()
    """That an agent finds in its working folder, empty at first."""

    origin: Path | None = None
    """What the turn before left; None for the first."""

    conversation: str | None = None
    given: tuple[FileRef, ...] = ()
    """All files that the agent was given, in this turn or before: they are no output of its."""

    heard: Callable[[Step], None] = field(default=_nobody, repr=False)
    leaving: Callable[[Ended, Workdir, Kept, Redactors], None] = field(default=_nothing, repr=False)
    """Called while the folder is still there, and before anything is recorded."""


@contextmanager
def lodged(stay: Stay, spec: TrialSpec, blobs: Blobs) -> Generator[Workdir]:
    """The folders of a turn, for the time of the block."""
    root = str(stay.root)
    skill = f"{root}/skill" if spec.skill else None
    lock = _locked(stay.root)
    try:
        try:
            if stay.origin is not None:
                for name in _KEPT:
                    _copy(stay.origin / name, stay.root / name, None)
                for file in spec.stimulus.files:
                    _clear_way(stay.root / "work", file.path)
            fill(f"{root}/work", spec.stimulus.files, blobs)
            for folder in stay.folders:
                _clear_way(stay.root / "work", f"{folder}/")
                (stay.root / "work" / folder).mkdir(parents=True, exist_ok=True)
            if spec.skill and skill:
                fill(skill, spec.skill.files, blobs)
        except OSError as error:
            raise EnvironmentProblem(f"cannot fill the folder {root}: {error}") from error
        yield Workdir(stay.root, stay.root / "work", Path(skill) if skill else None)
    finally:
        remove(root)
        os.close(lock)


def preserve(
    workdir: Workdir, target: Path, redactor: Redactor, home: Redactor | None = None
) -> None:
    """Keep what a turn leaves for the next one, whole or not at all, and without secrets; those of
    the agent's *home* may be more."""
    new = target.with_name(f"{target.name}.new")
    try:
        remove(str(new))
        new.mkdir(parents=True, mode=0o700)
        for name in _KEPT:
            is_home = name == _HOME and home is not None
            _copy(workdir.root / name, new / name, home if is_home else redactor)
        remove(str(target))
        new.rename(target)
        _sync(target.parent)
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep the folder of a turn: {error}") from error


def _locked(root: Path) -> int:
    """Make the folder anew and hold it, so that a sweep can tell that it is in use."""
    try:
        root.mkdir(parents=True, mode=0o700, exist_ok=True)
        lock = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise EnvironmentProblem(f"cannot make the folder {root}: {error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise EnvironmentProblem(f"another process is at work in {root}") from None
    for path in list(root.iterdir()):  # of a process that was killed
        remove(str(path))
    return lock


def _clear_way(work: Path, path: str) -> None:
    """Make room for a file of ours where the agent could write before: a link there would lead it
    out, and a folder or a file would be in its way. A path that ends with a slash is a folder."""
    *folders, name = path.split("/")
    place = work
    for each in folders:
        place /= each
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            remove(str(place))
    if name and ((place / name).is_symlink() or (place / name).is_dir()):
        remove(str(place / name))


def _copy(source: Path, target: Path, redactor: Redactor | None) -> None:
    """A folder with its files and links; whatever else there is has no meaning later on."""
    left, entries = MOST_BYTES, MOST_ENTRIES
    target.mkdir(mode=0o700)
    for entry, path in _walk(str(source)):
        place, mode = target / path, entry.stat(follow_symlinks=False).st_mode
        entries -= 1
        if stat.S_ISREG(mode):
            left -= entry.stat(follow_symlinks=False).st_size
        if left < 0 or entries < 0:
            raise OSError(f"it has more than {MOST_BYTES >> 20} MiB or {MOST_ENTRIES} entries")
        if stat.S_ISLNK(mode):
            place.symlink_to(Path(entry.path).readlink())
        elif stat.S_ISDIR(mode):
            place.mkdir()
        elif stat.S_ISREG(mode):
            _copy_file(Path(entry.path), place, redactor)
            place.chmod(stat.S_IMODE(mode) | stat.S_IRUSR | stat.S_IWUSR)


def _copy_file(source: Path, target: Path, redactor: Redactor | None) -> None:
    if redactor is None:
        shutil.copyfile(source, target, follow_symlinks=False)
        return
    with source.open("rb") as file, target.open("xb") as copy:
        copy.write(redactor.data(file.read()))
        copy.flush()
        os.fsync(copy.fileno())


def _walk(folder: str) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Everything below *folder* with its relative path, folders before what is in them."""
    prefixes = [] if Path(folder).is_symlink() else [""]
    while prefixes:
        prefix = prefixes.pop()
        with contextlib.suppress(FileNotFoundError), os.scandir(f"{folder}/{prefix}") as entries:
            for entry in list(entries):
                yield entry, prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    prefixes.append(f"{prefix}{entry.name}/")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

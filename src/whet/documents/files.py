"""Files on disk: whole or not at all."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from errno import ENOTDIR
from pathlib import Path

from whet.core.errors import EnvironmentProblem

UNFINISHED = f".{'[0-9a-f]' * 16}.tmp"
"""The names, as a pattern, of files that are not whole yet, and stay so if the writer is killed."""

_BUILDING = f".part-{'[0-9a-f]' * 16}"
_TEMPORARY = f"whet-{'[0-9a-f]' * 16}"
_ABANDONED_SECONDS = 3600
"""After which nobody is at a file any more that nothing was written to."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def write_atomic(
    path: Path, text: str | bytes | Iterable[bytes], *, durable: bool, mode: int | None = None
) -> None:
    """Put *text*, or all its pieces, in place of the file in one step; nobody ever sees half of it.

    With *durable* it is on the disk, name included, before this returns. *mode* is what it may be
    used for; as the process makes files if it is None. Raises
    ``EnvironmentProblem`` when the folder is missing, read-only or full.
    """
    data = text.encode() if isinstance(text, str) else text
    pieces = (data,) if isinstance(data, bytes) else data
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        try:
            _write(temporary, pieces, durable=durable)
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        if durable:
            _sync_folder(path.parent)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def unfinished_folder(root: Path) -> Generator[Path]:
    """A folder in *root* to build in what appears there whole or not at all; it goes at the end.

    Its process holds a lock on it. If that is killed, ``sweep_unfinished`` knows by the lock that
    nobody needs the folder, and whoever builds in *root* next sweeps. Raises ``OSError``.
    """
    sweep_unfinished(root)
    with _locked_folder(root / f".part-{os.urandom(8).hex()}") as folder:
        yield folder


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A folder among the temporary files of the system for as long as the block takes. If its
    process is killed, ``sweep_temporary_folders`` removes it. Raises ``OSError``."""
    root = sweep_temporary_folders()
    with _locked_folder(root / f"whet-{os.urandom(8).hex()}") as folder:
        yield folder


def sweep_temporary_folders() -> Path:
    """Remove the temporary folders of killed processes; returns where they lie."""
    root = Path(tempfile.gettempdir()).resolve()
    for folder in root.glob(_TEMPORARY):
        remove_unlocked(folder)
    return root


def sweep_unfinished(root: Path) -> None:
    """Remove what killed processes were building in *root*."""
    for folder in root.glob(_BUILDING) if root.is_dir() else ():
        remove_unlocked(folder)


def sweep_half_written(root: Path) -> None:
    """Remove the files below *root* that killed processes did not write to their end."""
    oldest = time.time() - _ABANDONED_SECONDS
    for path in root.rglob(UNFINISHED):
        with suppress(OSError):
            if path.lstat().st_mtime < oldest:
                path.unlink()


def lock_new_folder(folder: Path) -> int:
    """Make a folder and lock it as long as this process lives; the descriptor of the lock. It is
    made anew where somebody swept between the two steps. Raises ``OSError``."""
    while True:
        folder.mkdir(mode=0o700)
        with suppress(FileNotFoundError):
            lock = os.open(folder, _FOLDER)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return lock
            os.close(lock)


def remove_unlocked(folder: Path) -> None:
    """Remove a folder of ours unless a living process has locked it. Whoever is about to lock it
    waits, finds it gone, and makes another. One of another user stays: they could put something
    else in its place meanwhile."""
    with suppress(OSError):
        lock = os.open(folder, _FOLDER)
        try:
            if os.fstat(lock).st_uid != os.geteuid():
                return
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for inner, _, _ in os.walk(folder):
                Path(inner).chmod(0o700)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def is_read_only(path: Path) -> bool:
    """Whether the file system there cannot be written."""
    place = next((one for one in (path, *path.parents) if one.exists()), Path("/"))
    try:
        return bool(os.statvfs(place).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def make_workspace(folder: Path) -> None:
    """Make the folder of a workspace for its owner alone; one that is there stays as it is.

    Raises ``OSError``."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(folder)) from None


def make_private(database: Path) -> None:
    """Let only the owner read a database of SQLite, which is made empty where there is none. One
    of somebody else stays as it is."""
    with suppress(OSError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for suffix in ("", "-wal", "-shm"):
        path = database.with_name(database.name + suffix)
        with suppress(OSError):
            if path.stat().st_mode & 0o077 and not path.is_symlink():
                path.chmod(0o600)


def open_lock(path: Path) -> int:
    """A descriptor to lock; the file is made where there is none, and what it says stays.

    Raises ``OSError``, also where it is a link: what that leads to is not ours.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)


def reason(error: OSError) -> str:
    """Why it failed, in a few words; a folder's copy has one complaint for each file in it."""
    if isinstance(error, shutil.Error):
        return str(error.args[0][0][2])
    return error.strerror or str(error)


@contextmanager
def _locked_folder(folder: Path) -> Generator[Path]:
    lock = lock_new_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _write(path: Path, pieces: Iterable[bytes], *, durable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

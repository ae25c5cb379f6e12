"""Files on disk: whole or not at all."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from whet.core.errors import EnvironmentProblem

UNFINISHED = f".{'[0-9a-f]' * 16}.tmp"
"""The names, as a pattern, of files that are not whole yet, and stay so if the writer is killed."""


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

"""Staying inside folders that an agent could write to before us, or writes to right now."""

import os
from contextlib import suppress
from pathlib import Path

from whet.core.errors import EngineFailure
from whet.core.failure import Failure

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def inside(path: Path, root: Path) -> Path:
    """*path*, if neither it nor a folder between *root* and it is a link; raises
    ``EngineFailure``."""
    if (link := _link(path, root)) is not None:
        raise EngineFailure(Failure.CRASH, f"the agent has put a link at {link}")
    return path


def is_inside(path: Path, root: Path) -> bool:
    """The same as a question."""
    return _link(path, root) is None


def _link(path: Path, root: Path) -> Path | None:
    way = (path, *path.parents)
    return next((each for each in way[: way.index(root)] if each.is_symlink()), None)


def opened(path: Path, root: Path, flags: int) -> int:
    """A descriptor of what is at *path*, reached from *root* without any link on the way and
    without waiting; raises ``OSError``.

    Also while an agent moves things about: each folder is opened from the one above it.
    """
    *folders, name = path.relative_to(root).parts
    folder = os.open(root, _FOLDER)
    try:
        for each in folders:
            inner = os.open(each, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        waitless = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(name, flags | waitless, dir_fd=folder)
    finally:
        os.close(folder)


def put(path: Path, root: Path, text: str) -> None:
    """Write a whole file in one step beside an agent at work; raises ``EngineFailure``."""
    new = f"{path.name}.new"
    try:
        folder = opened(path.parent, root, _FOLDER)
        try:
            with suppress(FileNotFoundError):
                os.unlink(new, dir_fd=folder)
            descriptor = os.open(new, _NEW, 0o600, dir_fd=folder)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(new, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            os.close(folder)
    except OSError as error:
        reason = f"the agent is in the way at {path}: {error.strerror}"
        raise EngineFailure(Failure.CRASH, reason) from error


def as_it_was(folder: Path) -> None:
    """Raise ``EngineFailure`` if there is anything but files and folders in *folder*, which had
    nothing else when the agent got it."""
    found = [folder]
    for each in found:
        if each.is_symlink() or (each.exists() and not each.is_dir() and not each.is_file()):
            raise EngineFailure(Failure.CRASH, f"the agent has put no file at {each}")
        if each.is_dir():
            found += each.iterdir()

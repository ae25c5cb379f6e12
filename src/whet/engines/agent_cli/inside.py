"""Staying inside folders that an agent could write to before us."""

from pathlib import Path

from whet.core.errors import EngineFailure
from whet.core.failure import Failure


def inside(path: Path, root: Path) -> Path:
    """*path*, if neither it nor a folder between *root* and it is a link; raises
    ``EngineFailure``."""
    way = (path, *path.parents)
    for each in way[: way.index(root)]:
        if each.is_symlink():
            raise EngineFailure(Failure.CRASH, f"the agent has put a link at {each}")
    return path


def as_it_was(folder: Path) -> None:
    """Raise ``EngineFailure`` if there is anything but files and folders in *folder*, which had
    nothing else when the agent got it."""
    found = [folder]
    for each in found:
        if each.is_symlink() or (each.exists() and not each.is_dir() and not each.is_file()):
            raise EngineFailure(Failure.CRASH, f"the agent has put no file at {each}")
        if each.is_dir():
            found += each.iterdir()

"""Where versions lie. Links that somebody put among them are neither followed nor written through:
what they lead to is not the library's. Only a workspace, and a shelf as a whole, may be one."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from whet.core.errors import UsageError

PARTS = (
    "meta.json",
    "content.txt",
    "cases.json",
    "package",
    "tags.json",
    "provenance.json",
    "history",
    "auto_tag_log",
)
"""What the folder of a version has in it."""


Wanted = Callable[[os.DirEntry[str]], bool]
"""Which folders of versions are meant."""


def named(start: str) -> Wanted:
    """Those whose names begin so."""
    return lambda entry: entry.name.startswith(start)


def version_folders(shelf: Path, wanted: Wanted) -> tuple[list[Path], list[Path]]:
    """Everything that is *wanted* below purposes and providers, and the links instead of them.
    What begins with a dot is no purpose and no provider."""
    folders, links = [shelf], list[Path]()
    for chosen in (_is_shown, _is_shown, wanted):
        found = sorted(path for above in folders for path in _entries(above, chosen))
        links += (path for path in found if path.is_symlink())
        folders = [path for path in found if not path.is_symlink()]
    return folders, links


def no_link(path: Path) -> Path:
    """*path*, unless it is a link, or a pipe or the like, which nobody comes to the end of."""
    try:
        mode = path.lstat().st_mode
    except OSError:  # whoever reads it will say what is wrong
        return path
    if stat.S_ISLNK(mode):
        raise UsageError(f"{path} is a link, which is not followed; put what is meant in its place")
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UsageError(f"{path} is neither a file nor a folder; put what is meant in its place")
    return path


def is_behind_link(path: Path, top: Path) -> bool:
    """Whether *path*, or a folder between it and *top*, is a link."""
    inner = [path, *path.parents]
    return any(part.is_symlink() for part in inner[: inner.index(top)])


def _is_shown(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".")


def _entries(folder: Path, chosen: Wanted) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if chosen(entry)]
    except OSError:  # no folder, or none that may be looked into
        return []

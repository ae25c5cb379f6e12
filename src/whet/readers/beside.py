"""What lies beside a log and is read along with it.

A log may name anything, and a folder from elsewhere may have anything in it. So only plain files
are taken: no link is followed, and nobody waits for a pipe.
"""

import stat
from pathlib import Path


def is_plain(file: Path) -> bool:
    """Whether there is a file of that name, itself; a name that no file can have is no error."""
    return stat.S_ISREG(_mode(file))


def plain_files(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder by name, in order; none where the folder is a link or is not there."""
    if not stat.S_ISDIR(_mode(folder)):
        return []
    return sorted(file for file in folder.glob(pattern) if is_plain(file))


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return 0

"""Who is alive: an owner lives as long as its process holds a lock on its file.

The kernel drops the lock when the process ends, however it ends, so a claim of a killed process
is free at once and no clock or heartbeat is involved.
"""

import fcntl
import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self


class Owner:
    """This process as an owner of claims, from ``__init__`` to ``release``."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.id = f"{os.getpid()}-{secrets.token_hex(6)}"
        self.folder = folder
        self._path = _lock_file(folder, self.id)
        unborn = self._path.with_suffix(".new")
        self._handle = unborn.open("w")
        fcntl.flock(self._handle, fcntl.LOCK_EX)
        # Only now under the name that others look at: a file without its lock would be swept.
        unborn.rename(self._path)

    def release(self) -> None:
        """Give up the ownership; open claims are free from now on."""
        self._path.unlink(missing_ok=True)
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def is_alive(folder: Path, owner: str) -> bool:
    """Whether the process behind *owner* still runs."""
    try:
        handle = _lock_file(folder, owner).open("r")
    except FileNotFoundError:
        return False
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def sweep(folder: Path) -> list[str]:
    """Remove the files of dead owners and return their ids."""
    dead = [path.stem for path in folder.glob("*.lock") if not is_alive(folder, path.stem)]
    for owner in dead:
        _lock_file(folder, owner).unlink(missing_ok=True)
    return dead


def _lock_file(folder: Path, owner: str) -> Path:
    return folder / f"{owner}.lock"

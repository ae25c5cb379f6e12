"""One writer an asset: a lock on a file that is named by its id, across processes.

The kernel drops the lock when the process ends, however it ends. The files stay: whoever deletes
one lets two writers in.
"""

import errno
import fcntl
import os
import random
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from whet.core.address import digest
from whet.core.errors import EnvironmentProblem
from whet.documents.files import make_workspace

PATIENCE = 30.0
"""Seconds that a writer waits for another one."""

_LONGEST = 200


@contextmanager
def locked(workspace: Path, identity: str, patience: float = PATIENCE) -> Generator[None]:
    """Hold the lock of an asset; raises ``EnvironmentProblem`` when somebody keeps it."""
    descriptor = _opened(workspace / ".locks", identity)
    try:
        deadline = time.monotonic() + patience
        while not _taken(descriptor):
            if time.monotonic() >= deadline:
                raise EnvironmentProblem(
                    f"{identity} is being changed by another process, which is not done after "
                    f"{patience:g} s; try again"
                )
            time.sleep(random.uniform(0.002, 0.02))  # so that waiters take turns
        yield
    finally:
        os.close(descriptor)


def _opened(folder: Path, identity: str) -> int:
    name = identity if len(identity.encode()) <= _LONGEST else digest(identity)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        make_workspace(folder.parent)
        folder.mkdir(exist_ok=True)
        above = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            return os.open(name, flags, 0o666, dir_fd=above)
        finally:
            os.close(above)
    except OSError as error:
        if error.errno == errno.EROFS:  # it is the workspace's trouble, not the lock's
            message = f"cannot change the workspace {folder.parent}: it is read-only"
            raise EnvironmentProblem(message) from error
        raise EnvironmentProblem(f"cannot lock {folder / name}: {error.strerror}") from error


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

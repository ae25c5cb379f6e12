"""Reading the files that a program keeps, while it writes them and its agent could, too."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from whet.core.foreign import decoded
from whet.engines.agent_cli.inside import is_inside, opened

_CHUNK = 16 * 1024 * 1024
"""Bytes that are read at once. A longer line is skipped."""

_MOST = 512 * 1024 * 1024
_FILES = 500
_FOLDERS = 2_000


class Followed:
    """JSON lines that are added to the files below a folder after this object was made.

    All of it lies in the agent's reach: no link is followed on the way from *root*, nothing is
    waited for, and what is read in all has an end. What is no JSON object is skipped.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._root = root
        self._left = _MOST
        self._offsets = {path: _size(path) for path in self.paths()}

    def paths(self) -> list[str]:
        """The files that are there by now, in order of name."""
        found: list[str] = []
        if not is_inside(self._folder, self._root):
            return found
        for number, (folder, _, names) in enumerate(os.walk(self._folder)):
            found += [f"{folder}/{name}" for name in names if name.endswith(".jsonl")]
            if len(found) >= _FILES or number >= _FOLDERS:
                break
        return sorted(found)[:_FILES]

    def news(self, path: str) -> Iterator[dict[str, JsonValue]]:
        """What is new in a file."""
        for line in self._lines(path):
            try:
                value = decoded(line.decode("utf-8", "replace"))
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value

    def _lines(self, path: str) -> Iterator[bytes]:
        """Whole lines only; the rest is read when it is complete."""
        if _size(path) <= self._offsets.get(path, 0):
            return
        try:
            descriptor = opened(Path(path), self._root, os.O_RDONLY)
        except OSError:
            return
        with os.fdopen(descriptor, "rb"):
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return
            while self._left > 0:
                offset = self._offsets.get(path, 0)
                data = os.pread(descriptor, _CHUNK, offset)
                end = data.rfind(b"\n") + 1
                if not end and len(data) < _CHUNK:
                    return
                taken = end or len(data)
                self._offsets[path] = offset + taken
                self._left -= taken
                yield from data[:end].splitlines()


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0

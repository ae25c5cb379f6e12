"""The working folder as far as the agent reaches into it: never out of it, never through links."""

import os
from pathlib import Path

MOST_READ = 256 * 1024
"""Bytes of a file that are taken in."""

_MOST_FILES = 500
_BAD = frozenset("\\~")
_LONGEST_PART = 120
_LONGEST = 240


class Refused(Exception):
    """The agent does not do this, or cannot."""

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self.said = (english, chinese)


class Cabinet:
    """The files of one trial."""

    def __init__(self, work: Path) -> None:
        self._work = str(work)

    def read(self, path: str) -> str:
        """The beginning of a file; raises ``Refused``."""
        return self.data(path, MOST_READ).decode("utf-8", "replace")

    def data(self, path: str, most: int) -> bytes:
        """Its first *most* bytes; raises ``Refused``."""
        place = self._place(path)
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as stream:
                return stream.read(most)
        except OSError as error:
            raise _failed(path, error) from None

    def write(self, path: str, text: str) -> None:
        """Write a file, with the folders it needs; raises ``Refused``."""
        place = self._place(path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            if "/" in path:
                os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
            with os.fdopen(os.open(place, flags, 0o666), "wb") as stream:
                stream.write(text.encode("utf-8", "replace"))
        except OSError as error:
            raise _failed(path, error) from None

    def names(self, path: str) -> list[str]:
        """The names in a folder, sorted; raises ``Refused``."""
        place = self._place(path)
        try:
            return sorted(os.listdir(place))[:_MOST_FILES]  # noqa: PTH208
        except OSError as error:
            raise _failed(path, error) from None

    def files(self, path: str) -> list[str]:
        """The file, or all files of the folder and those below, sorted; raises ``Refused``."""
        place = self._place(path)
        if not os.path.isdir(place):  # noqa: PTH112
            return [path]
        found: list[str] = []
        for folder, _, names in os.walk(place):
            found += [os.path.relpath(f"{folder}/{name}", self._work) for name in names]
            if len(found) > _MOST_FILES:
                break
        return sorted(found)[:_MOST_FILES]

    def _place(self, path: str) -> str:
        """Where it lies; raises ``Refused`` for what is not plainly inside."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        odd = path.startswith("/") or ".." in parts or not path.isprintable() or _BAD & {*path}
        if odd or len(path) > _LONGEST:
            shown = repr(path[:80])
            raise Refused(f"{shown} is not in my folder", f"{shown} 不在我的文件夹中")
        if any(len(part.encode("utf-8", "replace")) > _LONGEST_PART for part in parts):
            raise Refused("that name is too long", "名称太长")
        place = self._work
        for part in parts:
            place = f"{place}/{part}"
            if os.path.islink(place):  # noqa: PTH114
                raise Refused(f"{path} is a link", f"{path} 是一个链接")
        return place


def _failed(path: str, error: OSError) -> Refused:
    return Refused(f"{path}: {error.strerror}", f"{path}：{error.strerror}")

"""Looking at a folder: what the file system says of it, and its documents.

Whatever is broken is named and hurts nothing else. Links are not followed, and of what is too
large nothing is read.
"""

import os
import stat
import time
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.errors import InvalidDocument, WhetError
from whet.documents.text import parse_json

MOST_DOCUMENT = 1024 * 1024
"""Bytes of a document that says what a folder is."""

YOUNG_NS = 2_000_000_000
"""What was written so shortly before it was read may be written again without a trace: file
systems have clocks of their own, some of which tick every two seconds."""

_ABSENT = (-1, -1, -1, -1)
_LARGEST = 2**63 - 1


@dataclass(slots=True)
class Look:
    """What any folder looked like when it was read."""

    watched: tuple[str, ...] = ()
    stamps: bytes = b""
    is_young: bool = False
    documents: list[str] = field(default_factory=list[str])
    """The digests of what is no content."""

    problems: list[str] = field(default_factory=list[str])

    def watch(self, folder: str, names: Sequence[str]) -> None:
        """Remember what the file system says of these, before any of them is read."""
        moment = time.time_ns()
        self.watched = tuple(names)
        self.stamps, newest = stamped(folder, names)
        self.is_young = newest > moment - YOUNG_NS

    def document(self, folder: str, name: str, most: int = MOST_DOCUMENT) -> JsonValue:
        """A JSON file; raises ``InvalidDocument``."""
        data = read_file(folder, name, most)
        self.documents.append(digest_bytes(data))
        return parse_json(data, name)


class noted:  # noqa: N801 - reads as a verb
    """Turns an error into a problem of the folder."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, WhetError):
            return False
        self._look.problems.append(" ".join(str(error).split()))
        return True


def stamped(folder: str, names: Iterable[str]) -> tuple[bytes, int]:
    """What the file system says of each, and when the last of them was written. That is by the
    time that nobody but the kernel sets."""
    figures: list[int] = []
    newest = 0
    for name in names:
        try:
            found = os.lstat(f"{folder}/{name}")
        except OSError:
            figures += _ABSENT
            continue
        changed = found.st_ctime_ns
        figures += (found.st_mtime_ns, changed, found.st_size, found.st_ino & _LARGEST)
        newest = max(newest, changed)
    return array("q", figures).tobytes(), newest


def read_file(folder: str, name: str, most: int) -> bytes:
    """A regular file whole; raises ``InvalidDocument`` for anything else."""
    try:
        descriptor = os.open(
            f"{folder}/{name}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise InvalidDocument(name, "", "is no file")
            data = file.read(most + 1)
    except FileNotFoundError:
        raise InvalidDocument(name, "", "no such file") from None
    except OSError as error:
        raise InvalidDocument(name, "", error.strerror or "cannot be read") from error
    if len(data) > most:
        raise InvalidDocument(name, "", f"more than {most} bytes")
    return data


def mode(folder: str, name: str) -> int:
    """The mode of a file, 0 where there is none."""
    try:
        return os.lstat(f"{folder}/{name}").st_mode
    except OSError:
        return 0

"""The files in which Codex keeps its threads, read while it writes them.

They tell what its events leave out: the tokens of every answer, what subagents do, calls that
failed before they began, and skills that came with the prompt. They are nobody's contract: what
is not as expected is skipped. And they lie in the agent's reach, so no link is followed.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue
from pydantic_core import from_json

from whet.engines.codex_items import Object, obj, text

_CHUNK = 8 * 1024 * 1024
"""Bytes that are read at once. A longer line is skipped; those that matter are short."""

_MOST = 512 * 1024 * 1024
_FILES = 500
_ID = 36


@dataclass(frozen=True, slots=True)
class News:
    """A line of the file of one thread."""

    thread: str
    kind: str
    payload: Object


@dataclass
class Rollouts:
    """What has been written since this object was made."""

    folder: Path
    _offsets: dict[str, int] = field(default_factory=dict[str, int])
    _left: int = _MOST

    def __post_init__(self) -> None:
        for path in self._paths():
            self._offsets[path] = Path(path).lstat().st_size

    def news(self) -> Iterator[News]:
        """The lines that are new since the last call."""
        for path in self._paths():
            thread = path.removesuffix(".jsonl")[-_ID:]
            for line in self._lines(path):
                if (news := _news(thread, line)) is not None:
                    yield news

    def _paths(self) -> list[str]:
        found: list[str] = []
        for folder, _, names in os.walk(self.folder):
            found += [f"{folder}/{name}" for name in names if name.endswith(".jsonl")]
            if len(found) >= _FILES:
                break
        return sorted(found)[:_FILES]

    def _lines(self, path: str) -> Iterator[bytes]:
        """Whole lines only; the rest is read when it is complete."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
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


def _news(thread: str, line: bytes) -> News | None:
    try:
        value: JsonValue = from_json(line)
    except ValueError:
        return None
    entry = obj(value)
    return News(thread, text(entry.get("type")), obj(entry.get("payload")))

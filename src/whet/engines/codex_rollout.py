"""The files in which Codex keeps its threads, read while it writes them.

They tell what its events leave out: the tokens of every answer, what subagents do, calls that
failed before they began, and skills that came with the prompt. They are nobody's contract: what
is not as expected is skipped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whet.core.foreign import obj, text
from whet.engines.agent_cli.follow import Followed
from whet.readers.codex_items import Object

_ID = 36


@dataclass(frozen=True, slots=True)
class News:
    """A line of the file of one thread."""

    thread: str
    kind: str
    payload: Object


class Rollouts:
    """What has been written since this object was made."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._files = Followed(folder, root)

    def news(self) -> Iterator[News]:
        """The lines that are new since the last call."""
        for path in self._files.paths():
            thread = path.removesuffix(".jsonl")[-_ID:]
            for entry in self._files.news(path):
                yield News(thread, text(entry.get("type")), obj(entry.get("payload")))

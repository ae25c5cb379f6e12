"""What a model is shown of a submission: named parts, each capped, none of them trusted."""

import codecs
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.core.text import fence, shortened, storable
from whet.ports.judge import Submission

MOST_FILES = 200
_LONGEST_PATH = 300
_BYTES_A_CHARACTER = 4
_NOTHING = "(nothing)"


@dataclass(frozen=True, slots=True)
class Room:
    """How many characters may be shown of what an agent produced."""

    answer: int
    file: int
    files: int
    """Of all files together."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of foreign text under a title of ours."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    size: int
    text: str | None
    """None for what is no text, and for a text that there was no room for."""

    remark: str


def produced(submission: Submission, room: Room, whose: str = "") -> Iterator[Part]:
    """The answer and the files. A file's name is data as well, so files go by number."""
    of = f" of {whose}" if whose else ""
    yield Part(f"Final answer{of}", shortened(submission.answer, room.answer))
    files = list(_files(submission, room))
    yield Part(f"Files{of}", "\n".join(_listed(files, len(submission.outputs))))
    for number, file in enumerate(files, 1):
        if file.text:
            yield Part(f"Content of file {number}{of}", file.text)


def fenced(parts: Sequence[Part]) -> tuple[str, str]:
    """All *parts* between fences that nothing in any of them can close, and that fence."""
    texts = [storable(part.text) for part in parts]
    mark = fence("\n".join(texts))
    blocks = (
        f"## {part.title}\n\n{mark}\n{text if text.strip() else _NOTHING}\n{mark}"
        for part, text in zip(parts, texts, strict=True)
    )
    return "\n\n".join(blocks), mark


def _files(submission: Submission, room: Room) -> Iterator[_File]:
    """Those near the top first: what was asked for lies there more often than further down."""
    left = room.files
    paths = sorted(submission.outputs, key=lambda path: (path.count("/"), path))
    for path in paths[:MOST_FILES]:
        data = submission.outputs[path]
        text = _text(data, room.file)
        if text is None:
            yield _File(path, len(data), None, ", not a text")
        elif left < 1:
            yield _File(path, len(data), None, ", not shown: too many files")
        else:
            shown = text[: min(room.file, left)]
            left -= len(shown)
            is_whole = len(shown.encode()) == len(data)
            yield _File(path, len(data), shown, "" if is_whole else ", only its beginning is shown")


def _text(data: bytes, most: int) -> str | None:
    """At least *most* characters of a text file, or all of them; None for any other file."""
    head = data[: most * _BYTES_A_CHARACTER]
    if b"\0" in head:
        return None
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) == len(data))
    except UnicodeDecodeError:
        return None


def _listed(files: Sequence[_File], count: int) -> Iterator[str]:
    for number, file in enumerate(files, 1):
        path = json.dumps(file.path[:_LONGEST_PATH], ensure_ascii=False)
        yield f"{number}. {path}, {file.size} bytes{file.remark}"
    if count > len(files):
        yield f"{count - len(files)} more files are not shown"

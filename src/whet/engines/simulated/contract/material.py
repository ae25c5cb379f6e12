"""What the agent works on: uploaded files, and texts among the inputs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pydantic import JsonValue

from whet.engines.simulated.errands.cabinet import Cabinet, Refused

UPLOADS = "uploads"
MOST_READ = 1024 * 1024
"""Bytes of a file."""

_MOST_FILES = 32
_MOST_VALUES = 100


@dataclass(frozen=True, slots=True)
class Source:
    """One text, by the name of its input or file."""

    name: str
    text: str
    path: str | None = None
    """None for a text that came with the prompt."""

    cut: bool = False
    """Whether there is more of it than was read."""

    is_text: bool = True
    size: int = 0
    """In bytes, as far as it was read."""


def uploaded(cabinet: Cabinet) -> list[str]:
    """The files to read."""
    try:
        found = cabinet.files(UPLOADS) if UPLOADS in cabinet.names(".") else []
    except Refused:
        return []
    shown = [path for path in found if not any(part.startswith(".") for part in path.split("/"))]
    return shown[:_MOST_FILES]


def source(cabinet: Cabinet, path: str, inputs: Mapping[str, JsonValue]) -> Source:
    """Read a file; raises ``Refused``."""
    data = cabinet.data(path, MOST_READ + 1)
    names = (name for name, value in inputs.items() if value == path)
    name = next(names, PurePosixPath(path).name)
    text = data[:MOST_READ].decode("utf-8", "replace")
    is_text = "\0" not in text
    cut = len(data) > MOST_READ
    return Source(name, text if is_text else "", path, cut, is_text, len(data[:MOST_READ]))


def within(inputs: Mapping[str, JsonValue], work: str) -> dict[str, JsonValue]:
    """The inputs with paths as they are from the working folder: so they are alike anywhere."""
    return {name: _within(value, work) for name, value in inputs.items()}


def _within(value: JsonValue, work: str) -> JsonValue:
    match value:
        case str():
            return value.removeprefix(f"{work}/")
        case list():
            return [_within(item, work) for item in value]
        case _:
            return value


def _is_file(text: str) -> bool:
    return text.startswith(f"{UPLOADS}/")


def told(inputs: Mapping[str, JsonValue]) -> Iterator[Source]:
    """The texts among the inputs that are not the places of files."""
    for name, value in list(inputs.items())[:_MOST_VALUES]:
        items = value if isinstance(value, list) else [value]
        texts = [item for item in items if isinstance(item, str) and not _is_file(item)]
        if texts:
            text = "\n".join(texts)
            yield Source(name, text, size=len(text.encode(errors="replace")))

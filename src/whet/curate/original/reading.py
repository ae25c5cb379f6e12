"""Files of the original program, whatever state they are in."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from whet.core.errors import InvalidDocument
from whet.curate.intake.case_rows import DEEPEST, is_deeper
from whet.curate.original.report import Notebook
from whet.documents.base import Document
from whet.documents.text import parse_json

MOST_JSON = 64 * 1024 * 1024

Kind = TypeVar("Kind", bound=Document)


def read_value(path: Path, notebook: Notebook, where: Path | None = None) -> JsonValue:
    """The JSON in a file; None where there is none, which is noted unless the file is missing.

    *where* is its place in the original, if it is read from a copy.
    """
    place = where or path
    if path.is_symlink():
        notebook.left_out(place, "is a link")
        return None
    if not path.is_file():
        return None
    if path.stat().st_size > MOST_JSON:
        notebook.not_repaired(place, f"is larger than {MOST_JSON // 1024 // 1024} MB")
        return None
    try:
        value = parse_json(path.read_bytes(), path.name)
    except InvalidDocument as error:
        notebook.not_repaired(place, error.reason)
        return None
    if is_deeper(value, DEEPEST):
        notebook.not_repaired(place, f"is nested more than {DEEPEST} levels deep")
        return None
    return value


def read_fields(path: Path, notebook: Notebook, where: Path | None = None) -> dict[str, JsonValue]:
    """The object in a file; empty where there is none."""
    value = read_value(path, notebook, where)
    if value is None or isinstance(value, dict):
        return value or {}
    notebook.not_repaired(where or path, "must be an object", value)
    return {}


def as_document(
    cls: type[Kind], value: JsonValue, place: Path | str, notebook: Notebook
) -> Kind | None:
    """*value* as a document, old shapes made new; where it is none, all reasons are noted."""
    if mistakes := cls.mistakes(value):
        for mistake in mistakes:
            notebook.not_repaired(place, mistake)
        return None
    document = cls.parse(value, str(place))
    notebook.compared(place, value, document.to_data())
    return document


def folders(root: Path, pattern: str, notebook: Notebook) -> Iterator[Path]:
    """Folders that fit, in order; links are noted and not followed."""
    for path in sorted(root.glob(pattern)):
        if any(part.is_symlink() for part in _down_to(path, notebook.root)):
            notebook.left_out(path, "is a link, or lies behind one")
        elif path.is_dir():
            yield path


def files_below(folder: Path, notebook: Notebook, where: Path) -> Iterator[tuple[Path, str]]:
    """Every regular file with its path below *folder*, which is *where* in the original."""
    waiting = [folder]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            name = path.relative_to(folder)
            if path.is_symlink():
                notebook.left_out(where / name, "is a link")
            elif path.is_dir():
                waiting.append(path)
            elif path.is_file():
                yield path, name.as_posix()
            else:
                notebook.left_out(where / name, "is neither a file nor a folder")


def _down_to(path: Path, root: Path) -> list[Path]:
    return [path, *(above for above in path.parents if above != root and root in above.parents)]

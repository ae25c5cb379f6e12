"""The files in the results folder of a project: brought into the form that the database gives them.

What somebody else wrote there is moved to ``results/original`` before another file takes its place,
so that no result of another program is lost.
"""

from pathlib import Path

from whet.core.errors import EnvironmentProblem, InvalidDocument, UsageError
from whet.curate.places import is_behind_link
from whet.documents.files import reason, write_atomic
from whet.documents.text import parse_json

ORIGINAL = "original"
"""The folder among the results for what others wrote."""

SUMMARY = "summary.json"
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that one of ours could have."""

_OURS = {"trial_address", "simulated"}
"""Keys that every result, and every summary, of ours has one of, and nobody else's has."""


class ResultFiles:
    """Writes below one folder of one project, that of its results, and nowhere else."""

    def __init__(self, project: Path, name: str = "results") -> None:
        self._project = project
        self._folder = project / name
        self._made: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Bring a file into this very form; raises ``UsageError`` where it is behind a link."""
        path = self._folder / name
        try:
            self._make(path.parent)
            present = _content(path)
            if present == text.encode():
                return
            if _is_foreign(path, present):
                self._keep(path, name)
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {path}: {reason(error)}") from error
        write_atomic(path, text, durable=False)

    def _keep(self, path: Path, name: str) -> None:
        """Move a file out of the way; what was there first is the original."""
        kept = self._folder / ORIGINAL / name
        self._make(kept.parent)
        if not kept.exists() and not kept.is_symlink():
            path.rename(kept)

    def _make(self, folder: Path) -> None:
        if folder in self._made:
            return
        if is_behind_link(folder, self._project):
            raise UsageError(f"{folder} is a link, or behind one; nothing is written there")
        folder.mkdir(parents=True, exist_ok=True)
        self._made.add(folder)


def _content(path: Path) -> bytes | None:
    """What is in a file; None where there is none, or more than one of ours could have."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    return path.read_bytes()


def _is_foreign(path: Path, data: bytes | None) -> bool:
    """Whether a file says something that we did not write."""
    if data is None:
        return path.is_file() and not path.is_symlink()
    try:
        said = data.decode().strip()
        found = parse_json(data, path.name) if said else {}
    except UnicodeDecodeError:
        return False
    except InvalidDocument:
        return True
    return bool(said) and (not isinstance(found, dict) or _OURS.isdisjoint(found))

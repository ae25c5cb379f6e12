"""What was repaired while a workspace was taken over, and what could not be."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import JsonValue

from whet.core.text import shortened

Kind = Literal["changed", "skipped", "left_out", "not_repaired"]

_LONGEST = 2_000
"""Characters of a text in the report; all of it is in the original."""

_MISSING = "(missing)"


@dataclass(frozen=True)
class Repair:
    """One thing that is not as it was."""

    path: str
    """Of the file or folder, in the original workspace."""

    what: str
    before: JsonValue = None
    after: JsonValue = None
    kind: Kind = "changed"


@dataclass(frozen=True)
class RepairReport:
    """Everything that is not as it was, and how much was taken over."""

    entries: tuple[Repair, ...] = ()
    skills: int = 0
    baselines: int = 0
    versions: int = 0
    """Version folders that were written, of skills and baselines."""

    projects: int = 0
    files: int = 0
    """Other files, such as settings and logs."""


@dataclass
class Notebook:
    """Collects the report while the work goes on."""

    root: Path
    entries: list[Repair] = field(default_factory=list[Repair])

    def changed(
        self, path: Path | str, what: str, before: JsonValue = None, after: JsonValue = None
    ) -> None:
        """Something is otherwise than it was."""
        self._add(path, what, before, after, "changed")

    def skipped(self, path: Path | str, what: str) -> None:
        """It is here already."""
        self._add(path, what, None, None, "skipped")

    def left_out(self, path: Path | str, what: str) -> None:
        """It was not taken over, and need not be."""
        self._add(path, what, None, None, "left_out")

    def not_repaired(self, path: Path | str, what: str, before: JsonValue = None) -> None:
        """It is broken, and stays so or is not here."""
        self._add(path, what, before, None, "not_repaired")

    def knows_of(self, path: Path) -> bool:
        """Whether there is an entry about it, or about what lies in it."""
        name = path.relative_to(self.root).as_posix()
        return any(name in _with_parents(entry.path) for entry in self.entries)

    def told(self) -> tuple[Repair, ...]:
        """Everything but changes to what is here already and was left alone."""
        skipped = {
            entry.path: place for place, entry in enumerate(self.entries) if entry.kind == "skipped"
        }
        return tuple(
            entry
            for place, entry in enumerate(self.entries)
            if entry.kind != "changed"
            or not any(skipped.get(path, -1) > place for path in _with_parents(entry.path))
        )

    def compared(self, path: Path | str, before: JsonValue, after: JsonValue) -> None:
        """Every place at which *after* is not what *before* was."""
        for place, old, new in _differences(before, after, ""):
            self._add(path, place or "the whole", old, new, "changed")

    def _add(
        self, path: Path | str, what: str, before: JsonValue, after: JsonValue, kind: Kind
    ) -> None:
        name = path.relative_to(self.root).as_posix() if isinstance(path, Path) else path
        self.entries.append(Repair(name, what, _short(before), _short(after), kind))


def _differences(
    before: JsonValue, after: JsonValue, place: str
) -> list[tuple[str, JsonValue, JsonValue]]:
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [
            found
            for key in keys
            for found in _differences(
                before.get(key, _MISSING), after.get(key, _MISSING), f"{place}.{key}".lstrip(".")
            )
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            found
            for index, (old, new) in enumerate(zip(before, after, strict=True))
            for found in _differences(old, new, f"{place}[{index}]")
        ]
    same = before == after and type(before) is type(after)
    return [] if same else [(place, before, after)]


def _with_parents(path: str) -> Iterator[str]:
    yield path
    yield from map(str, PurePosixPath(path).parents)


def _short(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return shortened(value, _LONGEST)
    if isinstance(value, list):
        return [_short(each) for each in value]
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    return value

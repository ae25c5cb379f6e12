"""Skills that are a folder with a SKILL.md: one, or every one in a checkout."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from whet.core.errors import EnvironmentProblem, InvalidImport, NotFound, UsageError
from whet.curate.archive import (
    DEEPEST,
    MOST_BYTES,
    MOST_FILES,
    MOST_IN_ONE,
    Tree,
    path_problems,
)
from whet.curate.draft import SkillDraft
from whet.curate.intake.given import Given, Imported, about
from whet.curate.intake.skill_text import of_itself
from whet.curate.library import HIDDEN
from whet.curate.segments import shown

ENTRY = "SKILL.md"

LEFT_OUT = HIDDEN - {"evals"} | {"__macosx", ".ds_store"}
"""What lies in a skill's folder and is not the skill; its own tests are."""

MOST_FOLDERS = 20_000
"""Folders that are looked into for skills."""

_MOST_NAMED = 10


def skill_from_folder(
    folder: Path, given: Given, source: str | None = None
) -> Imported[SkillDraft]:
    """The skill in *folder*; links in it are not followed."""
    try:
        if not (folder / ENTRY).is_file() or (folder / ENTRY).is_symlink():
            raise NotFound(f"{folder} is no skill: it has no {ENTRY}")
        walk = _Walk(folder)
        walk.read(folder, "")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {error.filename or folder}: {error.strerror}"
        ) from error
    tree = Tree(walk.content, frozenset(walk.executables))
    name = folder.resolve().name
    return skill_from_tree(tree, given, name, name if source is None else source, walk.notes())


def skill_from_tree(
    tree: Tree, given: Given, name: str, source: str, notes: tuple[str, ...] = ()
) -> Imported[SkillDraft]:
    """The skill whose files these are; *name* is that of its folder."""
    if problems := list(path_problems(list(tree.content))):
        raise InvalidImport(source or name, problems)
    try:
        text = tree.content[ENTRY].decode()
    except UnicodeDecodeError:
        raise InvalidImport(source or name, [f"{ENTRY} is no UTF-8 text"]) from None
    if "\0" in text:
        raise InvalidImport(source or name, [f"{ENTRY} has a NUL in it"])
    draft = SkillDraft(
        about=about(given, of_itself(text), name, source),
        type=given.type or "skill",
        content=text,
        package=tree.content,
        executables=tree.executables,
    )
    inner = [path.removesuffix(f"/{ENTRY}") for path in tree.content if path.endswith(f"/{ENTRY}")]
    return Imported(draft, (*notes, *_note("part of it, and no skills of their own", inner)))


def is_left_out(path: str) -> bool:
    """Whether a file of this path in a skill's folder is not the skill's."""
    return any(part.casefold() in LEFT_OUT for part in path.split("/"))


def skill_folders(root: Path, links: list[Path] | None = None) -> Iterator[Path]:
    """Every folder below *root* that is a skill, *root* included; a skill inside another is part
    of that one. Links are not followed; those that lead to a skill are added to *links*."""
    looked_into = 0
    waiting = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop()
        looked_into += 1
        if looked_into > MOST_FOLDERS:
            raise UsageError(f"{root} has more than {MOST_FOLDERS:,} folders; name a smaller one")
        inner = sorted(_entries(folder), key=lambda entry: entry.name, reverse=True)
        if any(e.name == ENTRY and e.is_file(follow_symlinks=False) for e in inner):
            yield folder
            continue
        if links is not None:
            linked = (Path(entry.path) for entry in reversed(inner) if entry.is_symlink())
            links += (link for link in linked if (link / ENTRY).is_file())
        if depth < DEEPEST:
            waiting += [
                (Path(entry.path), depth + 1)
                for entry in inner
                if entry.is_dir(follow_symlinks=False) and entry.name.casefold() not in LEFT_OUT
            ]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


@dataclass
class _Walk:
    """Reads a folder, and remembers what it does not take."""

    root: Path
    content: dict[str, bytes] = field(default_factory=dict[str, bytes])
    executables: list[str] = field(default_factory=list[str])
    links: list[str] = field(default_factory=list[str])
    others: list[str] = field(default_factory=list[str])
    size: int = 0

    def read(self, folder: Path, prefix: str) -> None:
        if prefix.count("/") > DEEPEST:
            raise InvalidImport(self.root, [f"has more than {DEEPEST} folders inside one another"])
        for path in sorted(folder.iterdir()):
            name = prefix + path.name
            if path.name.casefold() in LEFT_OUT:
                self.others.append(name)
            elif path.is_symlink():
                self.links.append(name)
            elif path.is_dir():
                self.read(path, f"{name}/")
            elif path.is_file():
                self._take(path, name)
            else:
                self.others.append(name)

    def _take(self, path: Path, name: str) -> None:
        with path.open("rb") as file:
            data = file.read(MOST_IN_ONE + 1)
            mode = os.fstat(file.fileno()).st_mode
        self.size += len(data)
        if len(data) > MOST_IN_ONE:
            raise InvalidImport(self.root, [f"{shown(name)} is larger than 16 MB"])
        if len(self.content) == MOST_FILES or self.size > MOST_BYTES:
            raise InvalidImport(self.root, [f"has more than {MOST_FILES:,} files or 64 MB"])
        self.content[name] = data
        if mode & stat.S_IXUSR:
            self.executables.append(name)

    def notes(self) -> tuple[str, ...]:
        return (*_note("links are not followed", self.links), *_note("left out", self.others))


def _note(what: str, names: list[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield f"{what}: {', '.join(map(shown, names[:_MOST_NAMED]))}{more}"

"""A skill's folder as rules see it. Links are never followed, and nothing is read twice."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from whet.core.errors import EnvironmentProblem, NotFound
from whet.core.files import inside
from whet.curate.library import DEEPEST, HIDDEN, MOST_BYTES, MOST_FILES
from whet.curate.lint.front import Front, front_of

ENTRY = "SKILL.md"
EVALS = "evals"
_LEFTOVERS = frozenset(
    {".DS_Store", "Thumbs.db", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)
_CHUNK = 1 << 20

Oddity = Literal["link", "link_out", "special", "name", "leftover"]


@dataclass(frozen=True)
class File:
    """A regular file, its path relative to the skill."""

    path: str
    data: bytes
    mode: int = 0o644

    @property
    def is_executable(self) -> bool:
        """Whether its owner may execute it."""
        return bool(self.mode & stat.S_IXUSR)

    @property
    def suffix(self) -> str:
        """How its name ends, in lower case, with the dot."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def is_eval(self) -> bool:
        """Whether it belongs to the skill's own tests."""
        return self.path.partition("/")[0].casefold() == EVALS

    @cached_property
    def text(self) -> str | None:
        """What it says, with line feeds alone; None if it is not UTF-8 or has a zero in it."""
        try:
            text = self.data.decode()
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else text.replace("\r\n", "\n")


class Odd(NamedTuple):
    """Something in the folder that is no file of the skill."""

    path: str
    kind: Oddity


@dataclass(frozen=True)
class Skill:
    """A skill's folder."""

    root: Path
    files: tuple[File, ...]
    odd: tuple[Odd, ...]
    is_too_large: bool = False
    """Whether only a part was read: more files or bytes than a skill may have."""

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.root.resolve().name

    @property
    def is_version(self) -> bool:
        """Whether it lies in the library, which names its folders itself and never changes them."""
        beside = self.root.resolve().parent
        return self.name == "package" and (beside / "meta.json").is_file()

    @cached_property
    def entry(self) -> File | None:
        """The SKILL.md."""
        return next((file for file in self.files if file.path == ENTRY), None)

    @cached_property
    def front(self) -> Front:
        """Its front matter; where bytes are no UTF-8 there is a mark in their place."""
        data = self.entry.data if self.entry else b""
        text = data.decode(errors="replace").replace("\r\n", "\n")
        return front_of(text.removeprefix("\ufeff"))

    @cached_property
    def own(self) -> tuple[File, ...]:
        """The files without the skill's own tests."""
        return tuple(file for file in self.files if not file.is_eval)


def skill_in(folder: Path) -> Skill:
    """Read a skill's folder, as far as a skill may be large."""
    files: list[File] = []
    odd: list[Odd] = []
    left = MOST_BYTES
    is_too_large = False
    try:
        for found in _entries(folder, ""):
            if isinstance(found, Odd):
                odd.append(found)
                continue
            file = _read(folder, found, left)
            if file is None or len(files) == MOST_FILES:
                is_too_large = True
                break
            left -= len(file.data)
            files.append(file)
    except _TooDeep:
        is_too_large = True
    except OSError as error:
        where = error.filename or folder
        raise EnvironmentProblem(f"cannot read {where}: {error.strerror}") from error
    ordered = sorted(files, key=lambda file: file.path)
    return Skill(folder, tuple(ordered), tuple(sorted(odd)), is_too_large)


def skill_folders(path: Path) -> list[Path]:
    """The skill at *path*, which may be its SKILL.md, or all skills below; at least one."""
    if path.name.casefold() == ENTRY.casefold() and path.is_file():
        return [path.parent]
    if not path.is_dir():
        raise NotFound(f"no folder {path}")
    found = sorted(_skills(path, 0))
    if not found:
        raise NotFound(f"{path} is no skill and has none below: there is no SKILL.md")
    return found


class _TooDeep(Exception):
    pass


def _skills(folder: Path, depth: int) -> Iterator[Path]:
    try:
        children = sorted(folder.iterdir())
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {folder}: {error.strerror}") from error
    if any(child.name.casefold() == ENTRY.casefold() for child in children):
        yield folder
    elif depth < DEEPEST:
        for child in children:
            if child.is_dir() and not child.is_symlink() and child.name.casefold() not in HIDDEN:
                yield from _skills(child, depth + 1)


def _entries(folder: Path, prefix: str) -> Iterator[str | Odd]:
    """The paths of regular files, and whatever else there is."""
    if prefix.count("/") > DEEPEST:
        raise _TooDeep
    with os.scandir(folder) as listed:
        entries = sorted(listed, key=lambda entry: entry.name)
    for entry in entries:
        path = prefix + entry.name
        if not _is_fit(entry.name):
            yield Odd(os.fsencode(path).decode(errors="backslashreplace"), "name")
        elif entry.is_symlink():
            yield Odd(path, "link" if _stays(Path(entry.path), folder, prefix) else "link_out")
        elif _is_leftover(entry.name, prefix):
            yield Odd(path, "leftover")
        elif entry.is_dir():
            yield from _entries(Path(entry.path), f"{path}/")
        elif entry.is_file():
            yield path
        else:
            yield Odd(path, "special")


def _is_fit(name: str) -> bool:
    try:
        inside(name)
        name.encode()
    except (ValueError, UnicodeEncodeError):
        return False
    return name.isprintable()


def _is_leftover(name: str, prefix: str) -> bool:
    if not prefix and name.casefold() == EVALS:
        return False
    return name.casefold() in HIDDEN or name in _LEFTOVERS or name.endswith(".pyc")


def _stays(link: Path, folder: Path, prefix: str) -> bool:
    """Whether a link leads to something inside of the skill."""
    root = folder
    for _ in range(prefix.count("/")):
        root = root.parent
    try:
        return link.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a link to itself
        return False


def _read(folder: Path, path: str, most: int) -> File | None:
    """A file, or None if it has more than *most* bytes."""
    # Whatever took its place since it was listed is neither followed nor waited for.
    descriptor = os.open(folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        about = os.fstat(descriptor)
        if about.st_size > most or not stat.S_ISREG(about.st_mode):
            return None
        pieces: list[bytes] = []
        while most >= 0 and (piece := os.read(descriptor, _CHUNK)):
            pieces.append(piece)
            most -= len(piece)
        return None if most < 0 else File(path, b"".join(pieces), stat.S_IMODE(about.st_mode))
    finally:
        os.close(descriptor)

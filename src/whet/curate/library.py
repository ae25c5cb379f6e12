"""The library on disk: every version of a skill or baseline is a folder of its own.

One broken folder is reported by name and never hides the others.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.errors import (
    EnvironmentProblem,
    InvalidDocument,
    NotFound,
    UsageError,
    WhetError,
)
from whet.core.files import FileRef
from whet.core.text import plain_name
from whet.curate.places import Wanted, named, no_link, version_folders
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.cases import BaselineCases

Meta = TypeVar("Meta", SkillMeta, BaselineMeta)

HIDDEN = frozenset({"evals", ".git", ".hg", ".svn", "workspace", "__pycache__", "node_modules"})
"""Folders of a package that the agent never gets: its own tests, work spaces, histories. Some
file systems do not tell ``Evals`` from ``evals``, so neither is given."""

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
DEEPEST = 64
"""Of a package: whoever names the wrong folder reads no whole disk into memory."""

SKILLS, BASELINES = named("skill_"), named("baseline_")
"""The folders of their versions, as all are called."""

SHORTEST_PREFIX = 4
"""Characters of an id below which a beginning is rather a slip of the hand."""

_REFERENCE = re.compile(r"(.+?)(?:@(v[0-9]+))?", re.DOTALL)
_REPEAT = re.compile(r"\.run-[0-9]+$")
_VERSION = re.compile(r"v[0-9]{1,9}")
_UNFIT = re.compile(r"[/\\\x00\ud800-\udfff]")


@dataclass(frozen=True)
class Asset(Generic[Meta]):
    """One version of a skill or a baseline."""

    folder: Path
    meta: Meta


@dataclass(frozen=True)
class Shelf(Generic[Meta]):
    """What was found, and what is broken and why."""

    assets: tuple[Asset[Meta], ...]
    problems: tuple[str, ...]

    def find(self, reference: str) -> Asset[Meta]:
        """The asset with that id, beginning of an id or name; its newest version unless ``@v2`` is
        added.

        An archived one, and one that was once called so, is meant by a name that no other has.
        """
        found = _REFERENCE.fullmatch(reference)
        wanted, version = found.groups() if found else (reference, None)
        ids = self._meant(wanted)
        if len(ids) > 1:
            raise UsageError(f"{wanted!r} is several assets; use an id: {', '.join(ids)}")
        versions = [
            asset
            for asset in self.assets
            if asset.meta.id in ids and version in (None, asset.meta.version)
        ]
        if not versions:
            broken = f"; not readable: {self.problems[0]}" if self.problems else ""
            raise NotFound(f"no asset {reference!r} in the library{_known(self.assets)}{broken}")
        return max(versions, key=_number)

    def _meant(self, wanted: str) -> list[str]:
        """The ids of those that a reference may mean, the most obvious ones only."""
        newest = {asset.meta.id: asset.meta for asset in sorted(self.assets, key=_number)}
        if wanted in newest:
            return [wanted]
        is_long, name = len(wanted) >= SHORTEST_PREFIX, plain_name(wanted)
        obvious = [
            meta.id
            for meta in newest.values()
            if (plain_name(meta.name) == name and meta.status == "active")
            or (is_long and meta.id.startswith(wanted))
        ]
        ever = {asset.meta.id for asset in self.assets if plain_name(asset.meta.name) == name}
        return sorted(obvious or ever)


def skills(workspace: Path, wanted: Wanted = SKILLS) -> Shelf[SkillMeta]:
    """Every version of every skill, or those in folders that are *wanted*."""
    return _shelf(workspace / "skills", wanted, SkillMeta.load)


def baselines(workspace: Path, wanted: Wanted = BASELINES) -> Shelf[BaselineMeta]:
    """Every version of every baseline, or those in folders that are *wanted*."""
    return _shelf(workspace / "baselines", wanted, BaselineMeta.load)


def package(folder: Path, name: str) -> tuple[SkillPackage, dict[str, bytes]]:
    """The skill in a version folder as the agent gets it, with the content of its files."""
    try:
        kind, content = _content(folder)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {error.filename or folder}: {error.strerror}"
        ) from error
    return packaged(kind, content, name), content


def folder_package(folder: Path) -> tuple[SkillPackage, dict[str, bytes]]:
    """The skill in a folder with a SKILL.md, wherever it lies, as the agent gets it."""
    try:
        if not folder.is_dir():
            raise NotFound(f"no folder {folder}")
        entry = folder / "SKILL.md"
        if entry.is_symlink() or not entry.is_file():
            raise NotFound(f"{folder} is no skill: it has no SKILL.md")
        content = _content_of(folder)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {error.filename or folder}: {error.strerror}"
        ) from error
    return packaged("package", content, folder.resolve().name), content


def for_agents(content: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those files of a package that an agent gets, in the order in which they are read."""
    shown = (path for path in content if not HIDDEN.intersection(path.casefold().split("/")))
    return {path: content[path] for path in sorted(shown, key=lambda path: path.split("/"))}


def cases(folder: Path) -> BaselineCases:
    """The cases in a baseline's version folder."""
    path = no_link(folder / "cases.json")
    document = BaselineCases.load(path)
    seen: set[str] = set()
    for index, case in enumerate(document.cases):
        if not _is_file_name(case.id):
            raise InvalidDocument(path, f"cases[{index}].id", f"{case.id!r} is no file name")
        if _REPEAT.search(case.id):
            raise InvalidDocument(
                path, f"cases[{index}].id", f"{case.id!r} names a repeat's result"
            )
        if case.id in seen:
            raise InvalidDocument(path, f"cases[{index}].id", f"{case.id!r} is there twice")
        seen.add(case.id)
    return document


def packaged(
    kind: Literal["text", "package"], content: Mapping[str, bytes], name: str
) -> SkillPackage:
    """The skill with these files."""
    files = tuple(
        FileRef(path=path, digest=digest_bytes(data), size=len(data))
        for path, data in content.items()
    )
    tree = digest_tree({file.path: file.digest for file in files})
    return SkillPackage(name=name, kind=kind, digest=tree, files=files)


def _shelf(root: Path, wanted: Wanted, load: Callable[[Path], Meta]) -> Shelf[Meta]:
    assets: list[Asset[Meta]] = []
    folders, links = version_folders(root, wanted)
    problems = [f"{link} is a link, which is not followed" for link in links]
    for folder in folders:
        try:
            meta = load(no_link(folder / "meta.json"))
            assets.append(Asset(folder, _checked(meta, folder)))
        except WhetError as error:
            problems.append(str(error))
    return Shelf(tuple(assets), tuple(problems))


def _checked(meta: Meta, folder: Path) -> Meta:
    """*meta*, if what becomes part of a path is fit for it."""
    if not _VERSION.fullmatch(meta.version):
        raise InvalidDocument(
            folder / "meta.json", "version", f"must be v1, v2, …, found {meta.version!r}"
        )
    if not _is_file_name(meta.id):
        raise InvalidDocument(folder / "meta.json", "id", f"{meta.id!r} is no file name")
    return meta


def _is_file_name(text: str) -> bool:
    return text not in ("", ".", "..") and not _UNFIT.search(text)


def _content(folder: Path) -> tuple[Literal["text", "package"], dict[str, bytes]]:
    whole = no_link(folder / "package")
    if not whole.is_dir():
        path = no_link(folder / "content.txt")
        if not path.is_file():
            raise NotFound(f"{folder}: no content.txt")
        return "text", {"content.txt": path.read_bytes()}
    files = _content_of(whole)
    if "SKILL.md" not in files:
        raise NotFound(f"{whole}: no SKILL.md")
    return "package", files


def _content_of(folder: Path) -> dict[str, bytes]:
    """The files of a package; raises ``UsageError`` where it is too large to be one."""
    content: dict[str, bytes] = {}
    left = MOST_BYTES
    for name, path in _files(folder):
        left -= path.stat().st_size
        if left < 0 or len(content) == MOST_FILES:
            raise UsageError(
                f"{folder} is no skill: it has more than {MOST_FILES} files or "
                f"{MOST_BYTES // 1024 // 1024} MB"
            )
        content[name] = path.read_bytes()
    return content


def _files(folder: Path, prefix: str = "") -> Iterator[tuple[str, Path]]:
    """Regular files; links are not followed, and whatever else there is is left out."""
    if prefix.count("/") > DEEPEST:
        raise UsageError(f"{folder}: a skill has at most {DEEPEST} folders inside one another")
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name.casefold() in HIDDEN:
            continue
        if not _is_file_name(path.name):
            raise UsageError(f"{folder}: {path.name!r} cannot be the name of a file in a skill")
        if path.is_dir():
            yield from _files(path, f"{prefix}{path.name}/")
        elif path.is_file():
            yield prefix + path.name, path


def _number(asset: Asset[Meta]) -> int:
    return int(asset.meta.version[1:])


def _known(assets: tuple[Asset[Meta], ...]) -> str:
    names = sorted({asset.meta.name for asset in assets})
    return f"; it has {', '.join(names[:5])}" if names else ", which is empty"

"""One version of an asset, read as a whole."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.curate import library
from whet.curate.library import Asset
from whet.curate.places import no_link
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.cases import BaselineCase, BaselineCases

AnyAsset = Asset[SkillMeta] | Asset[BaselineMeta]

ENTRY = "SKILL.md"

OURS = frozenset(
    {
        "id",
        "version",
        "version_count",
        "case_count",
        "content_file",
        "status",
        "created_at",
        "updated_at",
    }
)
"""Fields of the metadata that the library sets and nobody else."""


@dataclass(frozen=True)
class Facts:
    """What a version says, as its history tells it; files of a package by their digest."""

    meta: Mapping[str, JsonValue]
    content: str | None = None
    package: Mapping[str, str] = field(default_factory=dict[str, str])
    executables: tuple[str, ...] = ()
    cases: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """By id, in their order."""

    rubric: JsonValue = None


@dataclass(frozen=True)
class SkillSnapshot:
    """A version of a skill."""

    meta: SkillMeta
    content: bytes
    package: Mapping[str, bytes] | None = None
    """The files by path, SKILL.md with the bytes of *content*; None for a text."""

    executables: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The content; bytes that are no UTF-8 come back as they were when it is encoded."""
        return self.content.decode(errors="surrogateescape")

    def facts(self) -> Facts:
        """As its history tells it."""
        files = self.package or {}
        return Facts(
            meta=_told(self.meta),
            content=self.text,
            package={path: digest_bytes(files[path]) for path in sorted(files)},
            executables=tuple(sorted(self.executables)),
        )


@dataclass(frozen=True)
class BaselineSnapshot:
    """A version of a baseline."""

    meta: BaselineMeta
    document: BaselineCases

    @property
    def cases(self) -> tuple[BaselineCase, ...]:
        """In their order."""
        return self.document.cases

    def facts(self) -> Facts:
        """As its history tells it."""
        rubric = self.document.rubric
        return Facts(
            meta=_told(self.meta),
            cases={case.id: case.to_data() for case in self.cases},
            rubric=rubric if rubric is None or isinstance(rubric, str) else rubric.to_data(),
        )


Snapshot = SkillSnapshot | BaselineSnapshot


@overload
def read(asset: Asset[SkillMeta]) -> SkillSnapshot: ...
@overload
def read(asset: Asset[BaselineMeta]) -> BaselineSnapshot: ...
def read(asset: AnyAsset) -> Snapshot:
    """All of one version; raises ``NotFound`` where its content is missing."""
    if isinstance(asset.meta, BaselineMeta):
        return BaselineSnapshot(asset.meta, library.cases(asset.folder))
    try:
        return _skill(asset.folder, asset.meta)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {error.filename or asset.folder}: {error.strerror}"
        ) from error


def _skill(folder: Path, meta: SkillMeta) -> SkillSnapshot:
    whole = no_link(folder / "package")
    if not whole.is_dir():
        path = no_link(folder / "content.txt")
        if not path.is_file():
            raise NotFound(f"{folder}: no content.txt")
        return SkillSnapshot(meta, path.read_bytes())
    files: dict[str, bytes] = {}
    executables: set[str] = set()
    left = library.MOST_BYTES
    for name, path in _files(whole):
        state = path.stat()
        left -= state.st_size
        if left < 0 or len(files) == library.MOST_FILES:
            raise UsageError(f"{whole} is too large to be the package of a skill")
        files[name] = path.read_bytes()
        if state.st_mode & stat.S_IXUSR:
            executables.add(name)
    if ENTRY not in files:
        raise NotFound(f"{whole}: no {ENTRY}")
    return SkillSnapshot(meta, files[ENTRY], files, frozenset(executables))


def _files(folder: Path, prefix: str = "") -> Iterator[tuple[str, Path]]:
    """Regular files, those that agents never get included; links are not followed."""
    if prefix.count("/") > library.DEEPEST:
        raise UsageError(f"{folder}: a package has at most {library.DEEPEST} levels of folders")
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path, f"{prefix}{path.name}/")
        elif path.is_file():
            yield prefix + path.name, path


def _told(meta: SkillMeta | BaselineMeta) -> dict[str, JsonValue]:
    written = meta.to_data()
    if not isinstance(written, dict):
        raise TypeError("metadata is an object")
    fields = {name: getattr(meta, name) for name in type(meta).model_fields}
    return {
        name: value
        for name, value in {**fields, **written}.items()
        if name not in OURS and value is not None
    }

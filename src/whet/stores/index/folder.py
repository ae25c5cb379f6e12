"""One folder of a version, read."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from whet.core.address import digest, digest_bytes, digest_tree
from whet.core.errors import InvalidDocument
from whet.documents.assets import BaselineMeta, SkillMeta, Tags
from whet.documents.cases import BaselineCase, BaselineCases
from whet.documents.text import parse_json
from whet.ports.listing import Kind
from whet.stores.index.grams import BARRIER
from whet.stores.index.look import Look, mode, noted, read_file

MOST_TEXT = 100_000
"""Characters of a content that can be found."""

MOST_BYTES = 256 * 1024 * 1024
"""Of everything that makes the content."""

MOST_FILES = 10_000
DEEPEST = 64
"""Of a package, as the library has it."""

PREVIEW = 200
_LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".ds_store"})
"""What other programs put into a package by themselves."""

_VERSION = re.compile(r"v([0-9]{1,9})")
_UNFIT = re.compile(r"[/\\\x00\ud800-\udfff]")


@dataclass(slots=True)
class Found(Look):
    """What lies in the folder of a version."""

    meta: SkillMeta | BaselineMeta | None = None
    """None where it cannot be listed at all."""

    tags: Tags = field(default_factory=lambda: Tags(manual=(), auto=()))
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The digests of what makes the content; empty where it cannot be read."""

    body: str = ""
    cases: tuple[BaselineCase, ...] | None = None
    """Of a baseline."""

    @property
    def digest(self) -> str | None:
        """Of the content."""
        return digest_tree(self.files) if self.files else None

    @property
    def number(self) -> int:
        """Of the version."""
        return int(self.meta.version[1:]) if self.meta else 0

    @property
    def is_package(self) -> bool:
        """Whether it is a skill with a SKILL.md."""
        return "package/SKILL.md" in self.files

    @property
    def preview(self) -> str:
        """How the content begins."""
        if self.cases is None:
            return self.body[:PREVIEW]
        return ", ".join(case.name for case in self.cases[:PREVIEW])[:PREVIEW]

    @property
    def fingerprint(self) -> str:
        """Of everything that was read."""
        return digest([*self.documents, self.digest, *self.problems])


def read_folder(folder: str, kind: Kind) -> Found:
    """Read the folder of a version."""
    found = Found()
    main = "content.txt" if kind == "skill" else "cases.json"
    names = [".", "meta.json", "tags.json", main]
    if kind == "skill":
        with noted(found):
            _add_package(folder, names)
    found.watch(folder, names)
    for read in (_read_meta, _read_tags, _read_skill if kind == "skill" else _read_cases):
        with noted(found):
            read(folder, kind, found)
    return found


def _read_meta(folder: str, kind: Kind, found: Found) -> None:
    data = found.document(folder, "meta.json")
    meta = (SkillMeta if kind == "skill" else BaselineMeta).parse(data, "meta.json")
    if not _VERSION.fullmatch(meta.version):
        raise InvalidDocument("meta.json", "version", f"must be v1, v2, …, found {meta.version!r}")
    if meta.id in ("", ".", "..") or _UNFIT.search(meta.id):
        raise InvalidDocument("meta.json", "id", f"{meta.id!r} is no file name")
    found.meta = meta


def _read_tags(folder: str, kind: Kind, found: Found) -> None:  # noqa: ARG001 - one shape for all
    if os.path.lexists(f"{folder}/tags.json"):
        found.tags = Tags.parse(found.document(folder, "tags.json"), "tags.json")


def _read_skill(folder: str, kind: Kind, found: Found) -> None:  # noqa: ARG001
    entry = "package/SKILL.md" if "package/SKILL.md" in found.watched else "content.txt"
    left = MOST_BYTES
    digests: dict[str, str] = {}
    for name in found.watched[3:]:
        if name != entry and not stat.S_ISREG(mode(folder, name)):
            continue
        data = read_file(folder, name, left)
        left -= len(data)
        digests[name] = digest_bytes(data)
        if name == entry:
            found.body = _text(data)
    found.files = digests


def _read_cases(folder: str, kind: Kind, found: Found) -> None:  # noqa: ARG001
    value = parse_json(read_file(folder, "cases.json", MOST_BYTES), "cases.json")
    document = BaselineCases.parse(value, "cases.json")
    found.files = {"cases.json": digest(value)}
    found.cases = document.cases
    texts = (
        text
        for case in document.cases
        for text in (case.name, case.input, case.expected_output, case.description)
    )
    found.body = BARRIER.join(texts)[:MOST_TEXT]


def _add_package(folder: str, names: list[str]) -> None:
    """Add every folder and file of the package, by path, up to the first that cannot be."""
    if not stat.S_ISDIR(mode(folder, "package")):
        return
    names.append("package")
    names.extend(_inside(f"{folder}/package", "package/"))
    if "package/SKILL.md" not in names:
        raise InvalidDocument("package", "", "no SKILL.md")


def _inside(folder: str, prefix: str) -> Iterator[str]:
    waiting = [(folder, prefix)]
    count = 0
    while waiting:
        place, before = waiting.pop()
        try:
            with os.scandir(place) as entries:
                here = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            raise InvalidDocument(before, "", error.strerror or "cannot be read") from error
        for entry in here:
            if entry.is_symlink() or entry.name.casefold() in _LEFT_OUT:
                continue
            name = before + entry.name
            if _UNFIT.search(entry.name):
                raise InvalidDocument(before, "", f"{entry.name!r} is no file name")
            count += 1
            if count > MOST_FILES or name.count("/") > DEEPEST:
                raise InvalidDocument("package", "", "too many files or folders")
            yield name
            if entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, f"{name}/"))


def _text(data: bytes) -> str:
    return data[: 4 * MOST_TEXT].decode(errors="replace").removeprefix("\ufeff")[:MOST_TEXT]

"""Find assets by any of their names, edit them, look back."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.curate import difference, snapshot, versions
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.difference import Difference
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.holding import Holding
from whet.curate.snapshot import AnyAsset
from whet.documents.cases import BaselineCase, BaselineCases
from whet.ports.clock import Clock
from whet.ports.entry import BaselineEntry, SkillEntry
from whet.ports.index import Index
from whet.ports.listing import Kind
from whet.stores.index import FileIndex

ABOUT = ("name", "purpose", "provider", "description", "author", "source")
"""What a person may set of the metadata of any asset."""


class Shelved(Value):
    """An asset that was made or changed, or found to be so already."""

    id: str
    name: str
    version: str
    path: str
    """Of the version's folder."""

    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """The assets of one kind; *index* follows the files.

    A *reference* is an id, its unique beginning, or a name. *expected* is the version that a
    change is meant for: where another one is the newest, ``Conflict`` is raised. None means the
    newest, whichever it is.
    """

    workspace: Path
    kind: Kind
    index: Index
    clock: Clock

    def entry(self, reference: str) -> SkillEntry | BaselineEntry:
        """An asset as the index knows it; raises ``NotFound``, and ``UsageError`` where several
        fit."""
        return self.index.get(self.kind, reference)

    def id_of(self, reference: str) -> str:
        """The whole id of an asset."""
        return self.entry(reference).meta.id

    def holding(self, reference: str) -> Holding:
        """Every version of an asset."""
        return versions.versions(self.workspace, self.id_of(reference))

    def version(self, reference: str, name: str | None = None) -> AnyAsset:
        """A version of an asset, the newest unless *name* says which."""
        held = self.holding(reference)
        return held.newest if name is None else held.version(name)

    def history(self, reference: str) -> versions.History:
        """What each edit changed."""
        return versions.history(self.workspace, self.id_of(reference))

    def difference(self, reference: str, left: str, right: str) -> Difference:
        """Any two versions, side by side."""
        held = self.holding(reference)
        both = (snapshot.read(held.version(name)) for name in (left, right))
        return difference.between(*both)

    def create(self, draft: SkillDraft | BaselineDraft) -> Shelved:
        """A new asset."""
        return self.shelved(versions.create(self.workspace, draft, self.clock.now()))

    def edit(
        self, reference: str, fields: Mapping[str, JsonValue], expected: str | None = None
    ) -> Shelved:
        """Change metadata, the text of a skill (``content``), or the ``cases`` and the ``rubric``
        of a baseline. Where nothing changes there is no new version."""
        change = _skill_change(fields) if self.kind == "skill" else _baseline_change(fields)
        return self.change(reference, change, expected)

    def change(
        self, reference: str, change: SkillChange | BaselineChange, expected: str | None = None
    ) -> Shelved:
        """The next version, with *change* in it."""
        identity, held = self._meant(reference, expected)
        if isinstance(change, SkillChange):
            made: AnyAsset = versions.edit(self.workspace, identity, held, change, self.clock.now())
        else:
            made = versions.edit(self.workspace, identity, held, change, self.clock.now())
        return self.shelved(made)

    def rollback(self, reference: str, to: str, expected: str | None = None) -> Shelved:
        """What an older version said, as the next one."""
        identity, held = self._meant(reference, expected)
        return self.shelved(versions.rollback(self.workspace, identity, to, held, self.clock.now()))

    def adopt(self, reference: str) -> Shelved:
        """Take an edit that was made outside as the next version."""
        entry = self.entry(reference)
        if not entry.edited_outside:
            raise UsageError(f"{entry.meta.name!r} was not edited outside: nothing to adopt")
        identity, version = entry.meta.id, entry.meta.version
        return self.shelved(versions.adopt(self.workspace, identity, version, self.clock.now()))

    def set_status(self, reference: str, status: Literal["active", "archived"]) -> Shelved:
        """Put an asset out of the way, or take it back; nothing is deleted."""
        change = versions.archive if status == "archived" else versions.restore
        return self.shelved(change(self.workspace, self.id_of(reference)))

    def shelved(self, asset: AnyAsset, *notes: str) -> Shelved:
        """What to tell of an asset that was changed; the index knows of it from now on."""
        self.index.refresh()
        meta, path = asset.meta, str(asset.folder)
        return Shelved(id=meta.id, name=meta.name, version=meta.version, path=path, notes=notes)

    def _meant(self, reference: str, expected: str | None) -> tuple[str, str]:
        identity = self.id_of(reference)
        held = expected or versions.versions(self.workspace, identity).newest.meta.version
        return identity, held


@contextmanager
def library(workspace: Path, kind: Kind, clock: Clock | None = None) -> Generator[Library]:
    """The library of a workspace, as its files are now."""
    workspace.mkdir(parents=True, exist_ok=True)
    index = FileIndex(workspace)
    try:
        index.refresh()
        yield Library(workspace, kind, index, clock or SystemClock())
    finally:
        index.close()


def _skill_change(fields: Mapping[str, JsonValue]) -> SkillChange:
    known = _texts(fields, (*ABOUT, "type", "content"))
    kind = known.pop("type", None)
    content = known.pop("content", None)
    match kind:
        case None | "skill" | "agent":
            return replace(SkillChange(type=kind, content=content), **known)
        case _:
            raise UsageError(f"type: must be skill or agent, not {kind!r}")


def _baseline_change(fields: Mapping[str, JsonValue]) -> BaselineChange:
    change = BaselineChange()
    if "cases" in fields:
        change = replace(change, cases=_cases(fields["cases"]))
    if "rubric" in fields:
        empty: dict[str, JsonValue] = {"baseline_id": "", "version": "", "cases": []}
        parsed = BaselineCases.parse({**empty, "rubric": fields["rubric"]}, "the edit")
        change = replace(change, rubric=parsed.rubric)
    others = {name: value for name, value in fields.items() if name not in ("cases", "rubric")}
    return replace(change, **_texts(others, ABOUT))


def _texts(fields: Mapping[str, JsonValue], known: tuple[str, ...]) -> dict[str, str]:
    """*fields*, if a person may set them; raises ``UsageError``."""
    found: dict[str, str] = {}
    for name, value in fields.items():
        if name not in known:
            raise UsageError(f"{name!r} cannot be set; these can: {', '.join(known)}")
        if not isinstance(value, str):
            raise UsageError(f"{name}: must be a text")
        found[name] = value
    return found


def _cases(given: JsonValue) -> tuple[BaselineCase, ...]:
    if not isinstance(given, list):
        raise UsageError("cases: must be a list")
    return tuple(BaselineCase.parse(each, f"cases[{n}]") for n, each in enumerate(given))

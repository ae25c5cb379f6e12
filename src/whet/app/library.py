"""The library as a person uses it: find assets by any of their names, edit them, look back."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.value import Value
from whet.curate import difference, snapshot, versions
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.difference import Difference
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import baseline_from
from whet.curate.intake.found import installed_skills, skills_from
from whet.curate.intake.given import Given, Imported
from whet.curate.snapshot import AnyAsset, BaselineSnapshot, SkillSnapshot
from whet.documents.cases import BaselineCase
from whet.ports.entry import BaselineEntry, Hit, SkillEntry
from whet.ports.index import Broken, Index
from whet.ports.listing import AssetQuery, Kind, Page, TextQuery
from whet.stores.index import FileIndex

_ABOUT = ("name", "purpose", "provider", "description", "author", "source")


class Shelved(Value):
    """An asset that was made or changed."""

    id: str
    name: str
    version: str
    path: str
    """Of the version's folder."""

    notes: tuple[str, ...] = ()


class Imports(Value):
    """What an import came to."""

    assets: tuple[Shelved, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """The assets of one kind; *index* follows the files."""

    workspace: Path
    kind: Kind
    index: Index

    def list(self, query: AssetQuery) -> Page[SkillEntry] | Page[BaselineEntry]:
        """One page."""
        return self.index.skills(query) if self.kind == "skill" else self.index.baselines(query)

    def search(self, text: str, page: int, page_size: int) -> Page[Hit]:
        """One page of what is found in any text of these assets."""
        return self.index.search(TextQuery(text, (self.kind,), page=page, page_size=page_size))

    def broken(self) -> Sequence[Broken]:
        """What cannot be read, and why."""
        return self.index.broken()

    def entry(self, reference: str) -> SkillEntry | BaselineEntry:
        """The asset with that id, unique beginning of an id, or name."""
        return self.index.get(self.kind, reference)

    def version(self, reference: str, name: str | None = None) -> AnyAsset:
        """A version of an asset, the newest unless *name* says which."""
        held = versions.versions(self.workspace, self._id(reference))
        return held.newest if name is None else held.version(name)

    def history(self, reference: str) -> versions.History:
        """What each edit changed."""
        return versions.history(self.workspace, self._id(reference))

    def difference(self, reference: str, left: str, right: str) -> Difference:
        """Any two versions, side by side."""
        held = versions.versions(self.workspace, self._id(reference))
        both = (snapshot.read(held.version(name)) for name in (left, right))
        return difference.between(*both)

    def create(self, draft: SkillDraft | BaselineDraft, now: datetime) -> Shelved:
        """A new asset."""
        return self._told(versions.create(self.workspace, draft, now))

    def take_in(self, path: Path, given: Given, now: datetime) -> Imports:
        """Everything of this kind at *path*; one that is broken hides no other."""
        if self.kind == "baseline":
            found = baseline_from(path, given, now)
            made = self.create(found.draft, now)
            return Imports(assets=(made.model_copy(update={"notes": found.notes}),))
        harvest = skills_from(path, given)
        return self._taken(harvest.skills, harvest.problems, now)

    def take_installed(self, roots: Sequence[Path], given: Given, now: datetime) -> Imports:
        """Every skill that agents find in these projects or homes."""
        harvest = installed_skills(roots, given)
        return self._taken(harvest.skills, harvest.problems, now)

    def edit(
        self, reference: str, fields: Mapping[str, JsonValue], expected: str | None, now: datetime
    ) -> Shelved:
        """Change metadata, the text of a skill (``content``) or the cases of a baseline.

        Without *expected* the newest version is meant, whichever it is.
        """
        identity = self._id(reference)
        held = expected or versions.versions(self.workspace, identity).newest.meta.version
        if self.kind == "skill":
            skill = _skill_change(fields)
            return self._told(versions.edit(self.workspace, identity, held, skill, now))
        baseline = _baseline_change(fields)
        return self._told(versions.edit(self.workspace, identity, held, baseline, now))

    def cases(self, reference: str) -> tuple[BaselineCase, ...]:
        """The cases of a baseline as they are now."""
        found = snapshot.read(self.version(reference))
        if not isinstance(found, BaselineSnapshot):
            raise UsageError(f"{reference} is no baseline")
        return found.cases

    def text(self, asset: AnyAsset) -> str:
        """The text of a skill version."""
        found = snapshot.read(asset)
        return found.text if isinstance(found, SkillSnapshot) else ""

    def rollback(self, reference: str, to: str, expected: str | None, now: datetime) -> Shelved:
        """What an older version said, as the next one."""
        identity = self._id(reference)
        held = expected or versions.versions(self.workspace, identity).newest.meta.version
        return self._told(versions.rollback(self.workspace, identity, to, held, now))

    def adopt(self, reference: str, now: datetime) -> Shelved:
        """Take an edit that was made outside as the next version."""
        entry = self.entry(reference)
        if not entry.edited_outside:
            raise UsageError(f"{entry.meta.name!r} was not edited outside: nothing to adopt")
        made = versions.adopt(self.workspace, entry.meta.id, entry.meta.version, now)
        return self._told(made)

    def set_status(self, reference: str, status: Literal["active", "archived"]) -> Shelved:
        """Put an asset out of the way, or take it back; nothing is deleted."""
        change = versions.archive if status == "archived" else versions.restore
        return self._told(change(self.workspace, self._id(reference)))

    def id_of(self, reference: str) -> str:
        """The whole id of an asset."""
        return self._id(reference)

    def _id(self, reference: str) -> str:
        return self.entry(reference).meta.id

    def _taken(
        self, found: Sequence[Imported[SkillDraft]], problems: tuple[str, ...], now: datetime
    ) -> Imports:
        made: list[Shelved] = []
        for each in found:
            shelved = self.create(each.draft, now)
            made.append(shelved.model_copy(update={"notes": each.notes}))
        return Imports(assets=tuple(made), problems=problems)

    def _told(self, asset: AnyAsset) -> Shelved:
        self.index.refresh()
        meta = asset.meta
        return Shelved(id=meta.id, name=meta.name, version=meta.version, path=str(asset.folder))


@contextmanager
def library(workspace: Path, kind: Kind) -> Generator[Library]:
    """The library of a workspace, as its files are now."""
    workspace.mkdir(parents=True, exist_ok=True)
    index = FileIndex(workspace)
    try:
        index.refresh()
        yield Library(workspace, kind, index)
    finally:
        index.close()


def _skill_change(fields: Mapping[str, JsonValue]) -> SkillChange:
    known = _texts(fields, (*_ABOUT, "type", "content"))
    kind = known.pop("type", None)
    content = known.pop("content", None)
    match kind:
        case None | "skill" | "agent":
            return replace(SkillChange(type=kind, content=content), **known)
        case _:
            raise UsageError(f"type: must be skill or agent, not {kind!r}")


def _baseline_change(fields: Mapping[str, JsonValue]) -> BaselineChange:
    rest = {name: value for name, value in fields.items() if name != "cases"}
    given = fields.get("cases")
    cases = None if given is None else _cases(given)
    return replace(BaselineChange(cases=cases), **_texts(rest, _ABOUT))


def _texts(fields: Mapping[str, JsonValue], known: Sequence[str]) -> dict[str, str]:
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

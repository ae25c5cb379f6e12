"""Find assets by any of their names, edit them, look back."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.app.library.rubrics import rubric_notes
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.value import Value
from whet.curate import difference, snapshot, versions
from whet.curate.change import KEEP, BaselineChange, SkillChange
from whet.curate.difference import Difference
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.holding import Holding
from whet.curate.intake.case_rows import as_given, is_storable, read_cases
from whet.curate.snapshot import AnyAsset
from whet.documents.cases import BaselineCase, BaselineCases
from whet.documents.rubrics import QualityRubric
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

    changed: bool = True
    """Whether this is new; False where it was so already."""

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
    follows: bool = True
    """Whether the index is told of each change at once; who makes many does so in the end."""

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
        made = versions.create(self.workspace, draft, self.clock.now())
        notes = rubric_notes(draft.rubric) if isinstance(draft, BaselineDraft) else ()
        return self.shelved(made, *notes)

    def edit(
        self, reference: str, fields: Mapping[str, JsonValue], expected: str | None = None
    ) -> Shelved:
        """Change metadata, the text of a skill (``content``), or the ``cases`` and the ``rubric``
        of a baseline. Where nothing changes there is no new version."""
        if self.kind == "skill":
            return self.change(reference, skill_change(fields), expected)
        return self.change(reference, baseline_change(fields, self.clock.now()), expected)

    def change(
        self, reference: str, change: SkillChange | BaselineChange, expected: str | None = None
    ) -> Shelved:
        """The next version, with *change* in it."""
        before = self.entry(reference)
        identity, held = self._meant(before.meta.id, expected)
        notes: tuple[str, ...] = ()
        if isinstance(change, SkillChange):
            made: AnyAsset = versions.edit(self.workspace, identity, held, change, self.clock.now())
        else:
            made = versions.edit(self.workspace, identity, held, change, self.clock.now())
            notes = () if change.rubric is KEEP else rubric_notes(change.rubric)
        changed = made.meta.version != held
        if changed and before.edited_outside and not _says_all(change):
            notes = (*notes, f"{held} was edited outside, and this has that edit in it")
        return self.shelved(made, *notes, changed=changed)

    def rollback(self, reference: str, to: str, expected: str | None = None) -> Shelved:
        """What an older version said, as the next one."""
        identity, held = self._meant(reference, expected)
        made = versions.rollback(self.workspace, identity, to, held, self.clock.now())
        return self.shelved(made, changed=made.meta.version != held)

    def adopt(self, reference: str) -> Shelved:
        """Take an edit that was made outside as the next version."""
        self.index.refresh()  # it may have been made this very moment
        entry = self.entry(reference)
        if not entry.edited_outside:
            raise UsageError(f"{entry.meta.name!r} was not edited outside: nothing to adopt")
        identity, held = entry.meta.id, entry.meta.version
        made = versions.adopt(self.workspace, identity, held, self.clock.now())
        return self.shelved(made, changed=made.meta.version != held)

    def set_status(self, reference: str, status: Literal["active", "archived"]) -> Shelved:
        """Put an asset out of the way, or take it back; nothing is deleted."""
        change = versions.archive if status == "archived" else versions.restore
        before = self.version(reference).meta
        made = change(self.workspace, before.id)
        return self.shelved(made, changed=before.status != status)

    def shelved(self, asset: AnyAsset, *notes: str, changed: bool = True) -> Shelved:
        """What to tell of an asset that was changed; the index knows of it from now on."""
        if self.follows:
            notes += self.followed(asset.folder)
        meta = asset.meta
        return Shelved(
            id=meta.id,
            name=meta.name,
            version=meta.version,
            path=str(asset.folder),
            changed=changed,
            notes=notes,
        )

    def followed(self, folder: Path | None = None) -> tuple[str, ...]:
        """Have the index follow what was written, in *folder* or anywhere. What keeps it from that
        is only told: the files are the truth, and whoever hears of a failure would write again."""
        try:
            if folder is None:
                self.index.refresh()
            else:
                self.index.look_at(folder.relative_to(self.workspace).as_posix())
        except EnvironmentProblem as error:
            return (f"lists do not show it yet: {error}",)
        return ()

    def _meant(self, reference: str, expected: str | None) -> tuple[str, str]:
        identity = self.id_of(reference)
        held = expected or versions.versions(self.workspace, identity).newest.meta.version
        return identity, held


@contextmanager
def library(workspace: Path, kind: Kind, clock: Clock | None = None) -> Generator[Library]:
    """The library of a workspace, as its files are now."""
    with index_of(workspace) as index:
        index.refresh()
        yield Library(workspace, kind, index, clock or SystemClock())


@contextmanager
def index_of(workspace: Path) -> Generator[Index]:
    """The index of a workspace, as it was left."""
    workspace.mkdir(parents=True, exist_ok=True)
    index = FileIndex(workspace)
    try:
        yield index
    finally:
        index.close()


def skill_change(fields: Mapping[str, JsonValue]) -> SkillChange:
    """What a person may set of a skill; raises ``UsageError``."""
    known = _texts(fields, (*ABOUT, "type", "content"))
    kind = known.pop("type", None)
    content = known.pop("content", None)
    if content is not None and not content.strip():
        raise UsageError("content: must not be empty")
    match kind:
        case None | "skill" | "agent":
            return replace(SkillChange(type=kind, content=content), **known)
        case _:
            raise UsageError(f"type: must be skill or agent, not {kind!r}")


def baseline_change(fields: Mapping[str, JsonValue], now: datetime) -> BaselineChange:
    """What a person may set of a baseline; raises ``UsageError``."""
    change = BaselineChange()
    if "cases" in fields:
        change = replace(change, cases=_cases(fields["cases"], now))
    if "rubric" in fields:
        change = replace(change, rubric=read_rubric(fields["rubric"]))
    others = {name: value for name, value in fields.items() if name not in ("cases", "rubric")}
    return replace(change, **_texts(others, ABOUT))


def read_rubric(given: JsonValue) -> str | QualityRubric | None:
    """A rubric, or the name of one, as a person gave it; raises ``UsageError``."""
    if not is_storable(given):
        raise UsageError("rubric: has a NUL or half a character in it")
    empty: dict[str, JsonValue] = {"baseline_id": "", "version": "", "cases": []}
    return BaselineCases.parse({**empty, "rubric": given}, "the baseline").rubric


def _says_all(change: SkillChange | BaselineChange) -> bool:
    """Whether nothing of the content before is left."""
    if isinstance(change, SkillChange):
        return change.content is not None or change.package is not None
    return change.cases is not None


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


def _cases(given: JsonValue, now: datetime) -> tuple[BaselineCase, ...]:
    if not isinstance(given, list):
        raise UsageError("cases: must be a list")
    cases, _ = read_cases(given, "the cases", now, checks_ids=False)
    return tuple(as_given(case, row) for case, row in zip(cases, given, strict=True))

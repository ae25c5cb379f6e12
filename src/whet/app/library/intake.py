"""The ways in: files, folders, uploads, what agents have installed, and what a person writes.

What is in the library already is not taken in a second time. Under the same name with another
content it is a new asset, or the next version of the one that is there if that is wanted.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar

from pydantic import JsonValue

from whet.app.library.library import Library, Shelved
from whet.core.errors import UsageError
from whet.core.naming import slug
from whet.core.value import Value
from whet.curate import snapshot
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import baseline_by_hand, baseline_from
from whet.curate.intake.found import installed_skills, skills_from
from whet.curate.intake.given import Given, Imported
from whet.curate.intake.skill_text import skill_from_text
from whet.curate.snapshot import AnyAsset, BaselineSnapshot, SkillSnapshot
from whet.ports.listing import LARGEST_PAGE, AssetQuery

Draft = TypeVar("Draft", SkillDraft, BaselineDraft)


class Taken(Shelved):
    """An asset that came in."""

    outcome: Literal["created", "updated", "unchanged"]


class Imports(Value):
    """What an import came to."""

    assets: tuple[Taken, ...]
    problems: tuple[str, ...] = ()
    """What could not be taken, and why; it hides nothing else."""


@dataclass(frozen=True)
class Intake:
    """Takes into *library* what a person has *given* more words about.

    With *update*, another content under a name that is there is its next version.
    """

    library: Library
    given: Given
    update: bool = False

    def path(self, path: Path) -> Imports:
        """Everything of the library's kind at *path*."""
        if self.library.kind == "skill":
            harvest = skills_from(path, self.given)
            return self._all(harvest.skills, harvest.problems)
        found = baseline_from(path, self.given, self.library.clock.now())
        return self._all([found])

    def installed(self, roots: Sequence[Path]) -> Imports:
        """Every skill that agents find in these projects or homes."""
        if self.library.kind != "skill":
            raise UsageError("agents have skills installed, not baselines")
        harvest = installed_skills(roots, self.given)
        return self._all(harvest.skills, harvest.problems)

    def upload(self, filename: str, data: bytes) -> Imports:
        """A file that somebody sends; its name is a stranger's, and only a hint."""
        named = PurePosixPath(filename.replace("\\", "/").replace("\0", ""))
        with tempfile.TemporaryDirectory(prefix="whet-") as folder:
            path = Path(folder) / (slug(named.stem, "upload", "-") + named.suffix.lower()[:10])
            path.write_bytes(data)
            return self.path(path)

    def text(self, text: str) -> Imports:
        """A skill that a person writes or pastes."""
        return self._all([skill_from_text(text, self.given)])

    def by_hand(self, cases: Sequence[JsonValue]) -> Imports:
        """A baseline that a person writes; it may be empty at first."""
        return self._all([baseline_by_hand(cases, self.given, self.library.clock.now())])

    def draft(self, draft: SkillDraft | BaselineDraft, notes: tuple[str, ...] = ()) -> Taken:
        """One asset."""
        twins = self._namesakes(draft)
        for twin in twins:
            if _is_same(draft, twin):
                done = self.library.shelved(twin, *notes, "it is in the library already")
                return _taken(done, "unchanged")
        if self.update and twins:
            if len(twins) > 1:
                ids = ", ".join(twin.meta.id for twin in twins)
                raise UsageError(
                    f"{draft.about.name!r} is the name of several assets; edit one by its id: {ids}"
                )
            change = _as_change(draft, self.given)
            done = self.library.change(twins[0].meta.id, change, twins[0].meta.version)
            return _taken(done, "updated", notes)
        told = [f"another of this name is there: {twin.meta.id}" for twin in twins[:1]]
        return _taken(self.library.create(draft), "created", (*notes, *told))

    def _all(
        self,
        found: Sequence[Imported[SkillDraft]] | Sequence[Imported[BaselineDraft]],
        problems: tuple[str, ...] = (),
    ) -> Imports:
        made: list[Taken] = []
        failed: list[str] = []
        for each in found:
            try:
                made.append(self.draft(each.draft, each.notes))
            except UsageError as error:
                if len(found) == 1:
                    raise
                failed.append(f"{each.draft.about.source or each.draft.about.name}: {error}")
        return Imports(assets=tuple(made), problems=(*problems, *failed))

    def _namesakes(self, draft: SkillDraft | BaselineDraft) -> list[AnyAsset]:
        """Active assets of the same name, where the person says so of the same purpose."""
        name = draft.about.name
        query = AssetQuery(
            keyword=name,
            purpose=self.given.purpose,
            provider=self.given.provider,
            page_size=LARGEST_PAGE,
        )
        index = self.library.index
        page = index.skills(query) if self.library.kind == "skill" else index.baselines(query)
        ids = [entry.meta.id for entry in page.items if entry.meta.name == name]
        return [self.library.version(identity) for identity in ids]


def _is_same(draft: SkillDraft | BaselineDraft, asset: AnyAsset) -> bool:
    held = snapshot.read(asset)
    if isinstance(draft, SkillDraft) and isinstance(held, SkillSnapshot):
        package = None if draft.package is None else dict(draft.package)
        mine = None if held.package is None else dict(held.package)
        kind = (held.meta.type, held.executables, mine)
        if (draft.type, draft.executables, package) != kind:
            return False
        return package is not None or draft.content.encode() == held.content
    if isinstance(draft, BaselineDraft) and isinstance(held, BaselineSnapshot):
        same_cases = _undated(draft) == _undated(replace(draft, cases=held.cases))
        return same_cases and draft.rubric == held.document.rubric
    return False


def _undated(draft: BaselineDraft) -> list[JsonValue]:
    """The cases without the moments at which they were written."""
    dates = {"created_at": "", "updated_at": ""}
    return [case.model_copy(update=dates).to_data() for case in draft.cases]


def _as_change(draft: SkillDraft | BaselineDraft, given: Given) -> SkillChange | BaselineChange:
    """The draft over what is there: what it says nothing about stays."""
    about = draft.about
    if isinstance(draft, SkillDraft):
        change: SkillChange | BaselineChange = SkillChange(
            type=given.type,
            content=draft.content if draft.package is None else None,
            package=draft.package,
            executables=draft.executables if draft.package is not None else None,
        )
    else:
        change = BaselineChange(cases=draft.cases, rubric=draft.rubric)
    return replace(
        change,
        purpose=given.purpose,
        provider=given.provider,
        description=about.description or None,
        author=about.author or None,
        source=about.source or None,
    )


def _taken(
    done: Shelved,
    outcome: Literal["created", "updated", "unchanged"],
    notes: tuple[str, ...] = (),
) -> Taken:
    said = (*done.notes, *notes)
    return Taken.model_validate({**done.model_dump(), "notes": said, "outcome": outcome})

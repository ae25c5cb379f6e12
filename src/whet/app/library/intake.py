"""The ways in: files, folders, uploads, what agents have installed, and what a person writes.

What is in the library already is not taken in a second time. Under the same name with another
content it is a new asset, or the next version of the one that is there if that is wanted.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import JsonValue

from whet.app.library.library import ABOUT, Library, Shelved, read_rubric
from whet.app.library.purposes import similar
from whet.core.asset_query import LARGEST_PAGE, AssetQuery
from whet.core.errors import UsageError
from whet.core.naming import slug
from whet.core.text import plain_name
from whet.core.value import Value
from whet.curate import changes, snapshot
from whet.curate.change import KEEP, BaselineChange, SkillChange
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import baseline_by_hand, baseline_from
from whet.curate.intake.found import installed_skills, skills_from
from whet.curate.intake.given import Given, Imported
from whet.curate.intake.skill_text import skill_from_text
from whet.curate.snapshot import AnyAsset, BaselineSnapshot, SkillSnapshot
from whet.documents.files import temporary_folder

Outcome = Literal["created", "updated", "unchanged"]

_SUFFIX = re.compile(r"\.[a-z0-9]{1,9}")


class Taken(Shelved):
    """An asset that came in."""

    outcome: Outcome


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

    def installed(
        self, roots: Sequence[Path], environment: Mapping[str, str] | None = None
    ) -> Imports:
        """Every skill that agents find in these projects or homes, and where the variables of the
        *environment* that are theirs lead."""
        if self.library.kind != "skill":
            raise UsageError("agents have skills installed, not baselines")
        harvest = installed_skills(roots, self.given, environment)
        return self._all(harvest.skills, harvest.problems)

    def upload(self, filename: str, data: bytes) -> Imports:
        """A file that somebody sends; its name is a stranger's, and only a hint."""
        with _as_file(filename, data) as path:
            return self.path(path)

    def onto(self, reference: str, path: Path, expected: str | None = None) -> Taken:
        """The skill at *path* as the next version of one that is there, whatever its name.

        Of the metadata only what is given changes. A file of one text is that of a package's
        SKILL.md, whose other files stay.
        """
        harvest = skills_from(path, self.given)
        if len(harvest.skills) != 1:
            why = harvest.problems[0] if harvest.problems else f"it has {len(harvest.skills)}"
            raise UsageError(f"{path} is not one skill: {why}")
        found = harvest.skills[0]
        change = _with_given(_content(found.draft), self.given)
        return _changed(self.library.change(reference, change, expected), found.notes)

    def upload_onto(
        self, reference: str, filename: str, data: bytes, expected: str | None = None
    ) -> Taken:
        """The same for a file that somebody sends."""
        with _as_file(filename, data) as path:
            return self.onto(reference, path, expected)

    def text(self, text: str) -> Imports:
        """A skill that a person writes or pastes."""
        return self._all([skill_from_text(text, self.given)])

    def by_hand(self, cases: Sequence[JsonValue], rubric: JsonValue = None) -> Imports:
        """A baseline that a person writes; it may be empty at first."""
        made = baseline_by_hand(cases, self.given, self.library.clock.now())
        draft = replace(made.draft, rubric=read_rubric(rubric))
        return self._all([Imported(draft, made.notes)])

    def draft(self, draft: SkillDraft | BaselineDraft, notes: tuple[str, ...] = ()) -> Taken:
        """One asset."""
        twins = list(self._namesakes(draft))
        same = next((twin for twin in twins if _is_same(draft, twin)), None)
        if same is not None:
            return self._again(same, notes)
        if self.update and twins:
            if len(twins) > 1:
                ids = ", ".join(twin.meta.id for twin in twins)
                raise UsageError(
                    f"{draft.about.name!r} is the name of several assets; edit one by its id: {ids}"
                )
            change = _as_change(draft, self.given)
            done = self.library.change(twins[0].meta.id, change, twins[0].meta.version)
            return _changed(done, notes)
        told = [f"another of this name is there: {twin.meta.id}" for twin in twins[:1]]
        if alike := similar(self.library, draft.about.purpose):
            told.append(f"a similar purpose exists: {alike}")
        return _taken(self.library.create(draft), "created", (*notes, *told))

    def _again(self, same: AnyAsset, notes: tuple[str, ...]) -> Taken:
        """What is there already; of its metadata only what the person says may be new."""
        if not self.update:
            done = self.library.shelved(same, changed=False)
        else:
            empty = SkillChange() if self.library.kind == "skill" else BaselineChange()
            change = _with_given(empty, self.given)
            done = self.library.change(same.meta.id, change, same.meta.version)
        known = () if done.changed else ("it is in the library already",)
        return _changed(done, (*notes, *known))

    def _all(
        self,
        found: Sequence[Imported[SkillDraft]] | Sequence[Imported[BaselineDraft]],
        problems: tuple[str, ...] = (),
    ) -> Imports:
        if len(found) == 1:
            return Imports(assets=(self.draft(found[0].draft, found[0].notes),), problems=problems)
        made: list[Taken] = []
        failed: list[str] = []
        quiet = replace(self, library=replace(self.library, follows=False))
        seen: set[str] = set()
        for each in found:
            name = plain_name(each.draft.about.name)
            if name in seen:  # it may be the next version of what has just come in
                self.library.index.refresh()
            seen.add(name)
            try:
                made.append(quiet.draft(each.draft, each.notes))
            except UsageError as error:
                failed.append(f"{each.draft.about.source or name}: {error}")
        failed += self.library.followed()
        return Imports(assets=tuple(made), problems=(*problems, *failed))

    def _namesakes(self, draft: SkillDraft | BaselineDraft) -> Iterator[AnyAsset]:
        """Active assets of the same name, where the person says so of the same purpose."""
        name, index = plain_name(draft.about.name), self.library.index
        query = AssetQuery(
            keyword=name,
            purpose=self.given.purpose,
            provider=self.given.provider,
            sort="name",
            page_size=LARGEST_PAGE,
        )
        while True:
            page = index.skills(query) if self.library.kind == "skill" else index.baselines(query)
            for entry in page.items:
                if plain_name(entry.meta.name) == name:
                    yield self.library.version(entry.meta.id)
            if query.page * LARGEST_PAGE >= page.total:
                return
            query = query.model_copy(update={"page": query.page + 1})


@contextmanager
def _as_file(filename: str, data: bytes) -> Generator[Path]:
    named = PurePosixPath(filename.replace("\\", "/"))
    suffix = named.suffix.lower()
    name = slug(named.stem, "upload", "-") + (suffix if _SUFFIX.fullmatch(suffix) else "")
    with temporary_folder() as folder:
        path = folder / name
        path.write_bytes(data)
        try:
            yield path
        except UsageError as error:
            # Whoever sent it knows nothing of our folder.
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


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
        mine = replace(draft, cases=held.cases, rubric=held.document.rubric)
        return changes.same(_undated(draft), _undated(mine))
    return False


def _undated(draft: BaselineDraft) -> list[JsonValue]:
    """The cases, without the moments at which they were written, and the rubric."""
    dates = {"created_at": "", "updated_at": ""}
    rubric = draft.rubric if isinstance(draft.rubric, str | None) else draft.rubric.to_data()
    return [rubric, *(case.model_copy(update=dates).to_data() for case in draft.cases)]


def _as_change(draft: SkillDraft | BaselineDraft, given: Given) -> SkillChange | BaselineChange:
    """The draft over what is there: what it says nothing about stays."""
    about = draft.about
    change = replace(
        _content(draft),
        description=about.description or None,
        author=about.author or None,
        source=about.source or None,
    )
    return _with_given(change, given)


def _content(draft: SkillDraft | BaselineDraft) -> SkillChange | BaselineChange:
    if isinstance(draft, BaselineDraft):
        rubric = KEEP if draft.rubric is None else draft.rubric
        return BaselineChange(cases=draft.cases, rubric=rubric)
    # Nobody has to say that a skill is one: only "agent" was surely meant.
    kind = "agent" if draft.type == "agent" else None
    if draft.package is None:
        return SkillChange(type=kind, content=draft.content)
    return SkillChange(type=kind, package=draft.package, executables=draft.executables)


def _with_given(change: SkillChange | BaselineChange, given: Given) -> SkillChange | BaselineChange:
    said = {name: getattr(given, name) for name in ABOUT}
    said["type"] = given.type if isinstance(change, SkillChange) else None
    return replace(change, **{name: text for name, text in said.items() if text is not None})


def _changed(done: Shelved, notes: tuple[str, ...]) -> Taken:
    return _taken(done, "updated" if done.changed else "unchanged", notes)


def _taken(done: Shelved, outcome: Outcome, notes: tuple[str, ...]) -> Taken:
    said = (*done.notes, *notes)
    return Taken.model_validate({**done.model_dump(), "notes": said, "outcome": outcome})

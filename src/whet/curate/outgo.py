"""Skills and baselines on their way out, in forms that the intake reads back as they were."""

import contextlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from whet.core.counts import counted
from whet.core.errors import Conflict, EnvironmentProblem, InvalidDocument, UsageError
from whet.core.front_matter import entries
from whet.core.naming import slug
from whet.core.text import storable
from whet.curate.archive import Tree, archive_bytes, check_paths
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.intake.baseline_csv import COLUMNS, rows_to_csv
from whet.curate.intake.baseline_evals import baseline_name, evals_of
from whet.curate.intake.baseline_files import BaselineFile
from whet.curate.intake.given import Given
from whet.curate.intake.given import about as read_back
from whet.curate.intake.skill_text import SkillFile, of_itself
from whet.curate.library import Asset
from whet.curate.lint.secrets import secrets_in, why_secret
from whet.curate.segments import segment, shown
from whet.curate.snapshot import ENTRY, read
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.files import reason, unfinished_folder

_METADATA = ("name", "purpose", "provider", "description", "author")
"""What an import should read back; where something came from is another place by then."""


@dataclass(frozen=True)
class Exported:
    """The content of a file, and what it could not hold."""

    data: bytes
    notes: tuple[str, ...] = ()


def skill_draft(asset: Asset[SkillMeta]) -> SkillDraft:
    """A version of a skill as it could be imported elsewhere."""
    snapshot = read(asset)
    try:
        text = snapshot.content.decode()
    except UnicodeDecodeError:
        raise InvalidDocument(asset.folder / "content.txt", "", "is no UTF-8 text") from None
    return SkillDraft(
        about=_about(asset.meta),
        type=asset.meta.type,
        content=text,
        package=snapshot.package,
        executables=snapshot.executables,
    )


def baseline_draft(asset: Asset[BaselineMeta]) -> BaselineDraft:
    """A version of a baseline as it could be imported elsewhere."""
    document = read(asset).document
    return BaselineDraft(_about(asset.meta), document.cases, document.rubric)


def skill_text(draft: SkillDraft) -> Exported:
    """The text; of a package its SKILL.md alone. Raises ``UsageError`` for one with a secret."""
    _refuse_secret(draft.content.encode(errors="replace"))
    fallback = slug(draft.about.name, "skill", "-")
    notes = (*_other_files(draft), *_unsaid(draft, of_itself(draft.content), fallback))
    return Exported(draft.content.encode(), notes)


def skill_json(draft: SkillDraft) -> Exported:
    """Text and metadata in one JSON file; raises ``UsageError`` for a text with a secret."""
    _refuse_secret(draft.content.encode(errors="replace"))
    about = draft.about
    file = SkillFile(
        name=about.name,
        description=about.description,
        author=about.author,
        source=about.source,
        purpose=about.purpose,
        provider=about.provider,
        type=draft.type,
        content=draft.content,
    )
    return Exported(file.to_json().encode(), _other_files(draft))


def skill_zip(draft: SkillDraft) -> Exported:
    """The folder in a zip, without files that may hold a secret, which the notes name; the same
    skill always gives the same bytes. Raises ``UsageError`` for a SKILL.md with a secret."""
    return Exported(archive_bytes(_tree(draft), folder_name(draft)), folder_notes(draft))


def skill_folder(draft: SkillDraft, target: Path) -> Path:
    """Write the folder, which appears whole or not at all, without files that may hold a secret.

    A text becomes a folder with a SKILL.md. Raises ``Conflict`` where *target* is there already,
    and ``UsageError`` for a SKILL.md with a secret.
    """
    tree = _tree(draft)
    check_paths(tree.content, "the package")
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            target.lstat()
            raise Conflict(str(target), "nothing there", "a file or folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(target.parent) as temporary:
            folder = Path(temporary) / "skill"
            folder.mkdir()
            for path, data in tree.content.items():
                place = folder / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
                place.chmod(0o755 if path in tree.executables else 0o644)
            return folder.rename(target)
    except ValueError:
        raise UsageError(f"{shown(str(target))} cannot be the name of a folder") from None
    except (OSError, shutil.Error) as error:
        raise EnvironmentProblem(f"cannot write {target}: {reason(error)}") from error


def folder_notes(draft: SkillDraft) -> tuple[str, ...]:
    """What the folder of a skill, packed or not, has no place for, and what is not given away."""
    text = _tree(draft).content[ENTRY].decode(errors="replace")
    secret = (f"{shown(path)} is left out: it may hold a secret" for path in _secret_files(draft))
    return (*_unsaid(draft, of_itself(text), folder_name(draft)), *secret)


def folder_name(draft: SkillDraft) -> str:
    """The name of the skill as that of a folder."""
    name = slug(draft.about.name, "skill", "-")
    try:
        return segment(name, "name")
    except UsageError:
        return f"skill-{name}"


def baseline_json(draft: BaselineDraft, identity: str = "", version: str = "v1") -> Exported:
    """``cases.json`` of the workspace format, with the metadata beside the cases."""
    about = draft.about
    data: dict[str, JsonValue] = {
        "baseline_id": identity,
        "version": version,
        "name": about.name,
        "description": about.description,
        "author": about.author,
        "source": about.source,
        "purpose": about.purpose,
        "provider": about.provider,
        "cases": [case.to_data() for case in draft.cases],
    }
    rubric = draft.rubric
    if rubric is not None:
        data["rubric"] = rubric if isinstance(rubric, str) else rubric.to_data()
    return Exported(BaselineFile.parse(data, about.name).to_json().encode())


def baseline_csv(draft: BaselineDraft) -> Exported:
    """A table, one case a row, with a byte order mark so that spreadsheets know what it is."""
    rows = [_row(case.to_data()) for case in draft.cases]
    notes = [*_unsaid(draft, Given(), slug(draft.about.name, "baseline", "-"))]
    if draft.rubric is not None:
        notes.append("a table has no place for the rubric of the whole set")
    if unknown := sorted({key for row in rows for key in row} - set(COLUMNS)):
        notes.append(f"left out: {', '.join(map(repr, unknown))}")
    text = rows_to_csv(rows)
    if (whole := storable(text)) != text:
        notes.append("half a character is written as ?")
    return Exported(whole.encode("utf-8-sig"), tuple(notes))


def baseline_evals(draft: BaselineDraft) -> Exported:
    """``evals.json`` of a skill."""
    suite, notes = evals_of(draft)
    own = Given(name=baseline_name(suite.skill_name))
    return Exported(suite.to_json().encode(), (*_unsaid(draft, own, ""), *notes))


def _tree(draft: SkillDraft) -> Tree:
    """What is given away of a skill."""
    if draft.package is not None:
        kept = {path: draft.package[path] for path in draft.package}
        for path in _secret_files(draft):
            if path == ENTRY:
                _refuse_secret(kept[path])
            del kept[path]
        return Tree(kept, draft.executables & kept.keys())
    text = draft.content
    _refuse_secret(text.encode(errors="replace"))
    if entries(text) is None:
        name, description = folder_name(draft), " ".join(draft.about.description.split())
        said = json.dumps(description or draft.about.name, ensure_ascii=False)
        text = f"---\nname: {name}\ndescription: {said}\n---\n\n{text}"
    return Tree({ENTRY: text.encode()})


def _secret_files(draft: SkillDraft) -> list[str]:
    """The files that stay behind, as they do where a skill is packed."""
    return [path for path, data in sorted((draft.package or {}).items()) if why_secret(path, data)]


def _refuse_secret(text: bytes) -> None:
    if secrets_in(text):
        raise UsageError(
            "the skill has a secret in its text (see whet skill lint), which is never exported; "
            "take it out and save a new version"
        )


def _other_files(draft: SkillDraft) -> tuple[str, ...]:
    others = len(draft.package or {}) - 1
    return (
        (f"left out: {counted(others, 'other file', 'other files')} of the package",)
        if others > 0
        else ()
    )


def _unsaid(draft: SkillDraft | BaselineDraft, own: Given, fallback: str) -> tuple[str, ...]:
    """A note that names the metadata that an import would not read back."""
    told = read_back(Given(), own, fallback, draft.about.source)
    lost = [name for name in _METADATA if getattr(told, name) != getattr(draft.about, name)]
    if isinstance(draft, SkillDraft) and draft.type != "skill":
        lost.append("type")
    return (f"left out: {', '.join(lost)}",) if lost else ()


def _about(meta: SkillMeta | BaselineMeta) -> About:
    return About(
        name=meta.name,
        purpose=meta.purpose,
        provider=meta.provider,
        description=meta.description,
        author=meta.author,
        source=meta.source,
    )


def _row(data: JsonValue) -> dict[str, JsonValue]:
    return data if isinstance(data, dict) else {}

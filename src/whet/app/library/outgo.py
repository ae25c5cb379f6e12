"""The ways out: an asset as a file, in forms that can be taken in again."""

from pathlib import Path
from typing import Literal, get_args

from whet.app.library.library import Library
from whet.core.errors import UsageError
from whet.core.naming import slug
from whet.core.value import Value
from whet.curate import outgo
from whet.curate.draft import SkillDraft
from whet.curate.library import Asset
from whet.curate.outgo import Exported
from whet.documents.assets import BaselineMeta, SkillMeta

SkillForm = Literal["text", "json", "zip"]
BaselineForm = Literal["json", "csv", "evals"]

MEDIA_TYPES = {
    "text": "text/markdown; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
    "csv": "text/csv; charset=utf-8",
    "evals": "application/json",
}
_SUFFIXES = {"text": ".md", "zip": ".zip", "json": ".json", "csv": ".csv", "evals": ".evals.json"}


class Parcel(Value):
    """A file to take away."""

    filename: str
    media_type: str
    data: bytes
    notes: tuple[str, ...]
    """What the form could not hold."""


def parcel(library: Library, reference: str, form: str, version: str | None = None) -> Parcel:
    """A version of an asset in one file; raises ``UsageError`` for a form it does not have."""
    asset = library.version(reference, version)
    if isinstance(asset.meta, SkillMeta):
        made = _skill(Asset(asset.folder, asset.meta), form)
    else:
        made = _baseline(Asset(asset.folder, asset.meta), form)
    return Parcel(
        filename=slug(asset.meta.name, asset.meta.id, "-") + _SUFFIXES[form],
        media_type=MEDIA_TYPES[form],
        data=made.data,
        notes=made.notes,
    )


def folder(library: Library, reference: str, target: Path, version: str | None = None) -> Path:
    """Write a version of a skill as a folder with a SKILL.md, which must not be there yet."""
    return outgo.skill_folder(skill_draft(library, reference, version), target)


def skill_draft(library: Library, reference: str, version: str | None = None) -> SkillDraft:
    """A version of a skill as it could be imported elsewhere."""
    asset = library.version(reference, version)
    if not isinstance(asset.meta, SkillMeta):
        raise UsageError(f"{reference!r} is no skill")
    return outgo.skill_draft(Asset(asset.folder, asset.meta))


def _skill(asset: Asset[SkillMeta], form: str) -> Exported:
    draft = outgo.skill_draft(asset)
    match form:
        case "text":
            return outgo.skill_text(draft)
        case "json":
            return outgo.skill_json(draft)
        case "zip":
            return outgo.skill_zip(draft)
        case _:
            raise UsageError(f"a skill is exported as {_choice(SkillForm)}, not {form!r}")


def _baseline(asset: Asset[BaselineMeta], form: str) -> Exported:
    draft = outgo.baseline_draft(asset)
    match form:
        case "json":
            return outgo.baseline_json(draft, asset.meta.id, asset.meta.version)
        case "csv":
            return outgo.baseline_csv(draft)
        case "evals":
            return outgo.baseline_evals(draft)
        case _:
            raise UsageError(f"a baseline is exported as {_choice(BaselineForm)}, not {form!r}")


def _choice(forms: object) -> str:
    return ", ".join(get_args(forms))

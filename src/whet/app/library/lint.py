"""Skills of the library, and those that somebody sends, held against the specification."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from whet.app.library.library import Library
from whet.app.library.outgo import Parcel, folder, skill_draft
from whet.app.library.unpacked import shown_name, unpacked
from whet.core.errors import InvalidImport, InvalidSkill, NotFound
from whet.core.naming import slug
from whet.curate import pack
from whet.curate.intake.skill_text import of_itself
from whet.curate.lint.folder import skill_folders
from whet.curate.lint.identity import is_name
from whet.curate.lint.registry import lint
from whet.curate.lint.report import Report
from whet.curate.outgo import folder_name
from whet.curate.places import no_link
from whet.documents.files import temporary_folder

PACKAGE = "package"


def lint_version(library: Library, reference: str, version: str | None = None) -> Report:
    """What is wrong with a version of a skill."""
    with as_folder(library, reference, version) as place:
        report = lint(place)
    # Of a folder that is gone the name alone is worth telling.
    shown = place if place.is_dir() else Path(report.name)
    return replace(report, folder=shown, name=library.entry(reference).meta.name)


def lint_upload(filename: str, data: bytes) -> list[Report]:
    """What is wrong with each skill in a zip; folders are told as they are in it."""
    with unpacked(data, filename) as place:
        try:
            folders = skill_folders(place)
        except NotFound:
            problem = "is no skill and has none in it: there is no SKILL.md"
            raise InvalidImport(shown_name(filename), [problem]) from None
        return [replace(lint(one), folder=one.relative_to(place)) for one in folders]


def packed(
    library: Library,
    reference: str,
    version: str | None = None,
    *,
    keep_evals: bool = False,
    force: bool = False,
) -> Parcel:
    """A version of a skill as a ``.skill`` file; raises ``InvalidSkill`` unless *force* is given
    or there are no errors."""
    with as_folder(library, reference, version) as place:
        wrapped = pack.parcel(place, keep_evals=keep_evals)
        name = library.entry(reference).meta.name
        if wrapped.errors and not force:
            errors = [f"{e.path}:{e.line} {e.rule.id} {e.message}" for e in wrapped.errors]
            raise InvalidSkill(name, errors)
        if wrapped.name == place.name == PACKAGE:  # as the library calls the folder, not the skill
            wrapped = replace(wrapped, name=slug(name, "skill", "-"))
        return Parcel(
            filename=f"{wrapped.name}.skill",
            media_type="application/zip",
            data=pack.archive(wrapped),
            notes=tuple(f"left out: {path} ({why})" for path, why in wrapped.left_out),
        )


@contextmanager
def as_folder(library: Library, reference: str, version: str | None = None) -> Generator[Path]:
    """A version as a folder with a SKILL.md: a package where it lies, a text in one that is
    called as it calls itself."""
    asset = library.version(reference, version)
    package = no_link(asset.folder / PACKAGE)
    if library.kind == "skill" and package.is_dir():
        yield package
        return
    identity, version = asset.meta.id, asset.meta.version
    draft = skill_draft(library, identity, version)
    own = of_itself(draft.content).name or ""
    with temporary_folder() as above:
        name = own if is_name(own) else folder_name(draft)
        yield folder(library, identity, above / name, version)

"""``/v1/skills``: what skills alone have, and all that they share with baselines."""

from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import JsonValue, StrictBool

from whet import __version__
from whet.app.library.intake import Imports, Intake, Taken
from whet.app.library.library import Shelved
from whet.app.library.lint import lint_upload, lint_version, packed
from whet.app.library.outgo import MEDIA_TYPES, SkillForm, parcel
from whet.app.library.requests import About, SkillImportRequest, Type
from whet.app.library.views import AssetPage, page
from whet.core.asset_query import SkillQuery
from whet.core.text_patterns import ends_with, fits
from whet.core.value import RequestModel
from whet.curate.intake import skill_text, skill_zip
from whet.curate.intake.given import Given
from whet.curate.lint.report import as_json
from whet.curate.lint.sarif import as_sarif
from whet.server import assets, shelves, tags
from whet.server.desk import AtDesk
from whet.server.shelves import (
    KNOWN,
    AboutEdit,
    AtShelf,
    Expected,
    FileName,
    Form,
    Reference,
    Version,
    edited,
    taken,
)
from whet.server.transfer import RAW, Body, attachment, file_of

router = APIRouter(prefix="/v1/skills", tags=["skills"], dependencies=[Depends(shelves.skills)])

SkillFile = Annotated[FileName, ends_with((*skill_text.SUFFIXES, *skill_zip.SUFFIXES))]
PackageFile = Annotated[FileName, ends_with((".md", ".txt", *skill_zip.SUFFIXES))]
LintForm = Annotated[Literal["json", "sarif"], Form]


class NewSkill(About):
    """A skill that a person writes; what is not said is taken from its front matter."""

    type: Type = None
    content: Annotated[str, fits(r"\S")]


class SkillEdit(AboutEdit):
    """What is to be changed of a skill."""

    type: Type = None
    content: Annotated[str, fits(r"\S")] | None = None
    """The text; of a package that of its SKILL.md."""


class SkillUpload(SkillImportRequest):
    """What a person says of a file with a skill, or several."""

    filename: SkillFile


class Package(RequestModel):
    """A file that takes the place of a skill's text or package."""

    filename: PackageFile
    expected_version: Expected


class Installed(RequestModel):
    """What a person says of all skills that agents have."""

    purpose: str | None = None
    provider: str | None = None
    update: StrictBool = False


_ALL = Installed()


@router.get("")
def every(wanted: Annotated[SkillQuery, Query()], shelf: AtShelf) -> AssetPage:
    """List skills."""
    return page(shelf, wanted)


@router.post("", status_code=HTTPStatus.CREATED, responses=KNOWN)
def create(skill: NewSkill, shelf: AtShelf, response: Response) -> Taken:
    """Make a skill of a text; 200 if it is there already."""
    return taken(Intake(shelf, skill.given()).text(skill.content), response)


@router.post("/import", openapi_extra=RAW)
def take_in(words: Annotated[SkillUpload, Query()], data: Body, shelf: AtShelf) -> Imports:
    """Import every skill in a file: .zip, .skill, .md, .txt or .json."""
    return Intake(shelf, words.given(), words.update).upload(words.filename, data)


@router.post("/import-installed")
def take_in_installed(shelf: AtShelf, desk: AtDesk, words: Installed = _ALL) -> Imports:
    """Import every skill that agents have in the server's home and in its working folder."""
    intake = Intake(shelf, Given(purpose=words.purpose, provider=words.provider), words.update)
    machine = desk.app.settings.machine
    return intake.installed([machine.home, Path.cwd()], machine.environment)


@router.post("/lint", openapi_extra=RAW)
def lint_sent(
    data: Body,
    filename: Annotated[str, Query(description="Of the zip.")] = "skills.zip",
    form: LintForm = "json",
) -> dict[str, JsonValue]:
    """Hold every skill in a zip against the specification; nothing of it is kept."""
    reports = lint_upload(filename, data)
    return as_json(reports) if form == "json" else as_sarif(reports, Path.cwd(), __version__)


router.include_router(assets.router)


@router.patch("/{reference}")
def edit(reference: Reference, change: SkillEdit, shelf: AtShelf) -> Shelved:
    """Change fields or the text: the next version."""
    return edited(shelf, reference, change)


@router.put("/{reference}/package", openapi_extra=RAW)
def replace(
    reference: Reference, words: Annotated[Package, Query()], data: Body, shelf: AtShelf
) -> Taken:
    """Put a file (.zip, .skill, .md, .txt) in place of the text or package: the next version.

    Of a package, a text replaces the SKILL.md, and the other files stay.
    """
    return Intake(shelf, Given()).upload_onto(
        reference, words.filename, data, words.expected_version
    )


@router.get(
    "/{reference}/export", response_class=Response, responses=file_of(*MEDIA_TYPES.values())
)
def export(
    reference: Reference,
    shelf: AtShelf,
    form: Annotated[SkillForm, Form] = "zip",
    version: Version = None,
) -> Response:
    """Take a version away as a file that can be imported again."""
    return attachment(parcel(shelf, reference, form, version))


@router.get("/{reference}/lint")
def lint(
    reference: Reference, shelf: AtShelf, form: LintForm = "json", version: Version = None
) -> dict[str, JsonValue]:
    """Hold a version against the specification."""
    reports = [lint_version(shelf, reference, version)]
    return as_json(reports) if form == "json" else as_sarif(reports, shelf.workspace, __version__)


@router.get("/{reference}/pack", response_class=Response, responses=file_of("application/zip"))
def pack(
    reference: Reference,
    shelf: AtShelf,
    version: Version = None,
    *,
    evals: Annotated[bool, Query(description="Keep the skill's own evals.")] = False,
    force: Annotated[bool, Query(description="Also with errors in it.")] = False,
) -> Response:
    """Take a version away as a .skill file, if lint finds no errors in it."""
    return attachment(packed(shelf, reference, version, keep_evals=evals, force=force))


router.include_router(tags.router)

"""``/v1/baselines``: what baselines alone have, and all that they share with skills."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import ConfigDict, Field, JsonValue

from whet.app.library import cases
from whet.app.library.cases import CaseList, ShelvedCases
from whet.app.library.intake import Imports, Intake, Taken
from whet.app.library.library import Shelved
from whet.app.library.outgo import MEDIA_TYPES, BaselineForm, parcel
from whet.app.library.requests import About, ImportRequest
from whet.app.library.views import AssetPage, page
from whet.core.asset_query import AssetQuery
from whet.core.text_patterns import FOLDER, LINE, ends_with, or_empty
from whet.core.value import RequestModel
from whet.curate.intake.baseline_files import SUFFIXES
from whet.curate.intake.case_rows import CATEGORIES
from whet.curate.segments import LONGEST_SEGMENT
from whet.server import assets, shelves, tags
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

router = APIRouter(
    prefix="/v1/baselines", tags=["baselines"], dependencies=[Depends(shelves.baselines)]
)


CaseId = Annotated[str, Path(description="The id of a case.")]


_CHECK: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
}
_DIMENSION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": r"\S"},
        "weight": {"type": "number", "exclusiveMinimum": 0},
    },
    "required": ["name", "weight"],
}
_RUBRIC: dict[str, Any] = {
    "type": ["string", "object", "null"],
    "properties": {"dimensions": {"type": "array", "items": _DIMENSION, "minItems": 1}},
    "required": ["dimensions"],
}
"""How the contract describes a rubric, or its name."""

_CASE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": or_empty(FOLDER), "maxLength": LONGEST_SEGMENT},
        "name": {"type": "string"},
        "category": {"enum": [*CATEGORIES]},
        "input": {"type": "string", "pattern": r"\S"},
        "expected_output": {"type": "string"},
        "description": {"type": "string"},
        "checks": {"type": ["array", "null"], "items": _CHECK},
        "files": {"type": ["array", "null"], "items": {"type": "string"}},
        "weight": {"type": ["number", "null"], "minimum": 0},
        "timeout_seconds": {"type": ["number", "null"], "minimum": 0},
        "rubric": _RUBRIC,
    },
    "required": ["input"],
}
"""How the contract describes a case; it may have all fields of the format."""

Cases = Annotated[list[JsonValue], Field(json_schema_extra={"items": _CASE})]
Rubric = Annotated[JsonValue, Field(json_schema_extra={**_RUBRIC, "minLength": 1})]


def _has_a_name(schema: dict[str, Any]) -> None:
    schema["required"] = ["name"]
    schema["properties"]["name"] = {"type": "string", "pattern": LINE}


class NewBaseline(About):
    """A baseline that a person writes; it may be empty at first."""

    model_config = ConfigDict(json_schema_extra=_has_a_name)

    cases: Cases = []
    rubric: Rubric = None
    """The name of a rubric, or the rubric itself."""


class BaselineEdit(AboutEdit):
    """What is to be changed of a baseline."""

    cases: Cases | None = None
    """All of them, in their order; one with an empty id gets a new one."""

    rubric: Rubric = None
    """Null takes it away."""


class BaselineUpload(ImportRequest):
    """What a person says of a file with a baseline."""

    filename: Annotated[FileName, ends_with(SUFFIXES)]


class NewCases(RequestModel):
    """Cases to add; those without an id get one."""

    cases: Cases = Field(min_length=1)
    expected_version: Expected


_FIELDS: dict[str, Any] = {
    "propertyNames": {"enum": [*cases.SETTABLE]},
    "properties": _CASE["properties"],
}


class CaseEdit(RequestModel):
    """Fields of a case to change; null takes an optional one away."""

    set: dict[str, JsonValue] = Field(min_length=1, json_schema_extra=_FIELDS)
    expected_version: Expected


@router.get("")
def every(wanted: Annotated[AssetQuery, Query()], shelf: AtShelf) -> AssetPage:
    """List baselines."""
    return page(shelf, wanted)


@router.post("", status_code=HTTPStatus.CREATED, responses=KNOWN)
def create(baseline: NewBaseline, shelf: AtShelf, response: Response) -> Taken:
    """Make a baseline of cases; 200 if it is there already."""
    intake = Intake(shelf, baseline.given())
    return taken(intake.by_hand(baseline.cases, baseline.rubric), response)


@router.post("/import", openapi_extra=RAW)
def take_in(words: Annotated[BaselineUpload, Query()], data: Body, shelf: AtShelf) -> Imports:
    """Import a baseline from a file: .json, .csv or .tsv, or the evals of a skill as .json."""
    return Intake(shelf, words.given(), words.update).upload(words.filename, data)


router.include_router(assets.router)


@router.patch("/{reference}")
def edit(reference: Reference, change: BaselineEdit, shelf: AtShelf) -> Shelved:
    """Change fields, all cases or the rubric: the next version."""
    return edited(shelf, reference, change)


@router.get(
    "/{reference}/export", response_class=Response, responses=file_of(*MEDIA_TYPES.values())
)
def export(
    reference: Reference,
    shelf: AtShelf,
    form: Annotated[BaselineForm, Form] = "json",
    version: Version = None,
) -> Response:
    """Take a version away as a file that can be imported again."""
    return attachment(parcel(shelf, reference, form, version))


@router.get("/{reference}/cases")
def list_cases(reference: Reference, shelf: AtShelf, version: Version = None) -> CaseList:
    """List the cases of a version."""
    return cases.list_cases(shelf, reference, version)


@router.get("/{reference}/cases/{case_id}")
def show_case(
    reference: Reference, case_id: CaseId, shelf: AtShelf, version: Version = None
) -> dict[str, JsonValue]:
    """Show one case of a version."""
    return cases.show_case(shelf, reference, case_id, version)


@router.post("/{reference}/cases")
def add_cases(reference: Reference, new: NewCases, shelf: AtShelf) -> ShelvedCases:
    """Add cases at the end: the next version."""
    return cases.add_cases(shelf, reference, new.cases, new.expected_version)


@router.patch("/{reference}/cases/{case_id}")
def edit_case(
    reference: Reference, case_id: CaseId, change: CaseEdit, shelf: AtShelf
) -> ShelvedCases:
    """Change fields of one case: the next version."""
    return cases.edit_case(shelf, reference, case_id, change.set, change.expected_version)


@router.delete("/{reference}/cases/{case_id}")
def remove_case(
    reference: Reference,
    case_id: CaseId,
    shelf: AtShelf,
    expected_version: Annotated[Expected, Query()],
) -> ShelvedCases:
    """Take one case out: the next version."""
    return cases.remove_case(shelf, reference, case_id, expected_version)


router.include_router(tags.router)

"""``/v1/projects``: projects as files, reports of them, and comparisons."""

import asyncio
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import JsonValue

from whet.app.library.outgo import Parcel
from whet.app.projects import told
from whet.app.projects.bundle import export_bundle, import_bundle
from whet.app.projects.compare import compare_answers, compare_skills
from whet.app.projects.report import export_project
from whet.app.projects.requests import CompareSkills
from whet.app.projects.told import TakenIn
from whet.rank.answers import AnswerDifference
from whet.server.desk import AtDesk
from whet.server.projects_known import Known
from whet.server.shelves import Form
from whet.server.transfer import (
    HARMLESS,
    RAW,
    attachment,
    file_of,
    received,
    streamed,
    upload_folder,
)

IMPORT = "/v1/projects/import"
MOST_BYTES = 512 * 1024 * 1024
"""Of a project that is sent."""

of_all = APIRouter()
"""To be included before the routes that take any word for the name of a project."""

router = APIRouter(prefix="/{reference}")

MEDIA_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "markdown": "text/markdown",
}
SUFFIXES = {"csv": ".csv"}
"""Of reports that a browser saves and does not show."""


@of_all.post("/import", status_code=HTTPStatus.CREATED, openapi_extra=RAW)
async def take_in(
    request: Request,
    desk: AtDesk,
    filename: Annotated[str, Query(description="Of the zip, for messages.")] = "project.zip",
    *,
    renamed: Annotated[bool, Query(description="Give it a new id.")] = False,
) -> TakenIn:
    """Take in a project that was exported, whole or not at all; nothing is started."""
    async with upload_folder(desk.app) as folder:
        path = folder / "project.zip"
        await received(request, path)
        taken = await asyncio.to_thread(
            import_bundle, desk.app, path, renamed=renamed, filename=filename
        )
    item = await asyncio.to_thread(told.item, desk.app, taken.project)
    return TakenIn(project=item, trials=taken.trials, notes=taken.notes)


@of_all.get("/compare")
def compare(
    wanted: Annotated[CompareSkills, Query()], desk: AtDesk
) -> dict[str, JsonValue] | AnswerDifference:
    """Compare two skills, or two versions of one, case by case, or their answers to one case."""
    left, right = wanted.left, wanted.right
    if wanted.case is not None:
        return compare_answers(desk.app, left, right, wanted.case, wanted.attempt)
    data = compare_skills(desk.app, left, right).to_data()
    return data if isinstance(data, dict) else {}


@router.get("/export", response_class=Response, responses=file_of("application/zip"))
def export(
    project: Known,
    desk: AtDesk,
    *,
    trials: Annotated[bool, Query(description="With the records of its trials.")] = False,
) -> Response:
    """Take a project away as a zip that can be imported elsewhere."""
    with desk.app.upload_folder() as temporary:
        made = export_bundle(desk.app, project, Path(temporary) / "project.zip", trials=trials)
        # An open file outlives its name, so that none is left behind whoever hangs up.
        file = made.file.open("rb")
    return streamed(file, f"{project.folder.name}.zip", "application/zip", made.notes)


@router.get("/report", response_class=Response, responses=file_of(*MEDIA_TYPES.values()))
def report(
    project: Known,
    desk: AtDesk,
    form: Annotated[Literal["json", "csv", "markdown", "html"], Form] = "html",
    language: Literal["en", "zh"] = "en",
) -> Response:
    """Report what a project came to, as far as it is."""
    text = export_project(desk.app, project.config.id, form, language)
    data = text.encode(errors="backslashreplace")
    if form in SUFFIXES:
        name = f"{project.folder.name}{SUFFIXES[form]}"
        return attachment(Parcel(filename=name, media_type=MEDIA_TYPES[form], data=data, notes=()))
    return Response(data, media_type=MEDIA_TYPES[form], headers=HARMLESS)

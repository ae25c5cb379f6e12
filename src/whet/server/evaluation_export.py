"""``/v1/evaluation/runs/{run_id}/export``: capability runs as files."""

from typing import Annotated, Literal

from fastapi import APIRouter, Response

from whet.app.capability.report import export_run
from whet.app.library.outgo import Parcel
from whet.core.naming import short
from whet.server.desk import AtDesk
from whet.server.projects_files import MEDIA_TYPES
from whet.server.shelves import Form
from whet.server.transfer import FILE, HARMLESS, attachment

router = APIRouter(prefix="/v1/evaluation/runs", tags=["evaluation"])


@router.get("/{run_id}/export", response_class=Response, responses=FILE)
def export(
    run_id: str,
    desk: AtDesk,
    form: Annotated[Literal["json", "csv", "markdown", "html"], Form] = "html",
    language: Literal["en", "zh"] = "en",
) -> Response:
    """Report what a run came to, as far as it is; ``csv`` is a file to save."""
    text = export_run(desk.app, run_id, form, language)
    data = text.encode(errors="backslashreplace")
    if form == "csv":
        name = f"capability-{short(run_id)}.csv"
        return attachment(Parcel(filename=name, media_type=MEDIA_TYPES[form], data=data, notes=()))
    return Response(data, media_type=MEDIA_TYPES[form], headers=HARMLESS)

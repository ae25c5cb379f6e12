"""``/v1/evaluation``: runs as files, what their cases touch, and how alike they are."""

from typing import Annotated, Literal

from fastapi import APIRouter, Response

from whet.app.capability.coverage import kept_coverage
from whet.app.capability.report import export_run
from whet.app.capability.requests import ReportForm
from whet.app.capability.runs import Evaluations
from whet.app.library.outgo import Parcel
from whet.core.naming import short
from whet.documents.capability_report import CaseCoverage
from whet.documents.capability_stability import Stability
from whet.evaluate.capability.stability import stability as stability_of
from whet.server.desk import AtDesk
from whet.server.evaluation import RunIds, of, told
from whet.server.projects_files import MEDIA_TYPES
from whet.server.shelves import Form
from whet.server.transfer import HARMLESS, attachment, file_of

router = APIRouter(prefix="/v1/evaluation", tags=["evaluation"])


@router.get(
    "/runs/{run_id}/export", response_class=Response, responses=file_of(*MEDIA_TYPES.values())
)
def export(
    run_id: str,
    desk: AtDesk,
    form: Annotated[ReportForm, Form] = "html",
    language: Literal["en", "zh"] = "en",
) -> Response:
    """Report what a run came to, as far as it is; ``csv`` is a file to save."""
    text = export_run(desk.app, run_id, form, language)
    data = text.encode(errors="backslashreplace")
    if form == "csv":
        name = f"capability-{short(run_id)}.csv"
        return attachment(Parcel(filename=name, media_type=MEDIA_TYPES[form], data=data, notes=()))
    return Response(data, media_type=MEDIA_TYPES[form], headers=HARMLESS)


@router.get("/runs/{run_id}/coverage", responses=of(CaseCoverage), response_model=None)
def run_coverage(run_id: str, desk: AtDesk) -> Response:
    """Show which tools, dimensions, tags and checkers the cases of a run touch."""
    return told(kept_coverage(desk.app, Evaluations(desk.app).get(run_id)))


@router.get("/stability", responses=of(Stability), response_model=None)
def stability(run_ids: RunIds, desk: AtDesk) -> Response:
    """Say how alike runs, named with commas between them, are: which cases flip, how many agree,
    and how far the totals go."""
    evaluations = Evaluations(desk.app)
    names = [name for name in run_ids.split(",") if name]
    return told(stability_of([evaluations.get(name) for name in names]))

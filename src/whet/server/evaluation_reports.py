"""``/v1/evaluation``: what can be said about runs and case sets, and runs as files."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from whet.app.capability.coverage import kept_coverage, set_coverage
from whet.app.capability.report import export_run
from whet.app.capability.runs import Evaluations
from whet.app.capability.sets import parts
from whet.app.library.outgo import Parcel
from whet.app.parts import every_checker
from whet.core.errors import NotFound
from whet.core.naming import short
from whet.documents.capability_report import CaseCoverage, CaseLint
from whet.documents.capability_stability import Stability
from whet.evaluate.capability.lint import lint
from whet.evaluate.capability.stability import stability as stability_of
from whet.server.desk import AtDesk
from whet.server.evaluation import of, told
from whet.server.projects_files import MEDIA_TYPES
from whet.server.shelves import Form
from whet.server.transfer import FILE, HARMLESS, attachment

router = APIRouter(prefix="/v1/evaluation", tags=["evaluation"])


@router.get("/runs/{run_id}/export", response_class=Response, responses=FILE)
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


@router.get("/runs/{run_id}/coverage", responses=of(CaseCoverage), response_model=None)
def run_coverage(run_id: str, desk: AtDesk) -> Response:
    """Show which tools, dimensions, tags and checkers the cases of a run touch."""
    return told(kept_coverage(desk.app, Evaluations(desk.app).get(run_id)))


@router.get("/case-sets/{name}/coverage", responses=of(CaseCoverage), response_model=None)
def coverage(
    name: str,
    desk: AtDesk,
    language: Annotated[str | None, Query(description="Only cases in this one.")] = None,
) -> Response:
    """Show which tools, dimensions, languages, tags and checkers a case set touches."""
    return told(set_coverage(desk.app.settings.workspace, name, language))


@router.get("/case-sets/{name}/lint", responses=of(CaseLint), response_model=None)
def findings(name: str, desk: AtDesk) -> Response:
    """Look for mistakes in a case set."""
    given = parts(desk.app.settings.workspace, name)
    if not given:
        raise NotFound(f"no case set {name!r}")
    return told(lint(given, every_checker(desk.app.parts)))


@router.get("/stability", responses=of(Stability), response_model=None)
def stability(run_ids: str, desk: AtDesk) -> Response:
    """Say how alike runs, named with commas between them, are: which cases flip, how many agree,
    and how far the totals go."""
    evaluations = Evaluations(desk.app)
    names = [name for name in run_ids.split(",") if name]
    return told(stability_of([evaluations.get(name) for name in names]))

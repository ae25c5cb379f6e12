"""``/v1/projects/{reference}/results``: page by page, and one in full."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from whet.app.projects import results_told
from whet.app.projects.requests import ResultListing
from whet.app.projects.results_told import ResultDetail, ResultPage
from whet.app.projects.wanted import listing_query, of_project
from whet.server.desk import AtDesk
from whet.server.projects_known import Known
from whet.server.views import Attempt

router = APIRouter(prefix="/{reference}/results")


@router.get("")
def every(project: Known, wanted: Annotated[ResultListing, Query()], desk: AtDesk) -> ResultPage:
    """List what came of each case with each skill, in the order of the plan."""
    return results_told.page(desk.app, project, listing_query(project, wanted))


@router.get("/{arm}/{case}")
def one(
    project: Known,
    arm: Annotated[str, Path(description="The skill: its arm, id, beginning of that, or name.")],
    case: str,
    desk: AtDesk,
    attempt: Attempt = 1,
    baseline: Annotated[
        str | None, Query(alias="set", description="The baseline, where several have the case.")
    ] = None,
) -> ResultDetail:
    """Show one result: the answer, its scores and the reasons for them."""
    query = of_project(project, arm, baseline, case)
    return results_told.detail(desk.app, project, query, attempt)

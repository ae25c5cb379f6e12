"""``/v1/projects/{reference}/results``: page by page, and one in full."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import Field

from whet.app.projects import results_told
from whet.app.projects.results_told import ResultDetail, ResultPage
from whet.app.projects.wanted import of_project
from whet.core.value import Value
from whet.ports.listing import PageNumber, PageSize
from whet.server.desk import AtDesk
from whet.server.projects_known import Known
from whet.server.views import Attempt

router = APIRouter(prefix="/{reference}/results")


class ResultListing(Value):
    """Which results, and which page of them."""

    skill: str | None = Field(
        default=None, description="By id, its beginning, name, or arm; @v2 for a version."
    )
    baseline: str | None = Field(default=None, description="In the same way.")
    case: str | None = Field(default=None, description="The id of a case.")
    status: Literal["completed", "failed", "skipped"] | None = None
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    page: PageNumber = 1
    page_size: PageSize = 50


@router.get("")
def every(project: Known, wanted: Annotated[ResultListing, Query()], desk: AtDesk) -> ResultPage:
    """List what came of each case with each skill, in the order of the plan."""
    query = replace(
        of_project(project, wanted.skill, wanted.baseline, wanted.case),
        status=wanted.status,
        grade_status=wanted.grade_status,
        page=wanted.page,
        page_size=wanted.page_size,
    )
    return results_told.page(desk.app, project, query)


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

"""``/v1/runs/{identity}/view`` and ``/v1/evals/{identity}/view``: all that a page shows."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from whet.app.views.page import LARGEST, Cases
from whet.app.views.project_trial import Wanted
from whet.core.asset_query import PageNumber
from whet.core.value import LARGEST_NUMBER, RequestModel
from whet.documents.experiment_view import ExperimentView
from whet.documents.trial_view import TrialView
from whet.server.desk import AtDesk

runs = APIRouter(prefix="/v1/runs/{identity}/view", tags=["runs"])
evals = APIRouter(prefix="/v1/evals/{identity}/view", tags=["evals"])

PageSize = Annotated[int, Query(ge=1, le=LARGEST, description="Cases at once.")]
Arm = Annotated[str, Field(description="The side: as the view calls it.")]
Case = Annotated[str, Field(description="The id of the case.")]
Attempt = Annotated[int, Field(ge=1, le=LARGEST_NUMBER, description="Which try.")]
Leg = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="Which engine and model.")]


@runs.get("")
def run_view(
    identity: str, desk: AtDesk, page: PageNumber = 1, page_size: PageSize = 100
) -> ExperimentView:
    """A project, or a run of a suite, as it is now: progress, verdicts, ranking, and a page of its
    matrix. A project need not have been run."""
    if desk.runs.find(identity, "eval") is not None:
        return desk.views.eval(identity, Cases(page, page_size))
    return desk.views.project(identity, Cases(page, page_size))


class Place(RequestModel):
    """Which trial of a run."""

    arm: Arm
    case: Case
    attempt: Attempt = 1
    baseline: str | None = Field(
        default=None, alias="set", description="The baseline, where several have the case."
    )
    leg: Leg = 0


@runs.get("/trial")
def run_trial(identity: str, desk: AtDesk, place: Annotated[Place, Query()]) -> TrialView:
    """One trial: the answer, its checks and scores with their reasons, and what the agent did."""
    wanted = Wanted(place.arm, place.case, place.attempt, place.baseline)
    if desk.runs.find(identity, "eval") is not None:
        return desk.views.eval_trial(identity, place.leg, wanted)
    return desk.views.project_trial(identity, wanted)


@evals.get("")
def eval_view(
    identity: str, desk: AtDesk, page: PageNumber = 1, page_size: PageSize = 100
) -> ExperimentView:
    """A run of a suite as it is now, with every engine and model."""
    return desk.views.eval(identity, Cases(page, page_size))


@evals.get("/trial")
def eval_trial(identity: str, desk: AtDesk, place: Annotated[Place, Query()]) -> TrialView:
    """One run: the answer, its checks and scores with their reasons, and what the agent did."""
    wanted = Wanted(place.arm, place.case, place.attempt)
    return desk.views.eval_trial(identity, place.leg, wanted)

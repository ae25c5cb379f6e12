"""``/v1/experiments/{identity}/view`` and ``/v1/evals/{identity}/view``: all that a page shows."""

from typing import Annotated

from fastapi import APIRouter, Query

from whet.app.views.page import LARGEST, Cases
from whet.app.views.project_trial import Wanted
from whet.core.value import LARGEST_NUMBER
from whet.documents.experiment_view import ExperimentView
from whet.documents.trial_view import TrialView
from whet.ports.listing import PageNumber
from whet.server.desk import AtDesk

projects = APIRouter(prefix="/v1/experiments/{identity}/view", tags=["experiments"])
evals = APIRouter(prefix="/v1/evals/{identity}/view", tags=["evals"])

PageSize = Annotated[int, Query(ge=1, le=LARGEST, description="Cases at once.")]
Arm = Annotated[str, Query(description="The side: as the view calls it.")]
Case = Annotated[str, Query(description="The id of the case.")]
Attempt = Annotated[int, Query(ge=1, le=LARGEST_NUMBER, description="Which try.")]
Baseline = Annotated[
    str | None, Query(alias="set", description="The baseline, where several have the case.")
]
Leg = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="Which engine and model.")]


@projects.get("")
def project_view(
    identity: str, desk: AtDesk, page: PageNumber = 1, page_size: PageSize = 100
) -> ExperimentView:
    """A comparison as it is now: progress, verdicts, ranking, and a page of its matrix."""
    return desk.views.project(identity, Cases(page, page_size))


@projects.get("/trial")
def project_trial(
    identity: str,
    desk: AtDesk,
    arm: Arm,
    case: Case,
    attempt: Attempt = 1,
    baseline: Baseline = None,
) -> TrialView:
    """One trial: the answer, its checks and scores with their reasons, and what the agent did."""
    return desk.views.project_trial(identity, Wanted(arm, case, attempt, baseline))


@evals.get("")
def eval_view(
    identity: str, desk: AtDesk, page: PageNumber = 1, page_size: PageSize = 100
) -> ExperimentView:
    """A run of a suite as it is now, with every engine and model."""
    return desk.views.eval(identity, Cases(page, page_size))


@evals.get("/trial")
def eval_trial(
    identity: str, desk: AtDesk, arm: Arm, case: Case, attempt: Attempt = 1, leg: Leg = 0
) -> TrialView:
    """One run: the answer, its checks and scores with their reasons, and what the agent did."""
    return desk.views.eval_trial(identity, leg, Wanted(arm, case, attempt))

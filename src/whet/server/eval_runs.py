"""``/v1/evals/{identity}/runs``: look at single runs, and say something of them."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import JsonValue

from whet.app.eval_request import ReviewRequest
from whet.app.evals import Evals
from whet.core.errors import NotFound
from whet.core.value import Value
from whet.documents.evals import EvalFeedbackAggregate, EvalSuite
from whet.documents.skill_creator import Feedback
from whet.evaluate.calibrate import Calibration, calibrate, labelled, once
from whet.evaluate.review import (
    ReviewedRun,
    Said,
    checked_scores,
    find_run,
    load_feedback,
    produced,
    review_of,
    runs_of,
    save_review,
    scales,
)
from whet.evaluate.suite_runs import SNAPSHOT
from whet.server.desk import AtDesk
from whet.server.views import Leg

router = APIRouter(prefix="/v1/evals/{identity}", tags=["evals"])


class RunSummary(Value):
    """One run of an eval, and what a person said of it."""

    run_id: str
    eval_id: int | str
    eval_name: str
    configuration: str
    overall_efficiency: float | None
    pass_rate: float
    review: dict[str, JsonValue] | None


class RunList(Value):
    """All runs of one engine and model, in an order that tells nothing of their side."""

    runs: tuple[RunSummary, ...]


class RunFile(Value):
    """Something that a run produced; without a name it is the answer."""

    name: str
    text: str


class RunView(Value):
    """A run as a person looks at it."""

    run: RunSummary
    prompt: str
    produced: tuple[RunFile, ...]
    grading: dict[str, JsonValue]


def _folder(identity: str, desk: AtDesk, leg: Leg = 0) -> Path:
    state = Evals(desk.app).get(identity)
    if leg >= len(state.legs):
        raise NotFound(f"eval run {identity!r} has no leg {leg}; it has {len(state.legs)}")
    return desk.app.settings.workspace / state.legs[leg].folder


Folder = Annotated[Path, Depends(_folder)]


@router.get("/runs")
def runs(folder: Folder) -> RunList:
    """List the runs of one engine and model."""
    said = load_feedback(folder)
    return RunList(runs=tuple(_summary(run, said) for run in runs_of(folder)))


@router.get("/runs/{run_id}")
def run(run_id: str, folder: Folder) -> RunView:
    """Show one run: the task, what was produced, and its grades."""
    found = find_run(runs_of(folder), run_id)
    grading = found.grading.to_data()
    return RunView(
        run=_summary(found, load_feedback(folder)),
        prompt=found.prompt,
        produced=tuple(RunFile(name=one.name, text=one.text) for one in produced(found)),
        grading=grading if isinstance(grading, dict) else {},
    )


@router.put("/runs/{run_id}/review")
def review(run_id: str, request: ReviewRequest, folder: Folder, desk: AtDesk) -> RunSummary:
    """Keep a label and feedback, in place of what was said of this run before."""
    every = runs_of(folder)
    found = find_run(every, run_id)
    known = scales(EvalSuite.load(folder / SNAPSHOT), found.eval_id)
    said = Said(request.label, request.feedback, checked_scores(request.scores, known))
    # Two people may review at once; the database is their lock.
    with desk.app.store.transaction():
        after = save_review(folder, every, found, said, desk.app.clock.now())
    return _summary(found, after)


@router.get("/calibration")
def calibration(folder: Folder) -> Calibration:
    """How far the judges agree with people's labels."""
    return calibrate(once(list(labelled(runs_of(folder), load_feedback(folder)))))


@router.get("/feedback")
def feedback(folder: Folder) -> dict[str, JsonValue]:
    """What judges say of the suite, put together."""
    found = EvalFeedbackAggregate.load(folder / "eval_feedback_aggregate.json").to_data()
    return found if isinstance(found, dict) else {}


def _summary(run: ReviewedRun, feedback: Feedback) -> RunSummary:
    said = review_of(run, feedback)
    review = said.to_data() if said else None
    return RunSummary(
        run_id=run.run_id,
        eval_id=run.eval_id,
        eval_name=run.eval_name,
        configuration=run.configuration,
        overall_efficiency=run.grading.overall_efficiency,
        pass_rate=run.grading.summary.pass_rate,
        review=review if isinstance(review, dict) else None,
    )

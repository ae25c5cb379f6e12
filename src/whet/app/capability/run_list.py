"""The capability runs of a workspace as lists show them."""

from whet.app.app import App
from whet.documents.base import Document, Items
from whet.documents.capability import EvaluationRun, measured_cases
from whet.ports.evaluations import RunQuery
from whet.ports.listing import Page

AT_WORK: set[tuple[str, str]] = set()
"""The owners and runs that this process is at. One whose work ended without a last word, as when
the disk was full, can be taken up again although the process lives."""


class Runs(Document):
    """A part of all runs that fit."""

    runs: Items[EvaluationRun]
    total: int
    limit: int
    offset: int


def list_runs(app: App, query: RunQuery) -> Page[EvaluationRun]:
    """Runs, newest first."""
    page = app.store.evaluations.list_eval_runs(query)
    runs = tuple(shown_run(app, run) for run in page.items)
    return Page(runs, page.total, page.page, page.page_size)


def shown_run(app: App, run: EvaluationRun) -> EvaluationRun:
    """A run as it is shown. One that is running in no process can be taken up by anybody; one
    that was kept before ``measured_cases`` was has it from its counts."""
    if run.measured_cases is None and run.counts is not None:
        run = run.model_copy(update={"measured_cases": measured_cases(run.counts)})
    if run.status != "running" or _is_at_work(app, run):
        return run
    return run.model_copy(update={"reclaimable": True})


def _is_at_work(app: App, run: EvaluationRun) -> bool:
    from whet.app.runs.service import RunService  # large; most lists have nothing that runs

    there = RunService(app).find(run.run_id)
    if there is None or there.status != "running":
        return False
    return there.owner != app.owner.id or (there.owner, run.run_id) in AT_WORK

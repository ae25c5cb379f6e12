"""What the world hears of a capability run: its events, and the figures of its row."""

from typing import Literal, cast

from pydantic import JsonValue

from whet.documents.capability import (
    EvaluationItem,
    EvaluationLog,
    EvaluationProgress,
    EvaluationRun,
    measured_cases,
)
from whet.evaluate.capability.scores import Tally
from whet.ports.store import Store

Last = Literal["finished", "failed", "cancelled"]

STARTED = "eval_started"
PROGRESS = "eval_progress"
ITEM = "eval_item"
LOG = "eval_log"
FINISHED = "eval_finished"
DELETED = "eval_deleted"


def started(store: Store, run_id: str, cases: int) -> None:
    """A run begins."""
    store.events.append(STARTED, run_id, {"run_id": run_id, "case_count": cases})


def item(store: Store, about: EvaluationItem) -> None:
    """An item is begun, or has come to something."""
    store.events.append(ITEM, about.run_id, _data(about.to_data()))


def progress(store: Store, run: EvaluationRun, tally: Tally, left: float | None = None) -> None:
    """How far it is, what it comes to, and the seconds that are *left*; what was cancelled is not
    completed."""
    counts = tally.counts()
    about = EvaluationProgress(
        run_id=run.run_id,
        completed=counts["total"] - counts["active"] - counts["cancelled"],
        total=counts["total"],
        passed=counts["passed"],
        failed=counts["failed"],
        skipped=counts["skipped"],
        errors=counts["error"],
        seconds_left=left,
    ).lean()
    data = {**_data(about.to_data()), **figures(tally, run)}
    store.events.append(PROGRESS, run.run_id, data)


def log(store: Store, run_id: str, message: str, case_id: str | None = None) -> None:
    """Something that a person may want to know."""
    about = EvaluationLog(run_id=run_id, message=message, case_id=case_id).lean()
    store.events.append(LOG, run_id, _data(about.to_data()))


def finished(store: Store, run: EvaluationRun) -> None:
    """A run is over; the last event of it, unless somebody goes on with it."""
    store.events.append(FINISHED, run.run_id, _data(run.to_data()))


def deleted(store: Store, run_id: str) -> None:
    """A run is gone."""
    store.events.append(DELETED, run_id, {"run_id": run_id})


def figures(tally: Tally, run: EvaluationRun) -> dict[str, JsonValue]:
    """What a run comes to so far, as fields of its row."""
    scores = tally.scores(run.weights)
    found: dict[str, JsonValue] = {
        "dimension_scores": {**scores.dimensions},
        "total_score": scores.total,
        "counts": {**scores.counts},
        "measured_cases": measured_cases(scores.counts),
    }
    if scores.counts["error"]:
        found["total_score_measured"] = scores.total_measured
    return found


def _data(value: JsonValue) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", value)

"""One process at work on a project: keeps its state, its rows, its files and its progress in
step."""

import time
from typing import Literal

from pydantic import JsonValue

from whet.app.app import App
from whet.app.context import ContextCare
from whet.app.runs.claim import BY_ITSELF, Ending, RunClaim, ending_of
from whet.app.runs.service import RunService
from whet.core.budget import Purse
from whet.core.instant import iso_seconds
from whet.core.result import Result
from whet.core.run import Run, Wish
from whet.core.value import Value
from whet.documents.result import Summary
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Design
from whet.evaluate.project import Project
from whet.evaluate.project_results import ProjectResults
from whet.evaluate.project_table import Table

SAVE_SECONDS = 1.0
LAST_WORDS = {"completed": "experiment.finished", "interrupted": "experiment.interrupted"}
Status = Literal["running", "completed", "interrupted"]

BATCH = 500
"""Rows that were there already and are kept at once."""


class ExperimentState(Value):
    """A run of a project as its door tells of it."""

    id: str
    name: str
    folder: str
    status: Status
    owner: str
    started_at: str
    ended_at: str | None = None
    total_trials: int
    error: str | None = None
    """Why it was interrupted, if it was a trouble and not a person."""

    control: Wish | None = None
    """What a person wanted, if it was one."""

    failed: Literal["all", "some"] | None = None
    """How much of a completed one came to nothing."""

    elapsed_s: float | None = None
    """Seconds that the run took, whatever was done to the clock of the day; None while it runs."""

    @classmethod
    def of(cls, run: Run) -> "ExperimentState":
        """What a run of a project is."""
        names = ("id", "name", "status", "owner", "started_at", "ended_at", "error")
        return cls.model_validate(
            {
                **{name: getattr(run, name) for name in names},
                "folder": run.details["folder"],
                "total_trials": run.total,
                "control": run.wish if run.status == "interrupted" else None,
                "failed": run.details.get("failed"),
                "elapsed_s": run.elapsed_s if run.ended_at else None,
            }
        )


class ExperimentRun:
    """Takes the rows of a run."""

    def __init__(self, app: App, project: Project, plan: Design) -> None:
        self._app = app
        self._project = project
        self._plan = plan
        self._table = Table(project.config.id, plan)
        self._saved = time.monotonic()
        self._results = ProjectResults(project)
        self._kept: set[int] = set()
        self._waiting: list[Result] = []
        self._settled = 0
        self._completed = 0
        self._unanswered = 0
        self._is_counted = False
        self._care = ContextCare(app, project.config)
        self._long_conversations = 0
        self.skipped: str | None = None
        """Why trials were left out, if any was."""

        self._claim: RunClaim | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every place came to something."""
        return self._settled == self._plan.size

    def begin(self, request: dict[str, JsonValue], purse: Purse) -> RunClaim:
        """Make the run one of this process, and say that the project is running."""
        config = self._project.config
        service = RunService(self._app)
        run = service.new(config.id, "project", config.name, purse).model_copy(
            update={
                "request": request,
                "details": {"folder": self._project.folder.name},
                "total": self._plan.size,
            }
        )
        self._claim = service.claim(run)
        self._save("running", None)
        return self._claim

    @property
    def _claimed(self) -> RunClaim:
        if self._claim is None:
            raise RuntimeError("the run has not begun")
        return self._claim

    def looked_up(self) -> None:
        """What was there already is counted: say how far the project is."""
        self._is_counted = True
        self._keep_waiting()
        self._claimed.save()
        self._save("running", None)

    def committed(self, row: Row) -> None:
        """Keep the result of a place that is settled anew, in the commit that settles it."""
        result = self._table.result(row)
        self._kept.add(result.ordinal)
        self._app.store.results.put([result])
        if self._care.committed(row):
            self._long_conversations += 1
        self._claimed.commit(row, long_conversations=self._long_conversations)

    def settled(self, row: Row) -> None:
        """Take a row, and show from time to time how far we are."""
        self._settled += 1
        if row.skipped:
            self.skipped = row.error or "the budget is used up"
        self._completed += row.status == "completed"
        self._unanswered += row.status == "failed" and row.record is None
        self._results.add(row)
        if self._table.ordinal(row.cell) in self._kept:
            self._care.settled(row)
        else:
            self._claimed.reuse(row)
            self._waiting.append(self._table.result(row))
        if len(self._waiting) == BATCH:
            self._keep_waiting()
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._save("running", None)

    def summarise(self) -> Summary:
        """Write what all rows come to."""
        return self._results.summarise(self._app.clock.now(), anew=bool(self._kept))

    def interrupt(self, trouble: BaseException) -> None:
        """Say why it did not come to its end, unless somebody else has claimed it since: this may
        be called late, once the disk has room again."""
        if self._claim is not None and self._claim.is_current():
            self.end("interrupted", ending_of(trouble))

    def end(
        self, status: Literal["completed", "interrupted"], ending: Ending = BY_ITSELF
    ) -> Project:
        """Say how it ended; whoever hears of it finds the files complete."""
        self._keep_waiting()
        claim = self._claimed
        wish = claim.last_wish(status, ending)
        project = self._save(status, wish)
        mark = self._mark(status)
        if project.config.failed != mark:
            project = project.saved(failed=mark)
        with self._app.store.transaction():
            claim.end(status, ending, failed=mark)
            about = {"error": ending.error, "control": ending.wish, "failed": mark}
            said = {name: value for name, value in about.items() if value is not None}
            self._app.store.events.append(LAST_WORDS[status], project.config.id, {**said})
        self._care.close()
        return project

    def _mark(self, status: Status) -> Literal["all", "some"] | None:
        """How much of a completed run came to nothing."""
        if status != "completed":
            return None
        if not self._completed:
            return "all"
        return "some" if self._unanswered else None

    def _keep_waiting(self) -> None:
        self._app.store.results.put(self._waiting)
        self._waiting.clear()

    def _save(self, status: Status, control: Wish | None) -> Project:
        """How far the project is stays as it was until that is known anew."""
        self._saved = time.monotonic()
        known = {"progress": self._results.progress()} if self._is_counted else {}
        return self._project.saved(
            status=status,
            control=control,
            updated_at=iso_seconds(self._app.clock.now()),
            **known,
        )

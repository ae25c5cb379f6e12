"""One process at work on a project: keeps its state, its rows, its files and its progress in
step."""

import time
from collections.abc import Callable
from typing import Literal

from whet.app.app import App
from whet.app.context import ContextCare
from whet.app.control import Wish
from whet.core.instant import iso, iso_seconds
from whet.core.result import Result
from whet.core.value import Value
from whet.documents.result import Summary
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Design
from whet.evaluate.project import Project
from whet.evaluate.project_results import ProjectResults
from whet.evaluate.project_table import Table

KIND = "experiment"
SAVE_SECONDS = 1.0
LAST_WORDS = {"completed": "experiment.finished", "interrupted": "experiment.interrupted"}
Status = Literal["running", "completed", "interrupted"]

BATCH = 500
"""Rows that were there already and are kept at once."""


class ExperimentState(Value):
    """An experiment as the store keeps it."""

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
        self._started_at = iso(app.clock.now())
        self._began = time.monotonic()

    @property
    def is_complete(self) -> bool:
        """Whether every place came to something."""
        return self._settled == self._plan.size

    def begin(self) -> None:
        """Say that the project is running."""
        config = self._project.config
        self._set(
            ExperimentState(
                id=config.id,
                name=config.name,
                folder=self._project.folder.name,
                status="running",
                owner=self._app.owner.id,
                started_at=self._started_at,
                total_trials=self._plan.size,
            )
        )
        self._save("running", None)

    def looked_up(self) -> None:
        """What was there already is counted: say how far the project is."""
        self._is_counted = True
        self._keep_waiting()
        self._save("running", None)

    def committed(self, row: Row) -> None:
        """Keep the result of a place that is settled anew, in the commit that settles it."""
        result = self._table.result(row)
        self._kept.add(result.ordinal)
        self._app.store.results.put([result])
        self._care.committed(row)

    def settled(self, row: Row) -> None:
        """Take a row, and show from time to time how far we are."""
        self._settled += 1
        self._completed += row.status == "completed"
        self._unanswered += row.status == "failed" and row.record is None
        self._results.add(row)
        if self._table.ordinal(row.cell) in self._kept:
            self._care.settled(row)
        else:
            self._waiting.append(self._table.result(row))
        if len(self._waiting) == BATCH:
            self._keep_waiting()
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._save("running", None)

    def summarise(self) -> Summary:
        """Write what all rows come to."""
        return self._results.summarise(self._app.clock.now(), anew=bool(self._kept))

    def if_ours(self, end: Callable[[], object]) -> None:
        """Call *end* if this run is on record as the latest of its project: it may be called late,
        when somebody else has begun another."""
        state = self._app.store.states.get(KIND, self._project.config.id)
        ours = (self._app.owner.id, self._started_at)
        if state and (state.value.get("owner"), state.value.get("started_at")) == ours:
            end()

    def end(
        self,
        status: Literal["completed", "interrupted"],
        error: str | None = None,
        control: Wish | None = None,
        *,
        is_drained: bool = False,
    ) -> Project:
        """Say how it ended; whoever hears of it finds the files complete. One that *is_drained* was
        stopped by nobody: its process was told to end."""
        self._keep_waiting()
        is_stopped = status == "interrupted" and not is_drained
        wish = control or ("stopped" if is_stopped else None)
        project = self._save(status, wish)
        mark = self._mark(status)
        if project.config.failed != mark:
            project = project.saved(failed=mark)
        identity = project.config.id
        with self._app.store.transaction():
            state = self._app.store.states.get(KIND, identity)
            if state is not None:
                change = {
                    "status": status,
                    "ended_at": iso(self._app.clock.now()),
                    "error": error,
                    "control": wish,
                    "failed": mark,
                    "elapsed_s": round(time.monotonic() - self._began, 3),
                }
                self._set(ExperimentState.model_validate({**state.value, **change}))
            about = {"error": error, "control": control, "failed": mark}
            said = {name: value for name, value in about.items() if value is not None}
            self._app.store.events.append(LAST_WORDS[status], identity, {**said})
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

    def _set(self, wanted: ExperimentState) -> None:
        """Whoever comes last describes the experiment; another process may be at it too."""
        states = self._app.store.states
        with self._app.store.transaction():
            present = states.get(KIND, wanted.id)
            states.put(KIND, wanted.id, present.revision if present else 0, wanted.model_dump())

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

"""Experiments as a person sees them: start one, see where it stands, pick it up again."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.app.app import App
from whet.core.budget import Budget, Purse
from whet.core.errors import NotFound, UsageError, WhetError
from whet.core.instant import iso, iso_seconds
from whet.core.rubric import SIX_DIMENSIONS
from whet.core.value import Value
from whet.documents.result import Summary
from whet.evaluate.experiment import Experiment, Extent, Row
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, cells, trial
from whet.evaluate.project import Project, design
from whet.evaluate.project_results import ProjectResults
from whet.pools.local import LocalPool

KIND = "experiment"
SAVE_SECONDS = 1.0
LAST_WORDS = {"completed": "experiment.finished", "interrupted": "experiment.interrupted"}
Status = Literal["running", "completed", "interrupted"]


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


@dataclass(frozen=True)
class Report:
    """What a run of a project came to."""

    project: Project
    summary: Summary
    extent: Extent


@dataclass(frozen=True)
class Experiments:
    """The experiments of a workspace; *width* trials run at once for each engine and model."""

    app: App
    judge: str = "simulated"
    width: int = 8
    imported: bool = False
    """Whether imported answers will do; if all are there, no engine need be installed."""

    async def run(self, project: Project, begun: Callable[[], None] = lambda: None) -> Report:
        """Carry a project out to the end; what is recorded already is not run again.

        *begun* is called once everything is found in order and the work starts.
        """
        run = _Run(self.app, project)
        with self.app.store.transaction():
            plan = design(project, self.app.store.blobs)
        plan = plan.model_copy(update={"imported": self.imported})
        if not plan.size:
            raise UsageError(f"{project.folder}: its baselines have no cases")
        if not plan.pin.engine_version:
            raise UsageError(
                f"{project.folder}: its config.json has no engine_version; make a new project of it"
            )
        config = project.config
        experiment = Experiment(
            store=self.app.store,
            writer=self.app.writer,
            pool=LocalPool(self.app.runner(config.cli_config.retry_count), self.width),
            grader=Grader(
                judges=(self.app.parts.judge(self.judge, self.app.judge_setup()),),
                rubric=SIX_DIMENSIONS,
                blobs=self.app.store.blobs,
                clock=self.app.clock,
            ),
            subject=config.id,
        )
        if not self._all_imported(plan):
            self.app.require_sandbox(plan.pin.engine, plan.pin.sandbox)
        run.begin(plan.size)
        begun()
        try:
            extent = await experiment.run(plan, Purse(Budget()), run.settled)
            summary = run.results.summarise(self.app.clock.now())
        except BaseException as trouble:
            run.end("interrupted", str(trouble) if isinstance(trouble, WhetError) else None)
            raise
        return Report(run.end("completed"), summary, extent)

    def _all_imported(self, plan: Design) -> bool:
        """Whether nothing of the plan has to run, because imported answers will do."""
        known = set(self.app.store.ledger.addresses()) if plan.imported else set[str]()
        return all(trial(plan, cell).address in known for cell in cells(plan))

    def list(self) -> Sequence[ExperimentState]:
        """Every experiment, newest first."""
        return [self._seen(state.value) for state in self.app.store.states.list(KIND)]

    def get(self, identity: str) -> ExperimentState:
        """One experiment; raises ``NotFound``."""
        state = self.app.store.states.get(KIND, identity)
        if state is None:
            raise NotFound(f"no experiment {identity!r}")
        return self._seen(state.value)

    def _seen(self, value: dict[str, JsonValue]) -> ExperimentState:
        """A running experiment whose process is gone is an interrupted one."""
        state = ExperimentState.model_validate(value)
        if state.status == "running" and not self.app.is_alive(state.owner):
            return state.model_copy(update={"status": "interrupted"})
        return state


class _Run:
    """One process at work on a project: keeps its state, its files and its progress in step."""

    def __init__(self, app: App, project: Project) -> None:
        self._app = app
        self._project = project
        self._saved = time.monotonic()
        self.results = ProjectResults(project)

    def begin(self, total: int) -> None:
        """Say that the project is running."""
        config = self._project.config
        self._set(
            ExperimentState(
                id=config.id,
                name=config.name,
                folder=self._project.folder.name,
                status="running",
                owner=self._app.owner.id,
                started_at=iso(self._app.clock.now()),
                total_trials=total,
            )
        )
        self._save("running")

    def settled(self, row: Row) -> None:
        """Take a row, and show from time to time how far we are."""
        self.results.add(row)
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._save("running")

    def end(self, status: Literal["completed", "interrupted"], error: str | None = None) -> Project:
        """Say how it ended; whoever hears of it finds the files complete."""
        project = self._save(status)
        identity = project.config.id
        with self._app.store.transaction():
            state = self._app.store.states.get(KIND, identity)
            if state is not None:
                ended_at = iso(self._app.clock.now())
                change = {"status": status, "ended_at": ended_at, "error": error}
                self._set(ExperimentState.model_validate({**state.value, **change}))
            self._app.store.events.append(
                LAST_WORDS[status], identity, {"error": error} if error else {}
            )
        return project

    def _set(self, wanted: ExperimentState) -> None:
        """Whoever comes last describes the experiment; another process may be at it too."""
        states = self._app.store.states
        with self._app.store.transaction():
            present = states.get(KIND, wanted.id)
            states.put(KIND, wanted.id, present.revision if present else 0, wanted.model_dump())

    def _save(self, status: Status) -> Project:
        self._saved = time.monotonic()
        return self._project.saved(
            status=status,
            control="stopped" if status == "interrupted" else None,
            progress=self.results.progress(),
            updated_at=iso_seconds(self._app.clock.now()),
        )

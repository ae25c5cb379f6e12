"""Experiments as a person sees them: start one, see where it stands, pick it up again."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from whet.app import control
from whet.app.app import App
from whet.app.control import obeying
from whet.app.experiment_run import KIND, ExperimentRun, ExperimentState
from whet.app.judging import grader_of
from whet.app.parts import every_checker
from whet.app.takeover.pinning import pinned
from whet.app.takeover.state import came_with
from whet.app.takeover.takeover import take_over
from whet.core.budget import Budget, Purse
from whet.core.errors import Halted, NotFound, UsageError, WhetError
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.result import Summary
from whet.evaluate.experiment import Experiment, Extent, look_up
from whet.evaluate.plan import Design
from whet.evaluate.project import Project, design, opened, projects
from whet.pools.local import LocalPool
from whet.ports.pool import Handled, Handler
from whet.ports.results import ResultQuery


@dataclass(frozen=True)
class Report:
    """What a run of a project came to."""

    project: Project
    summary: Summary
    extent: Extent
    spent: Usage = field(default_factory=Usage)
    """On agents and judges, by this run."""


@dataclass(frozen=True)
class Experiments:
    """The experiments of a workspace; *width* trials run at once for each engine and model."""

    app: App
    width: int = 8
    imported: bool = False
    """Whether imported answers will do; if all are there, no engine need be installed."""

    pause_seconds: float = 0
    """Before each trial, where somebody wants to watch."""

    async def run(self, project: Project, begun: Callable[[], None] = lambda: None) -> Report:
        """Carry a project out to the end; what is recorded already is not run again.

        *begun* is called once everything is found in order and the work starts. Raises ``Halted``
        where a person wished it to pause or stop before all was done.
        """
        # Reading files for a while must not keep others waiting who share this loop.
        project, plan = await asyncio.to_thread(self._ready, project)
        purse = Purse(Budget())
        run = ExperimentRun(self.app, project, plan)
        experiment = self._experiment(project, plan, purse, run)
        may_be_complete = plan.imported or plan.own_imports
        if not may_be_complete or experiment.extent(plan).missing:
            self.app.require_sandbox(plan.pin.engine, plan.pin.sandbox)
        states, identity = self.app.store.states, project.config.id
        since = control.newest(states, identity)
        run.begin()
        begun()
        try:
            async with obeying(states, identity, purse, since):
                extent = await experiment.run(plan, purse, run.settled)
            if not run.is_complete:
                raise Halted(project.config.name, "paused")
            summary = run.summarise()
        except Halted as halted:
            run.end("interrupted", control=halted.wish)
            raise
        except BaseException as trouble:
            run.end("interrupted", str(trouble) if isinstance(trouble, WhetError) else None)
            raise
        return Report(run.end("completed"), summary, extent, purse.usage)

    def _ready(self, project: Project) -> tuple[Project, Design]:
        """The project and its plan once nothing about them is open: what lies in files is in the
        store, and whoever is to work is known."""
        project, plan = self.planned(project.folder)
        if plan.pin.engine_version:
            return project, plan
        known = look_up(
            self.app.store, grader_of(self.app, project, plan.pin, Purse(Budget())), plan
        )
        if not any(row.record is None or row.is_ungraded for row in known):
            return project, plan
        return self.planned(pinned(self.app, project).folder)

    def planned(self, folder: Path) -> tuple[Project, Design]:
        """The project in a folder and what it asks for, with its results in the store."""
        project = opened(folder)
        if take_over(self.app, project):
            project = opened(folder)
        with self.app.store.transaction():
            plan = design(project, self.app.store.blobs, every_checker(self.app.parts))
        if not plan.size:
            raise UsageError(f"{project.folder}: its baselines have no cases")
        # What came along with a project may be in a cassette, and not among its results yet.
        imported = self.imported or bool(project.config.imported)
        own = came_with(self.app, project)
        return project, plan.model_copy(update={"imported": imported, "own_imports": own})

    def _experiment(
        self, project: Project, plan: Design, purse: Purse, run: ExperimentRun
    ) -> Experiment:
        return Experiment(
            store=self.app.store,
            writer=self.app.writer,
            pool=LocalPool(self._handler(project), self.width),
            grader=grader_of(self.app, project, plan.pin, purse),
            subject=project.config.id,
            committed=run.committed,
            looked_up=run.looked_up,
            live=self.app.live,
        )

    def _handler(self, project: Project) -> Handler:
        work = self.app.runner(project.config.cli_config.retry_count)
        if not self.pause_seconds:
            return work

        async def paused(spec: TrialSpec) -> Handled:
            await asyncio.sleep(self.pause_seconds)
            return await work(spec)

        return paused

    def ask(self, identity: str, wish: control.Wish) -> ExperimentState:
        """Let whoever runs it pause or stop; raises ``UsageError`` where nobody does."""
        state = self.get(identity)
        if state.status != "running":
            raise UsageError(f"{state.name!r} is not running; it is {state.status}")
        control.ask(self.app.store, self.app.clock, identity, wish)
        return state

    def retry(self, wanted: Sequence[ResultQuery]) -> int:
        """Want another answer for results that fit any of these; the next run gets them. What
        came to no answer at all is tried again anyway. Returns how many there are."""
        for identity in {query.project for query in wanted}:
            self._settle(identity, wanted)
        trials = {one for query in wanted for one in self.app.store.results.trials(query)}
        self.app.store.ledger.retry(sorted(trials))
        return len(trials)

    def _settle(self, identity: str, wanted: Sequence[ResultQuery]) -> None:
        """Let the places of a project have the trials that a run would ask for."""
        project = projects(self.app.settings.workspace).find(identity)
        if project is None:
            return
        take_over(self.app, project)
        mine = [query for query in wanted if query.project == identity]
        is_open = not project.config.cli_config.engine_version
        if is_open and any(self.app.store.results.trials(query) for query in mine):
            take_over(self.app, pinned(self.app, project))

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

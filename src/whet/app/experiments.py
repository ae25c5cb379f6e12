"""Experiments as a person sees them: start one, see where it stands, pick it up again."""

import asyncio
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from whet.app.access import Asker
from whet.app.app import App
from whet.app.experiment_run import ExperimentRun, ExperimentState
from whet.app.judging import grader_of, require_judges
from whet.app.parts import every_checker
from whet.app.runs.service import PATIENCE_SECONDS, RunService
from whet.app.takeover.pinning import pinned
from whet.app.takeover.state import came_with
from whet.app.takeover.takeover import take_over
from whet.core.access import SANDBOXES, is_weaker
from whet.core.budget import NO_LIMITS, NOTHING, Budget, Purse, Spending
from whet.core.case import Case
from whet.core.errors import BudgetExhausted, Halted, NotFound, UsageError, WrongStatus
from whet.core.lanes import WIDTH
from whet.core.run import Wish
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.curate.segments import shown
from whet.documents.result import Summary
from whet.evaluate.case_score import case_score
from whet.evaluate.experiment import Experiment, Extent, look_up
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design
from whet.evaluate.project import Project, design, opened, projects
from whet.pools.local import LocalPool
from whet.ports.pool import Handled, Handler
from whet.ports.results import ResultQuery
from whet.run.threads import in_thread


@dataclass(frozen=True)
class Report:
    """What a run of a project came to."""

    project: Project
    summary: Summary
    extent: Extent
    spent: Usage = field(default_factory=Usage)
    """On agents and judges, by this run."""


@dataclass(frozen=True)
class Outstanding:
    """What a run of a project has to do."""

    missing: int
    """Trials that are not on record."""

    ungraded: int
    cases: tuple[Case, ...]
    """Those of the missing trials."""


def outstanding(app: App, plan: Design, grader: Grader) -> Outstanding:
    """Look up what is not there yet."""
    missing = ungraded = 0
    cases: dict[tuple[str, str], Case] = {}
    for row in look_up(app.store, grader, plan):
        ungraded += row.is_ungraded
        if row.record is None:
            missing += 1
            cases[row.cell.case.set, row.cell.case.id] = row.cell.case
    return Outstanding(missing, ungraded, tuple(cases.values()))


def require_ready(app: App, plan: Design, grader: Grader, left: Outstanding) -> None:
    """Raise ``EnvironmentProblem``, before anybody is asked or charged, where an agent or a judge
    has no credential, or the agent cannot do the tasks."""
    if left.missing:
        app.require_credential(plan.pin.engine, plan.pin.model)
        app.require_ability(plan.pin.engine, left.cases, "case")
    if left.missing or left.ungraded:
        require_judges(app, grader)


@dataclass(frozen=True)
class Experiments:
    """The experiments of a workspace; *width* trials run at once for each engine and model."""

    app: App
    width: int = WIDTH
    imported: bool = False
    """Whether imported answers will do; if all are there, no engine need be installed."""

    max_trials: int | None = None
    """Trials to begin at the most; a run that leaves some out ends as a paused one."""

    pause_seconds: float = 0
    """Before each trial, where somebody wants to watch."""

    budget: Budget = NO_LIMITS
    """What the run may use; one that is used up interrupts it."""

    before: Spending = NOTHING
    """What other processes have used up of it."""

    async def run(self, project: Project, begun: Callable[[], None] = lambda: None) -> Report:
        """Carry a project out to the end; what is recorded already is not run again.

        *begun* is called once everything is found in order and the work starts. Raises ``Halted``
        where a person wished it to pause or stop before all was done.
        """
        # Reading files for a while must not keep others waiting who share this loop.
        project, plan = await in_thread(partial(self._ready, project))
        purse = Purse(self.budget, before=self.before)
        run = ExperimentRun(self.app, project, plan)
        experiment = self._experiment(project, plan, purse, run)
        left = outstanding(self.app, plan, experiment.grader)
        may_be_complete = plan.imported or plan.own_imports
        if left.missing:
            self._require_consent(project, plan)
        if not may_be_complete or left.missing:
            self.app.require_sandbox(plan.pin.engine, plan.pin.sandbox)
        require_ready(self.app, plan, experiment.grader, left)
        request: dict[str, JsonValue] = {
            "imported": self.imported,
            "pause_seconds": self.pause_seconds,
        }
        try:
            claim = run.begin(request, purse)
            begun()
            purse.begin()
            async with claim.obeying(purse):
                extent = await experiment.run(plan, purse, run.settled)
            if run.skipped is not None:
                raise BudgetExhausted(run.skipped)
            if not run.is_complete:
                raise Halted(project.config.name, "paused")
            summary = await in_thread(run.summarise)
            ended = run.end("completed")
        except BaseException as trouble:
            self.app.deferred.attempt(partial(run.interrupt, trouble))
            raise
        return Report(ended, summary, extent, purse.usage)

    def _ready(self, project: Project) -> tuple[Project, Design]:
        """The project and its plan once nothing about them is open: what lies in files is in the
        store, and whoever is to work is known."""
        project, plan = self.planned(project.folder)
        is_pinned = bool(plan.pin.engine_version)
        if is_pinned and not self._is_weakly_confined(plan):
            return project, plan
        known = [
            *look_up(self.app.store, grader_of(self.app, project, plan, Purse(Budget())), plan)
        ]
        if not any(row.record is None or row.is_ungraded for row in known):
            return project, plan
        if not is_pinned:
            return self.planned(pinned(self.app, project).folder)
        if any(row.record is not None for row in known):
            return project, plan  # its answers come from one sandbox
        sandbox = self.app.sandbox(self.app.parts.engine(plan.pin.engine))
        if sandbox == plan.pin.sandbox:
            return project, plan
        cli = project.config.cli_config.model_copy(update={"sandbox": sandbox})
        return self.planned(project.saved(cli_config=cli).folder)

    def _is_weakly_confined(self, plan: Design) -> bool:
        """Whether the file names a weaker sandbox than there is; it is never taken from there."""
        name = plan.pin.engine
        is_ours = name in self.app.parts.engines() and self.app.parts.engine(name).sandboxed
        return is_ours and is_weaker(plan.pin.sandbox, SANDBOXES[-1])

    def _require_consent(self, project: Project, plan: Design) -> None:
        """Raise where the options were not agreed to, or secrets among them are not here."""
        name = project.config.name
        asker = Asker(
            f"the project {shown(name)}", f"whet project adopt {shlex.quote(project.config.id)}"
        )
        self.app.access.decide(
            self.app.parts.engine(plan.pin.engine), plan.pin.options, "file", asker
        )
        self.app.secrets.reveal(plan.pin.options)

    def planned(self, folder: Path) -> tuple[Project, Design]:
        """The project in a folder and what it asks for, with its results in the store."""
        project = opened(folder)
        if take_over(self.app, project, settling=True):
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
            pool=LocalPool(self._handler(project), self.width, self.app.drain),
            grader=grader_of(self.app, project, plan, purse),
            subject=project.config.id,
            committed=run.committed,
            looked_up=run.looked_up,
            live=self.app.live,
            score_of=lambda row: case_score(row.grade, row.cell.case.standard).score,
            max_trials=self.max_trials,
            drain=self.app.drain,
        )

    def _handler(self, project: Project) -> Handler:
        work = self.app.runner(project.config.cli_config.retry_count)
        if not self.pause_seconds:
            return work

        async def paused(spec: TrialSpec) -> Handled:
            await asyncio.sleep(self.pause_seconds)
            return await work(spec)

        return paused

    async def halt(self, project: Project, wish: Wish, patience: float = PATIENCE_SECONDS) -> None:
        """Let whoever runs a project pause or stop, and wait for it as long as *patience*; raises
        ``WrongStatus`` where nobody does."""
        config = project.config
        if config.status != "running":
            message = f"{shown(config.name)} is not running; it is {config.status}"
            raise WrongStatus(message, "running", config.status)
        await RunService(self.app).halt(config.id, wish, patience)

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
        """Every run of a project, newest first."""
        return [ExperimentState.of(run) for run in RunService(self.app).every("project")]

    def get(self, identity: str) -> ExperimentState:
        """The run of one project; raises ``NotFound``."""
        run = RunService(self.app).find(identity, "project")
        if run is None:
            raise NotFound(f"no experiment {identity!r}")
        return ExperimentState.of(run)

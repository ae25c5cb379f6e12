"""Experiments as a person sees them: start one, see where it stands, pick it up again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from whet.app import control
from whet.app.app import App
from whet.app.control import obeying
from whet.app.experiment_run import KIND, ExperimentRun, ExperimentState
from whet.app.judging import Seats, seated
from whet.app.parts import every_checker
from whet.core.budget import Budget, Purse
from whet.core.errors import Halted, NotFound, UsageError, WhetError
from whet.core.result import Result
from whet.documents.result import Summary
from whet.evaluate.experiment import Experiment, Extent
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, cells, trial
from whet.evaluate.project import Project, design
from whet.pools.local import LocalPool
from whet.ports.listing import LARGEST_PAGE
from whet.ports.results import ResultQuery


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
    width: int = 8
    imported: bool = False
    """Whether imported answers will do; if all are there, no engine need be installed."""

    async def run(self, project: Project, begun: Callable[[], None] = lambda: None) -> Report:
        """Carry a project out to the end; what is recorded already is not run again.

        *begun* is called once everything is found in order and the work starts. Raises ``Halted``
        where a person wished it to pause or stop before all was done.
        """
        plan = self._plan(project)
        purse = Purse(Budget())
        run = ExperimentRun(self.app, project, plan)
        experiment = self._experiment(project, plan, purse, run)
        if not self._all_imported(plan):
            self.app.require_sandbox(plan.pin.engine, plan.pin.sandbox)
        run.begin()
        begun()
        try:
            async with obeying(self.app.store.states, project.config.id, purse):
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
        return Report(run.end("completed"), summary, extent)

    def _plan(self, project: Project) -> Design:
        with self.app.store.transaction():
            plan = design(project, self.app.store.blobs, every_checker(self.app.parts))
        if not plan.size:
            raise UsageError(f"{project.folder}: its baselines have no cases")
        if not plan.pin.engine_version:
            raise UsageError(
                f"{project.folder}: its config.json has no engine_version; make a new project of it"
            )
        return plan.model_copy(update={"imported": self.imported})

    def _experiment(
        self, project: Project, plan: Design, purse: Purse, run: ExperimentRun
    ) -> Experiment:
        config = project.config
        grading = config.grading_config
        judges, _ = seated(
            self.app, Seats(grading.judges if grading else ("simulated",)), [plan.pin], purse
        )
        return Experiment(
            store=self.app.store,
            writer=self.app.writer,
            pool=LocalPool(self.app.runner(config.cli_config.retry_count), self.width),
            grader=Grader(
                judges=judges,
                rubric=None,
                blobs=self.app.store.blobs,
                clock=self.app.clock,
                checkers=every_checker(self.app.parts),
                readings=grading.readings if grading else 1,
            ),
            subject=config.id,
            committed=run.committed,
        )

    def _all_imported(self, plan: Design) -> bool:
        """Whether nothing of the plan has to run, because imported answers will do."""
        known = set(self.app.store.ledger.addresses()) if plan.imported else set[str]()
        return all(trial(plan, cell).address in known for cell in cells(plan))

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
        trials = {result.trial for query in wanted for result in self._every(query)}
        self.app.store.ledger.retry(sorted(trials))
        return len(trials)

    def _every(self, query: ResultQuery) -> Iterator[Result]:
        number = 1
        while True:
            page = self.app.store.results.page(replace(query, page=number, page_size=LARGEST_PAGE))
            yield from page.items
            if number * LARGEST_PAGE >= page.total:
                return
            number += 1

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

"""Capability runs as a person uses them, through whichever door."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from whet.app.app import App
from whet.app.capability import folders, private, telling
from whet.app.capability.at_work import AtWork, finished
from whet.app.capability.folders import Folders
from whet.app.capability.plan import RunPlan, Snapshot, design_of, grader_of, planned, recalled
from whet.app.capability.requests import EvaluationStart
from whet.app.capability.run_list import AT_WORK, list_runs, shown_run
from whet.app.capability.sets import case_sets, named, together
from whet.app.runs.claim import LOOK_SECONDS, RunClaim, ending_of
from whet.app.runs.service import RunService
from whet.core.budget import NO_LIMITS, Budget, Purse
from whet.core.errors import (
    Conflict,
    Draining,
    EnvironmentProblem,
    Halted,
    NotFound,
    WhetError,
    WrongStatus,
)
from whet.core.instant import iso
from whet.documents.capability import (
    CapabilityCaseSet,
    EvaluationDetail,
    EvaluationRun,
    EvaluationStarted,
    measured_cases,
)
from whet.documents.capability_comparison import RunComparison
from whet.documents.capability_report import CaseCoverage
from whet.evaluate.capability import items
from whet.evaluate.capability.compare import compare
from whet.evaluate.capability.coverage import coverage
from whet.evaluate.capability.pace import Pace
from whet.evaluate.capability.scores import Tally
from whet.evaluate.capability.select import pick
from whet.evaluate.experiment import Experiment
from whet.pools.local import LocalPool
from whet.ports.evaluations import RunQuery
from whet.ports.listing import Page
from whet.run.threads import in_thread

PATIENCE_SECONDS = 10.0
"""For a cancelled run to come to its end before the answer tells how it is."""


@dataclass(frozen=True)
class Evaluations:
    """The capability runs of a workspace."""

    app: App

    def plan(self, wanted: EvaluationStart, given: CapabilityCaseSet | None = None) -> RunPlan:
        """What a run would do, and what it may cost; raises ``UsageError`` and starts nothing. A
        set that is *given* goes before the one that is named."""
        return planned(self.app, wanted, given)

    def start(self, plan: RunPlan, *, confirmed: bool = False) -> EvaluationStarted:
        """Make the run, which ``run`` of this process then has to carry out.

        Raises ``ConfirmationNeeded`` where it may cost much and nobody has agreed.
        """
        plan.estimate.require_consent(confirmed=confirmed)
        self.clean_up()
        store, now = self.app.store, self.app.clock.now()
        snapshot = plan.snapshot
        opened = [items.opened(plan.run_id, chosen) for chosen in plan.chosen]
        tally = Tally(opened)
        with store.transaction():
            store.evaluations.put_case_set(plan.digest, plan.content)
            run = self._made(plan, snapshot, tally, iso(now))
            store.evaluations.create_eval_run(run, opened)
            private.keep(store, run.run_id, snapshot)
            self._claim(run, snapshot.budget)
            folders.remember(store, run.run_id, now)
            telling.started(store, run.run_id, len(opened))
            for item in opened:
                if item.status == "skipped":
                    telling.item(store, item)
            telling.progress(store, run, tally)
        return EvaluationStarted(
            run_id=run.run_id,
            status=run.status,
            selected_cases=tuple(item.case_id for item in opened),
        )

    async def run(self, run_id: str, begun: Callable[[], None] = lambda: None) -> EvaluationRun:
        """Carry out a run that this process started or took up, to its end.

        Whatever a case does, the others are done. What is wrong with this machine ends the run as
        failed, and is raised. One that is cancelled returns as such.
        """
        AT_WORK.add((self.app.owner.id, run_id))
        try:
            return await self._carried_out(run_id, begun)
        finally:
            AT_WORK.discard((self.app.owner.id, run_id))

    async def _carried_out(self, run_id: str, begun: Callable[[], None]) -> EvaluationRun:
        snapshot, work = await in_thread(partial(self._work, run_id))
        begun()
        purse = work.claim.new_purse()
        purse.begin()
        runner = work.announcing(self.app.runner(snapshot.retries))
        experiment = Experiment(
            store=self.app.store,
            writer=self.app.writer,
            pool=LocalPool(runner, snapshot.concurrency, self.app.drain),
            grader=grader_of(self.app),
            subject=None,
            committed=work.committed,
            live=self.app.live,
            drain=self.app.drain,
        )
        try:
            self.app.require_sandbox(snapshot.pin.engine, snapshot.pin.sandbox)
            async with work.claim.obeying(purse):
                design = design_of(run_id, snapshot, work.undone)
                await experiment.run(design, purse, work.settled)
        except Halted as halted:
            if halted.wish == "stopped":
                return self._ended(work, "cancelled")
            self.app.deferred.write(partial(work.claim.end, "interrupted", ending_of(halted)))
            raise
        except Draining:  # nobody ended it: whoever comes next goes on
            self.app.deferred.attempt(partial(work.claim.end, "interrupted"))
            raise
        except Exception as trouble:
            error = str(trouble) if isinstance(trouble, WhetError) else repr(trouble)
            with suppress(EnvironmentProblem):
                self._ended(work, "failed", error)
            raise
        return self._ended(work, "finished")

    def _ended(self, work: AtWork, status: telling.Last, error: str | None = None) -> EvaluationRun:
        """Say how a run ended; if there is no room for that, as soon as there is."""
        run_id = work.run_id

        def late() -> None:
            is_here = (self.app.owner.id, run_id) in AT_WORK
            if not is_here and self.row(run_id).owner == self.app.owner.id:
                work.end(status, error)

        ended: list[EvaluationRun] = []
        self.app.deferred.write(lambda: ended.append(work.end(status, error)), late)
        return ended[0]

    def take_up(self, run_id: str, budget: Budget | None = None) -> EvaluationRun:
        """Make a run one of this process, so that ``run`` can go on with it: one whose process is
        gone, or that this machine ended; with what is left of its budget, or with a new one.
        Raises ``Conflict`` where there is nothing to go on with or somebody is at it."""
        with self.app.store.transaction():
            run = self.row(run_id)
            if run.status == "running" and not run.reclaimable:
                raise WrongStatus(f"run {run_id} is being carried out", "reclaimable", "running")
            if run.status not in ("running", "failed"):
                message = f"run {run_id} is {run.status}; start a new one"
                raise WrongStatus(message, "running or failed", run.status)
            self._claim(run, budget)
            change = {"status": "running", "owner": self.app.owner.id}
            over = {"finished_at": None, "elapsed_s": None, "error": None}
            taken = self.app.store.evaluations.update_eval_run(
                run_id, {**change, **over}, expected={run.status}
            )
            telling.log(self.app.store, run_id, "resumed")
        return taken

    async def resume(
        self, run_id: str, begun: Callable[[], None] = lambda: None, budget: Budget | None = None
    ) -> EvaluationRun:
        """Take up a run and carry it out to its end; what it has is not done again."""
        await asyncio.to_thread(self.take_up, run_id, budget)
        return await self.run(run_id, begun)

    async def cancel(self, run_id: str, patience: float = PATIENCE_SECONDS) -> EvaluationRun:
        """End a run, in whichever process it is, and keep what it has; returns how it is then, or
        after *patience* seconds. Raises ``Conflict`` for a run that is over; one that was
        cancelled already stays so."""
        with self.app.store.transaction():  # nothing is told of a run after its end
            run = self.row(run_id)
            if run.status == "cancelled":
                return run
            if run.status != "running":
                raise WrongStatus(f"run {run_id} is {run.status} already", "running", run.status)
            self.app.store.runs.wish(run_id, "stopped")
            telling.log(self.app.store, run_id, "cancel requested")
        end = time.monotonic() + patience
        while run.status == "running":
            if run.reclaimable:
                return await asyncio.to_thread(self._close, run_id)
            if time.monotonic() > end:
                break
            await asyncio.sleep(LOOK_SECONDS)
            run = self.row(run_id)
        return run

    def list(self, query: RunQuery) -> Page[EvaluationRun]:
        """Runs, newest first."""
        return list_runs(self.app, query)

    def get(self, run_id: str) -> EvaluationDetail:
        """A run with its items; of one that is running, with what it comes to so far. Raises
        ``NotFound``."""
        detail = self.app.store.evaluations.get_eval_run_detail(run_id)
        if detail is None:
            raise NotFound(f"no evaluation {run_id!r}")
        run = shown_run(self.app, detail.run)
        if run.status == "running":
            tally = Tally(detail.items)
            left = None if run.reclaimable else _pace(detail).seconds_left(tally.counts()["active"])
            figures = {**telling.figures(tally, run), "seconds_left": left}
            run = run.model_copy(update=figures).lean()
        return EvaluationDetail(run=run, items=detail.items)

    def row(self, run_id: str) -> EvaluationRun:
        """A run without its items; raises ``NotFound``."""
        page = self.app.store.evaluations.list_eval_runs(RunQuery(run_id=run_id, limit=1))
        if not page.items:
            raise NotFound(f"no evaluation {run_id!r}")
        return shown_run(self.app, page.items[0])

    def delete(self, run_id: str) -> None:
        """Remove a run, its items and its folders; raises ``Conflict`` while it is running."""
        with self.app.store.transaction():
            run = self.row(run_id)
            if run.status == "running":
                message = f"run {run_id} is running; cancel it first"
                raise WrongStatus(message, "finished, failed or cancelled", run.status)
            self.app.store.evaluations.delete_eval_run(run_id)
            self.app.store.runs.delete(run_id)
            private.forget(self.app.store, run_id)
            telling.deleted(self.app.store, run_id)
        self._folders.remove(run_id)

    def compare(self, run_ids: Sequence[str]) -> RunComparison:
        """Hold runs against the first of them."""
        return compare([self.get(run_id) for run_id in run_ids])

    def coverage(self, case_set: str, language: str | None = None) -> CaseCoverage:
        """What the set of that name touches; with a *language*, only what a run in it has."""
        sets = named(case_sets(self.app.settings.workspace), case_set)
        if language is None:
            return coverage(sets)
        whole = together(sets)
        cases = tuple(case for case, _ in pick((whole,), language))
        return coverage((whole.model_copy(update={"cases": cases}),))

    def clean_up(self) -> None:
        """Remove folders that have been there for long; one of a running run gets more time."""
        now = self.app.clock.now()
        for run_id in folders.forgotten(self.app.store, now):
            try:
                is_running = self.row(run_id).status == "running"
            except NotFound:
                is_running = False
            if is_running:
                folders.remember(self.app.store, run_id, now)
            else:
                self._folders.remove(run_id)

    @property
    def _folders(self) -> Folders:
        return Folders(self.app.settings.workspace, self.app.store.blobs)

    def _made(self, plan: RunPlan, snapshot: Snapshot, tally: Tally, now: str) -> EvaluationRun:
        pin = snapshot.pin
        scores = tally.scores(plan.weights)
        return EvaluationRun(
            run_id=plan.run_id,
            user_id=plan.user_id,
            model_name=plan.model_name,
            language=plan.language,
            status="running",
            case_set=plan.case_set,
            config_snapshot=private.shown(snapshot).model_dump(mode="json"),
            tool_snapshot=plan.tools.model_dump(mode="json"),
            dimension_scores={**scores.dimensions},
            total_score=None,
            started_at=now,
            finished_at=None,
            elapsed_s=None,
            error=None,
            simulated=self.app.parts.engine(pin.engine).simulated,
            case_set_digest=plan.digest,
            owner=self.app.owner.id,
            engine=pin.engine,
            engine_version=pin.engine_version,
            weights=plan.weights,
            counts=scores.counts,
            measured_cases=measured_cases(scores.counts),
        ).lean()

    def _work(self, run_id: str) -> tuple[Snapshot, AtWork]:
        """What is left to do of a run of this process."""
        detail = self.app.store.evaluations.get_eval_run_detail(run_id)
        if detail is None:
            raise NotFound(f"no evaluation {run_id!r}")
        run = detail.run
        if run.status != "running" or run.owner != self.app.owner.id:
            raise WrongStatus(f"run {run_id} is not one of this process", "running", run.status)
        claim = RunService(self.app).held(run_id)
        try:
            shown, chosen = recalled(self.app, run)
            snapshot = private.whole(self.app.store, run_id, shown)
        except Exception as trouble:
            finished(claim, run, Tally(detail.items), ("failed", str(trouble)))
            raise
        return snapshot, AtWork(claim, run, chosen, detail.items, snapshot.concurrency)

    def _close(self, run_id: str) -> EvaluationRun:
        """Cancel a run that nobody is at."""
        with self.app.store.transaction():
            detail = self.get(run_id)
            claim = self._claim(detail.run)
            return finished(claim, detail.run, Tally(detail.items), ("cancelled", None))

    def _claim(self, run: EvaluationRun, budget: Budget | None = None) -> RunClaim:
        """Make a run one of this process; raises ``Conflict`` where another is at it."""
        service = RunService(self.app)
        there = service.find(run.run_id)
        if there and there.status == "running" and there.owner != self.app.owner.id:
            raise Conflict(f"run {run.run_id}", "nobody at it", there.owner)
        detail = self.app.store.evaluations.get_eval_run_detail(run.run_id)
        counts = Tally(detail.items if detail else ()).counts()
        done = counts["total"] - counts["active"] - counts["cancelled"]
        known = {
            "total": counts["total"],
            "done": done,
            "reused": done,
            "failed": counts["error"],
            "skipped": counts["skipped"],
        }
        purse = Purse(budget or NO_LIMITS)
        if there is not None and budget is None:
            purse = Purse(there.budget, before=there.spending)
        made = service.new(run.run_id, "capability", run.case_set, purse)
        return service.claim(made.model_copy(update=known))


def _pace(detail: EvaluationDetail) -> Pace:
    snapshot = detail.run.config_snapshot
    concurrency = snapshot.get("concurrency") if isinstance(snapshot, dict) else None
    return Pace(concurrency if isinstance(concurrency, int) else 1, detail.items)

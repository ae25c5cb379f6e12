"""Runs of a suite as a person sees them: start one, see where it stands, pick it up again."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from pydantic import JsonValue

from whet.app.app import App
from whet.app.eval_leg import LegRun
from whet.app.eval_pairwise import side_by_side
from whet.app.eval_plan import SERIES, EvalPlan, Leg, experiment, series_of
from whet.app.eval_request import EvalRequest
from whet.app.runs.claim import BY_ITSELF, Ending, RunClaim, ending_of
from whet.app.runs.service import RunService
from whet.core.errors import NotFound
from whet.core.instant import iso_seconds
from whet.core.run import Run
from whet.core.usage import Usage
from whet.core.value import Value
from whet.documents.benchmark import Benchmark
from whet.documents.iteration import IterationMark
from whet.documents.overview import Overview, OverviewLeg
from whet.documents.verdict import Verdict
from whet.evaluate.adaptive import StopRule, adaptive, words
from whet.evaluate.experiment import Experiment, Extent
from whet.evaluate.iteration import Iteration, begin
from whet.evaluate.suite_runs import write_text
from whet.evaluate.verdict import grain_of_suite, holm_over

Status = Literal["running", "completed", "partial", "interrupted"]
LAST_WORDS: dict[Status, str] = {
    "completed": "eval.finished",
    "partial": "eval.finished",
    "interrupted": "eval.interrupted",
}


class LegState(Value):
    """Where the results of one engine and model lie."""

    engine: str
    model: str
    iteration: int
    folder: str
    """Relative to the workspace."""


class EvalState(Value):
    """A run of a suite as its door tells of it."""

    id: str
    skill: str
    status: Status
    owner: str
    started_at: str
    ended_at: str | None = None
    total_trials: int
    legs: tuple[LegState, ...]
    request: EvalRequest
    warnings: tuple[str, ...] = ()
    error: str | None = None
    """Why it was interrupted, if it was a trouble and not a person."""

    elapsed_s: float | None = None
    """How long it took, whatever the clock of the day did; None while it runs."""

    @classmethod
    def of(cls, run: Run) -> "EvalState":
        """What a run of a suite is."""
        names = ("id", "status", "owner", "started_at", "ended_at", "request", "error")
        return cls.model_validate(
            {
                **{name: getattr(run, name) for name in names},
                **{name: run.details[name] for name in ("legs", "warnings")},
                "skill": run.name,
                "total_trials": run.total,
                "elapsed_s": run.elapsed_s if run.ended_at else None,
            }
        )


@dataclass(frozen=True)
class LegOutcome:
    """What one engine and model came to."""

    leg: Leg
    iteration: Iteration
    benchmark: Benchmark
    extent: Extent
    verdict: Verdict | None
    """What still stands when all legs are one family; None with nothing to compare."""

    unanswered: int
    """Runs that came to no answer, without those that a limit left out."""

    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """The verdict for people by language, where there is more to say than it tells itself."""

    @property
    def executed(self) -> int:
        """The runs that were missing before and are there now; a budget may have left some out."""
        return self.extent.missing - len(self.benchmark.missing or ())


@dataclass(frozen=True)
class EvalOutcome:
    """What a run of a suite came to."""

    plan: EvalPlan
    legs: tuple[LegOutcome, ...]
    spent: Usage
    """By this run; what was there already costs nothing."""

    @property
    def is_complete(self) -> bool:
        """Whether every place of every leg has a result."""
        return all(leg.benchmark.metadata.status == "completed" for leg in self.legs)

    @property
    def unanswered(self) -> int:
        """Runs of all legs that came to no answer."""
        return sum(leg.unanswered for leg in self.legs)


@dataclass(frozen=True)
class Evals:
    """The runs of suites of a workspace."""

    app: App

    async def run(self, plan: EvalPlan, begun: Callable[[], None] = lambda: None) -> EvalOutcome:
        """Carry a plan out; what is recorded already is not run again.

        *begun* is called once everything is found in order and the work starts.
        """
        for leg in plan.legs:
            if leg.extent.missing:
                self.app.require_sandbox(leg.design.pin.engine, leg.design.pin.sandbox)
                self.app.require_credential(leg.design.pin.engine, leg.design.pin.model)
        iterations, claim = self._begin(plan)
        legs: list[LegRun] = []
        try:
            for leg, iteration in zip(plan.legs, iterations, strict=True):
                legs.append(LegRun(self.app, plan, leg, iteration, claim))
            begun()
            plan.purse.begin()
            async with claim.obeying(plan.purse):
                extents = await self._work(plan, legs, claim)
            outcome = self._outcome(plan, legs, extents)
            self._end(claim, "completed" if outcome.is_complete else "partial")
        except BaseException as trouble:
            self.app.deferred.attempt(partial(self._interrupt, claim, legs, trouble))
            raise
        return outcome

    def _interrupt(self, claim: RunClaim, legs: Sequence[LegRun], trouble: BaseException) -> None:
        """Say why a run did not come to its end, unless somebody else has claimed it since."""
        if not claim.is_current():
            return
        try:
            for leg in legs:
                leg.save()
        finally:
            self._end(claim, "interrupted", ending_of(trouble))

    async def _work(self, plan: EvalPlan, legs: Sequence[LegRun], claim: RunClaim) -> list[Extent]:
        """All legs side by side; they share the purse."""
        works = replace(experiment(self.app, plan), committed=claim.commit)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._leg(plan, works, leg)) for leg in legs]
        except ExceptionGroup as troubles:
            raise troubles.exceptions[0] from troubles
        return [task.result() for task in tasks]

    async def _leg(self, plan: EvalPlan, works: Experiment, leg: LegRun) -> Extent:
        design, request = leg.leg.design, plan.request
        if request.adaptive:
            suite = plan.suite
            rule = StopRule(
                margin=request.margin, grain=grain_of_suite(suite), clusters=suite.clusters()
            )
            leg.adaptive = await adaptive(works, design, plan.purse, leg.settled, rule)
            extent = leg.extent()
        else:
            extent = await works.run(design, plan.purse, leg.settled)
        if request.pairwise:
            leg.pairwise = await side_by_side(self.app, plan, leg)
        return extent

    def _begin(self, plan: EvalPlan) -> tuple[list[Iteration], RunClaim]:
        """Keep what agents get, find or make the folders, and say that it runs."""
        store, service = self.app.store, RunService(self.app)
        run = service.new(plan.id, "eval", plan.suite.document.skill_name, plan.purse)
        with store.transaction():
            for data in plan.content.values():
                store.blobs.put(data)
            iterations = [begin(leg.root, self._mark(plan, leg)) for leg in plan.legs]
            self._raise_series(plan)
            places = [self._place(*each) for each in zip(plan.legs, iterations, strict=True)]
            details: dict[str, JsonValue] = {
                "legs": [place.model_dump(mode="json") for place in places],
                "warnings": [*plan.warnings],
            }
            change = {
                "request": plan.request.model_dump(mode="json"),
                "details": details,
                "total": plan.total,
            }
            claim = service.claim(run.model_copy(update=change))
        return iterations, claim

    def _raise_series(self, plan: EvalPlan) -> None:
        """Later runs go on in this series, unless another process has begun a fresher one."""
        states = self.app.store.states
        if plan.series > series_of(self.app, plan.folder.name):
            present = states.get(SERIES, plan.folder.name)
            value: dict[str, JsonValue] = {"series": plan.series}
            states.put(SERIES, plan.folder.name, present.revision if present else 0, value)

    def _mark(self, plan: EvalPlan, leg: Leg) -> IterationMark:
        old = next((arm.skill for arm in leg.design.arms if arm.id == "old_skill"), None)
        return IterationMark(
            plan_digest=leg.digest,
            eval_id=plan.id,
            created_at=iso_seconds(self.app.clock.now()),
            skill_digest=plan.skill.digest,
            old_skill_digest=old.digest if old else None,
            series=plan.series,
        ).lean()

    def _place(self, leg: Leg, iteration: Iteration) -> LegState:
        pin = leg.design.pin
        return LegState(
            engine=pin.engine,
            model=pin.model,
            iteration=iteration.number,
            folder=str(iteration.folder.relative_to(self.app.settings.workspace)),
        )

    def _outcome(
        self, plan: EvalPlan, legs: Sequence[LegRun], extents: Sequence[Extent]
    ) -> EvalOutcome:
        benchmarks = [leg.save() for leg in legs]
        verdicts = family_of(benchmarks, plan.request)
        outcomes = tuple(
            LegOutcome(
                leg.leg,
                leg.iteration,
                found,
                extent,
                verdict,
                leg.unanswered,
                _words(leg, verdict),
            )
            for leg, found, extent, verdict in zip(legs, benchmarks, extents, verdicts, strict=True)
        )
        outcome = EvalOutcome(plan, outcomes, plan.purse.usage)
        overview = overview_of(outcome, iso_seconds(self.app.clock.now()))
        write_text(plan.folder / "overview.json", overview.to_json())
        return outcome

    def _end(self, claim: RunClaim, status: Status, ending: Ending = BY_ITSELF) -> None:
        """Say how it ended; whoever hears of it finds the files complete."""
        with self.app.store.transaction():
            claim.end(status, ending)
            about = {"error": ending.error, "control": ending.wish}
            said = {name: value for name, value in about.items() if value is not None}
            self.app.store.events.append(LAST_WORDS[status], claim.run.id, {**said})

    def list(self) -> Sequence[EvalState]:
        """Every run of a suite, newest first."""
        return [EvalState.of(run) for run in RunService(self.app).every("eval")]

    def get(self, identity: str) -> EvalState:
        """One run of a suite; raises ``NotFound``."""
        run = RunService(self.app).find(identity, "eval")
        if run is None:
            raise NotFound(f"no eval run {identity!r}")
        return EvalState.of(run)

    def benchmarks(self, state: EvalState) -> Iterator[Benchmark | None]:
        """What each leg has come to so far; None before there is anything."""
        for leg in state.legs:
            try:
                yield Benchmark.load(self.app.settings.workspace / leg.folder / "benchmark.json")
            except NotFound:
                yield None


def _words(leg: LegRun, verdict: Verdict | None) -> dict[str, str]:
    """Why an adaptive run stopped, and what it speaks of, unless other legs overruled it."""
    outcome = leg.adaptive
    if outcome is None or verdict is None or outcome.verdict.label != verdict.label:
        return {}
    return {language: words(outcome, language) for language in ("en", "zh")}


def family_of(benchmarks: Sequence[Benchmark], request: EvalRequest) -> list[Verdict | None]:
    """The verdicts that still stand when all legs are one family of comparisons."""
    family = iter(holm_over([b.verdict for b in benchmarks if b.verdict], request.other))
    return [next(family) if found.verdict else None for found in benchmarks]


def overview_of(outcome: EvalOutcome, now: str) -> Overview:
    """All legs side by side."""
    plan = outcome.plan
    return Overview(
        skill_name=plan.suite.document.skill_name,
        eval_id=plan.id,
        generated_at=now,
        legs=tuple(_overview_leg(plan, leg) for leg in outcome.legs),
        warnings=plan.warnings,
        simulated=any(leg.benchmark.metadata.simulated for leg in outcome.legs) or None,
    ).lean()


def _overview_leg(plan: EvalPlan, leg: LegOutcome) -> OverviewLeg:
    found, pin = leg.benchmark, leg.leg.design.pin
    summary = found.run_summary.with_skill
    scores = summary.overall_efficiency if summary else None
    return OverviewLeg(
        engine=pin.engine,
        model=pin.model,
        iteration=leg.iteration.number,
        folder=str(leg.iteration.folder.relative_to(plan.folder)),
        status=found.metadata.status or "completed",
        mean=scores.mean if scores else None,
        verdict=found.verdict,
        label=leg.verdict.label if leg.verdict else None,
        p_value_adjusted=leg.verdict.p_value if leg.verdict else None,
    ).lean()

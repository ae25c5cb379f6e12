"""Runs of a suite as a person sees them: start one, see where it stands, pick it up again."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from pydantic import JsonValue

from whet.app.app import App
from whet.app.eval_leg import LegRun
from whet.app.eval_pairwise import side_by_side
from whet.app.eval_plan import SERIES, EvalPlan, Leg, experiment, series_of
from whet.app.eval_request import EvalRequest
from whet.app.secret_sweep import EVAL_STATE
from whet.core.errors import Draining, NotFound, WhetError
from whet.core.instant import iso, iso_seconds
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

KIND = EVAL_STATE
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
    """A run of a suite as the store keeps it."""

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
        started_at = iso(self.app.clock.now())
        iterations = self._begin(plan, started_at)
        legs: list[LegRun] = []
        try:
            for leg, iteration in zip(plan.legs, iterations, strict=True):
                legs.append(LegRun(self.app, plan, leg, iteration))
            begun()
            plan.purse.begin()
            extents = await self._work(plan, legs)
            outcome = self._outcome(plan, legs, extents)
            self._end(plan, "completed" if outcome.is_complete else "partial")
        except BaseException as trouble:
            end = partial(self._interrupt, plan, legs, started_at, trouble)
            self.app.deferred.attempt(end)
            raise
        return outcome

    def _interrupt(
        self, plan: EvalPlan, legs: Sequence[LegRun], started_at: str, trouble: BaseException
    ) -> None:
        """Say why a run did not come to its end, unless somebody else has begun another since."""
        state = self.app.store.states.get(KIND, plan.id)
        ours = (self.app.owner.id, started_at)
        if not state or (state.value.get("owner"), state.value.get("started_at")) != ours:
            return
        is_trouble = isinstance(trouble, WhetError) and not isinstance(trouble, Draining)
        try:
            for leg in legs:
                leg.save()
        finally:
            self._end(plan, "interrupted", str(trouble) if is_trouble else None)

    async def _work(self, plan: EvalPlan, legs: Sequence[LegRun]) -> list[Extent]:
        """All legs side by side; they share the purse."""
        works = experiment(self.app, plan)
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

    def _begin(self, plan: EvalPlan, started_at: str) -> list[Iteration]:
        """Keep what agents get, find or make the folders, and say that it runs."""
        store = self.app.store
        with store.transaction():
            for data in plan.content.values():
                store.blobs.put(data)
            iterations = [begin(leg.root, self._mark(plan, leg)) for leg in plan.legs]
            self._raise_series(plan)
            self._set(
                EvalState(
                    id=plan.id,
                    skill=plan.suite.document.skill_name,
                    status="running",
                    owner=self.app.owner.id,
                    started_at=started_at,
                    total_trials=plan.total,
                    legs=tuple(map(self._place, plan.legs, iterations)),
                    request=plan.request,
                    warnings=plan.warnings,
                )
            )
        return iterations

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

    def _end(self, plan: EvalPlan, status: Status, error: str | None = None) -> None:
        """Say how it ended; whoever hears of it finds the files complete."""
        store = self.app.store
        with store.transaction():
            state = store.states.get(KIND, plan.id)
            if state is not None:
                ended_at = iso(self.app.clock.now())
                took = round(plan.purse.seconds, 3)
                change = {"status": status, "ended_at": ended_at, "error": error, "elapsed_s": took}
                self._set(EvalState.model_validate({**state.value, **change}))
            store.events.append(LAST_WORDS[status], plan.id, {"error": error} if error else {})

    def _set(self, wanted: EvalState) -> None:
        """Whoever comes last describes the run; another process may be at it too."""
        states = self.app.store.states
        with self.app.store.transaction():
            present = states.get(KIND, wanted.id)
            value = wanted.model_dump(mode="json")
            states.put(KIND, wanted.id, present.revision if present else 0, value)

    def list(self) -> Sequence[EvalState]:
        """Every run of a suite, newest first."""
        return [self._seen(state.value) for state in self.app.store.states.list(KIND)]

    def get(self, identity: str) -> EvalState:
        """One run of a suite; raises ``NotFound``."""
        state = self.app.store.states.get(KIND, identity)
        if state is None:
            raise NotFound(f"no eval run {identity!r}")
        return self._seen(state.value)

    def benchmarks(self, state: EvalState) -> Iterator[Benchmark | None]:
        """What each leg has come to so far; None before there is anything."""
        for leg in state.legs:
            try:
                yield Benchmark.load(self.app.settings.workspace / leg.folder / "benchmark.json")
            except NotFound:
                yield None

    def _seen(self, value: dict[str, JsonValue]) -> EvalState:
        """A running one whose process is gone is an interrupted one."""
        state = EvalState.model_validate(value)
        if state.status == "running" and not self.app.is_alive(state.owner):
            return state.model_copy(update={"status": "interrupted"})
        return state


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

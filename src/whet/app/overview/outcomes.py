"""What came out last: comparisons of projects and evals, scores of capability runs."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar

from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.app.evals import EvalState
from whet.app.experiments import ExperimentState
from whet.app.overview.running import Kind, shown
from whet.core.errors import WhetError
from whet.core.value import Value
from whet.documents.capability import EvaluationRun
from whet.documents.overview import Overview, OverviewLeg
from whet.documents.result import Summary
from whet.documents.verdict import Interval, Label, Verdict
from whet.evaluate.project import opened
from whet.evaluate.verdict import holm_over
from whet.ports.evaluations import RunQuery

State = TypeVar("State", ExperimentState, EvalState)

LATEST = 6
"""How many are shown."""

LOOKED_AT = 5 * LATEST
"""Some have nothing to show: archived ones, and those that were interrupted early."""

PERCENT = 100.0
"""Evals score from 0 to 1; here all points are on the scale to 100."""


class Range(Value):
    """An interval on the scale to 100."""

    low: float
    high: float
    level: float


class OnThese(Value):
    """What a comparison came to on its own cases, whatever others like them would give."""

    label: Label
    interval: Range | None


class Outcome(Value):
    """What something came to: a comparison, or a score. All points are on the scale to 100."""

    kind: Kind
    id: str
    name: str
    at: str
    engine: str
    simulated: bool
    complete: bool
    """Whether every place of it has a result."""

    score: float | None
    """Of the best skill, of the skill, or of the model."""

    first: str | None
    second: str | None
    """Who leads and who comes next, where several are ranked."""

    label: Label | None
    """Of the first against the second, or of the skill against none or its past, on cases like
    these; None where nothing is compared."""

    needs: Literal["cases"] | None = None
    """Whether there are too few cases to say anything of others like them."""

    on_these: OnThese | None = None
    """None where each case would have to be run more often, and in results of older versions."""

    delta: float | None
    interval: Range | None
    """Of the difference, on cases like these."""

    cases: int | None


def outcomes(
    app: App, experiments: Sequence[ExperimentState], evals: Sequence[EvalState]
) -> tuple[Outcome, ...]:
    """The latest, the newest first."""
    capability = Evaluations(app).list(RunQuery(status="finished", limit=LATEST)).items
    found = (
        *islice(_of_projects(app, _newest(experiments)), LATEST),
        *islice(_of_evals(app, _newest(evals)), LATEST),
        *map(_of_capability, capability),
    )
    return tuple(sorted(found, key=lambda one: one.at, reverse=True)[:LATEST])


def _newest(states: Sequence[State]) -> list[State]:
    over = [state for state in states if state.status != "running" and state.ended_at]
    return sorted(over, key=lambda state: state.ended_at or "", reverse=True)[:LOOKED_AT]


def _of_projects(app: App, states: Sequence[ExperimentState]) -> Iterator[Outcome]:
    for state in states:
        folder = app.settings.workspace / "projects" / state.folder
        try:
            config = opened(folder).config
            summary = Summary.load(folder / "results" / "summary.json")
        except WhetError:
            continue  # interrupted before there was anything, or broken; its own page says so
        if not config.archived and summary.ranking:
            cli = config.cli_config
            yield _ranked(state, summary, shown(cli.engine or "", cli.model))


def _ranked(state: ExperimentState, summary: Summary, engine: str) -> Outcome:
    first, second = (*summary.ranking, None)[:2]
    assert first is not None
    versus = first.versus_next
    return Outcome(
        kind="project",
        id=state.id,
        name=state.name,
        at=state.ended_at or summary.generated_at,
        engine=engine,
        simulated=bool(summary.simulated),
        complete=state.status == "completed" and state.failed is None,
        score=first.avg_score,
        first=first.skill_name,
        second=second.skill_name if second else None,
        label=versus.label if versus else None,
        needs=versus.needs if versus else None,
        on_these=_on_these(versus, 1),
        delta=versus.delta if versus else None,
        interval=_range(versus.interval, 1) if versus else None,
        cases=versus.n_cases if versus else summary.total_cases,
    )


def _of_evals(app: App, states: Sequence[EvalState]) -> Iterator[Outcome]:
    """Of each skill its latest run: the file with what it came to is written over by the next."""
    seen: set[Path] = set()
    for state in states:
        if not state.legs:
            continue
        path = (app.settings.workspace / state.legs[0].folder).parents[1] / "overview.json"
        if path in seen:
            continue
        seen.add(path)
        try:
            overview = Overview.load(path)
        except WhetError:
            continue
        if overview.eval_id == state.id:
            family = iter(holm_over([leg.verdict for leg in overview.legs if leg.verdict]))
            for leg in overview.legs:
                yield _of_leg(state, overview, leg, next(family) if leg.verdict else None)


def _of_leg(
    state: EvalState, overview: Overview, leg: OverviewLeg, verdict: Verdict | None
) -> Outcome:
    """One engine; *verdict* is what stands when all engines are one family of comparisons."""
    return Outcome(
        kind="eval",
        id=state.id,
        name=state.skill,
        at=state.ended_at or overview.generated_at,
        engine=shown(leg.engine, leg.model),
        simulated=bool(overview.simulated),
        complete=leg.status == "completed",
        score=None if leg.mean is None else leg.mean * PERCENT,
        first=None,
        second=None,
        label=leg.label or (verdict.label if verdict else None),
        needs=verdict.needs if verdict else None,
        on_these=_on_these(verdict, PERCENT),
        delta=None if verdict is None or verdict.delta is None else verdict.delta * PERCENT,
        interval=_range(verdict.interval, PERCENT) if verdict else None,
        cases=verdict.n_cases if verdict else None,
    )


def _of_capability(run: EvaluationRun) -> Outcome:
    total = (run.counts or {}).get("total")
    return Outcome(
        kind="capability",
        id=run.run_id,
        name=run.case_set,
        at=run.finished_at or run.started_at,
        engine=run.model_name,
        simulated=bool(run.simulated),
        complete=run.measured_cases == total,
        score=run.total_score,
        first=None,
        second=None,
        label=None,
        delta=None,
        interval=None,
        cases=run.measured_cases,
    )


def _on_these(verdict: Verdict | None, scale: float) -> OnThese | None:
    found = verdict.on_these if verdict else None
    if found is None or found.needs:
        return None
    return OnThese(label=found.label, interval=_range(found.interval, scale))


def _range(interval: Interval | None, scale: float) -> Range | None:
    if interval is None:
        return None
    return Range(low=interval.low * scale, high=interval.high * scale, level=interval.level)

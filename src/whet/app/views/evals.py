"""A run of a suite as people look at it, while it runs and afterwards.

All of it comes from the benchmark of each engine and model, which is written while they work.
"""

from collections.abc import Iterator, Mapping, Sequence

from whet.app.app import App
from whet.app.eval_report import report_legs
from whet.app.evals import EvalState, LegState
from whet.app.runs.progress import progress
from whet.app.runs.service import RunService
from whet.app.views.page import Cases
from whet.app.views.project import card
from whet.core.errors import WhetError
from whet.documents.benchmark import Benchmark, BenchmarkRun
from whet.documents.evals import Eval
from whet.documents.experiment_view import (
    ArmView,
    CaseView,
    CellView,
    CostView,
    DimensionScale,
    EngineView,
    ExperimentView,
    FindingView,
    LegView,
    MeasureView,
    MissingView,
    ProgressView,
    SpreadView,
    VerdictCard,
)
from whet.exporters.figures import (
    WITH,
    average,
    configurations,
    eval_names,
    eval_rows,
    measures,
    other,
    runs_by_place,
    score,
)
from whet.exporters.plain import line
from whet.ports.exporter import EvalReport, Leg

FULL = 1.0
"""A perfect score."""


class EvalViews:
    """Looks at runs of suites."""

    def __init__(self, app: App) -> None:
        self._app = app

    def view(
        self, state: EvalState, cases: Cases, report: EvalReport | None = None
    ) -> ExperimentView:
        """The run as it is now; or as a *report* has it that was made just now."""
        if report is None:
            found, evals = report_legs(self._app, state)
        else:
            found, evals = report.legs, report.evals
        shown = EvalReport(state.skill, tuple(one for one in found if one), evals, state.warnings)
        legs = tuple(
            _Leg(state, at, leg, shown).view(cases)
            for at, leg in zip(state.legs, found, strict=True)
        )
        whole = [leg.benchmark for leg in shown.legs]
        simulated = [about.metadata.simulated for about in whole]
        return ExperimentView(
            kind="eval",
            id=state.id,
            name=line(state.skill, 200),
            description="",
            status=state.status,
            control=None,
            error=state.error,
            simulated=any(simulated) if whole else self._is_simulated(state),
            partial=state.status != "completed"
            or len(whole) < len(legs)
            or any(about.metadata.status == "partial" for about in whole),
            started_at=state.started_at,
            ended_at=state.ended_at,
            judges=_judges(whole, state),
            repeats=next((about.metadata.runs_per_configuration for about in whole), None),
            progress=_progress(self._app, state.id),
            cost=_cost(whole),
            legs=legs,
            warnings=tuple(line(warning) for warning in state.warnings),
            page=cases.page,
            page_size=cases.page_size,
        )

    def _is_simulated(self, state: EvalState) -> bool | None:
        try:
            return any(self._app.parts.engine(leg.engine).simulated for leg in state.legs)
        except WhetError:
            return None


def _progress(app: App, identity: str) -> ProgressView | None:
    run = RunService(app).find(identity)
    if run is None:
        return None
    known = progress(run, app.clock.now())
    return ProgressView.model_validate(known.model_dump(include={*ProgressView.model_fields}))


def _judges(found: Sequence[Benchmark], state: EvalState) -> tuple[str, ...]:
    named = [judge for about in found for judge in about.metadata.judges or ()]
    return tuple(dict.fromkeys(named)) or state.request.judges


def _cost(found: Sequence[Benchmark]) -> CostView:
    """What the agents behind the runs are known to have cost."""
    runs = [run.result for about in found for run in about.runs]
    known = [run.cost_usd for run in runs if run.cost_usd is not None]
    return CostView(usd=sum(known) if known else None, unknown=len(runs) - len(known))


class _Leg:
    """One engine and model."""

    def __init__(self, state: EvalState, at: LegState, leg: Leg | None, report: EvalReport) -> None:
        self._state = state
        self._at = at
        self._leg = leg
        self._report = report

    def view(self, cases: Cases) -> LegView:
        """As far as it is; before there is anything, the suite as it will be run."""
        leg, evals = self._leg, self._report.evals
        if leg is None:
            return self._awaited(cases)
        found = leg.benchmark
        about = found.metadata
        arms = _arms(found)
        first, end = cases.span
        every = eval_names(self._report, found)
        return LegView(
            engine=EngineView(
                engine=about.engine or self._at.engine,
                model=about.executor_model,
                version=about.engine_version,
                sandbox=about.sandbox,
            ),
            iteration=about.iteration,
            status=self._state.status if about.status is None else about.status,
            attempts=about.runs_per_configuration,
            scale=FULL,
            weights=about.score_weights(),
            verdicts=tuple(_verdict(leg)),
            arms=tuple(_arm(name, found) for name in arms),
            sets=(),
            measures=tuple(_measures(found)),
            dimensions=tuple(_scales(evals)),
            columns=arms,
            cases=tuple(_cases(found, self._report, arms, [*every][first:end])),
            total_cases=len(every),
            findings=tuple(_findings(found)),
            missing=tuple(_missing(found)),
            notes=tuple(line(note) for note in found.notes),
            statistics=found.statistics,
        )

    def _awaited(self, cases: Cases) -> LegView:
        first, end = cases.span
        evals, request = self._report.evals, self._state.request
        arms = (WITH,) if request.baseline is False else (WITH, request.other)
        awaited = CellView(mean=None, scored=0, failed=0, unscored=0, missing=0, flaky=False)
        return LegView(
            engine=EngineView(
                engine=self._at.engine, model=self._at.model, version=None, sandbox=None
            ),
            iteration=self._at.iteration,
            status=self._state.status,
            attempts=request.runs or 0,
            scale=FULL,
            weights={},
            verdicts=(),
            arms=tuple(_arm(name, None) for name in arms),
            sets=(),
            measures=(),
            dimensions=tuple(_scales(evals)),
            columns=arms,
            cases=tuple(
                _case(one, evals[one].name or f"eval {one}", None, (awaited,) * len(arms))
                for one in [*evals][first:end]
            ),
            total_cases=len(evals),
            findings=(),
            missing=(),
            notes=(),
            statistics=None,
        )


def _arms(found: Benchmark) -> tuple[str, ...]:
    """The skill first; also those that nothing has come of."""
    named = [*configurations(found), *(one.configuration for one in found.missing or ())]
    return tuple(dict.fromkeys(named)) or (WITH,)


def _arm(name: str, found: Benchmark | None) -> ArmView:
    summary = configurations(found).get(name) if found else None
    scores = summary.overall_efficiency if summary else None
    dimensions = (summary.rubric_dimensions if summary else None) or {}
    return ArmView(
        id=name,
        name=name,
        version=None,
        rank=None,
        mean=scores.mean if scores else None,
        interval=None,
        deviation=scores.stddev if scores else None,
        mean_failed_as_zero=None,
        order_differs=False,
        completed_cases=None,
        failed_cases=None,
        unscored_cases=None,
        dimensions={each: stats.mean for each, stats in dimensions.items()},
    )


def _verdict(leg: Leg) -> Iterator[VerdictCard]:
    """What still stands when all legs are one family."""
    found, second = leg.verdict or leg.benchmark.verdict, other(leg.benchmark)
    if found is not None and second is not None:
        yield card(found, WITH, second, dict(leg.words))


def _measures(found: Benchmark) -> Iterator[MeasureView]:
    for one in measures(found):
        yield MeasureView(
            name=one.name,
            unit=one.unit,
            by_arm={
                name: spread and SpreadView(mean=spread.mean, deviation=spread.deviation)
                for name, spread in one.by_configuration.items()
            },
            delta=one.delta,
        )


def _scales(evals: Mapping[str, Eval]) -> Iterator[DimensionScale]:
    """The dimensions of all rubrics; a scale that evals do not agree on is not told."""
    known: dict[str, set[tuple[float, float, float]]] = {}
    for one in evals.values():
        for each in one.quality_rubric.dimensions if one.quality_rubric else ():
            low = 1.0 if each.minimum is None else float(each.minimum)
            high = 5.0 if each.maximum is None else float(each.maximum)
            known.setdefault(each.name, set()).add((low, high, float(each.weight)))
    for name, scales in known.items():
        low, high, weight = zip(*scales, strict=True)
        yield DimensionScale(
            name=name, minimum=_agreed(low), maximum=_agreed(high), weight=_agreed(weight)
        )


def _agreed(values: Sequence[float]) -> float | None:
    return values[0] if len(set(values)) == 1 else None


def _cases(
    found: Benchmark, report: EvalReport, arms: Sequence[str], wanted: Sequence[str]
) -> Iterator[CaseView]:
    runs = runs_by_place(found)
    rows = {row.id: row for row in eval_rows(report, found)}
    statistics = found.statistics
    flaky = {
        (str(one.eval_id), one.configuration)
        for one in (statistics.findings if statistics else ())
        if one.kind == "flaky"
    }
    lost = [(str(one.eval_id), one.configuration) for one in found.missing or ()]
    planned = 0 if found.metadata.adaptive else found.metadata.runs_per_configuration
    for identity in wanted:
        cells: list[CellView] = []
        for arm in arms:
            place = (identity, arm)
            missing = max(lost.count(place), planned - len(runs[place]))
            cells.append(_cell(runs[place], missing, flaky=place in flaky))
        yield _case(identity, rows[identity].name, rows[identity].delta, tuple(cells))


def _case(identity: str, name: str, delta: float | None, cells: tuple[CellView, ...]) -> CaseView:
    return CaseView(
        set="", id=identity, name=line(name, 200), category="", delta=delta, cells=cells
    )


def _cell(runs: Sequence[BenchmarkRun], missing: int, *, flaky: bool) -> CellView:
    failed = sum(run.result.status == "failed" for run in runs)
    scored = sum(score(run) is not None for run in runs)
    return CellView(
        mean=average(runs),
        scored=scored,
        failed=failed,
        unscored=len(runs) - scored,
        missing=missing,
        flaky=flaky,
    )


def _findings(found: Benchmark) -> Iterator[FindingView]:
    for one in found.statistics.findings if found.statistics else ():
        yield FindingView(
            kind=one.kind,
            case=None if one.eval_id is None else str(one.eval_id),
            arm=one.configuration,
            check=line(one.check) if one.check else None,
            text=line(one.text),
        )


def _missing(found: Benchmark) -> Iterator[MissingView]:
    for one in found.missing or ():
        yield MissingView(
            case=str(one.eval_id),
            arm=one.configuration,
            attempt=one.run_number,
            reason=line(one.reason),
        )

"""``benchmark.json``: all runs of an iteration, summed up, compared, and what they say.

The summary is skill-creator's arithmetic: all runs of a configuration in one pot. The verdict is
not: there the eval is the unit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from whet.documents.benchmark import (
    Benchmark,
    BenchmarkMetadata,
    BenchmarkRun,
    MissingRun,
)
from whet.documents.eval_statistics import EvalStatistics, PairwiseSummary
from whet.documents.grading import ExecutionMetrics
from whet.documents.verdict import Verdict
from whet.evaluate.experiment import Row
from whet.evaluate.findings import findings
from whet.evaluate.opinion import EXPECTATIONS_SHARE, RUBRIC_SHARE
from whet.evaluate.plan import Cell, Design, cells
from whet.evaluate.reliability import power_after, reliability
from whet.evaluate.run_result import Run, Table, table_of
from whet.evaluate.run_summary import notes, run_summary
from whet.evaluate.suite import Suite
from whet.evaluate.suite_grading import is_simulated
from whet.evaluate.verdict import (
    Pairs,
    by_eval,
    grain_of_suite,
    pairs_of,
    verdict_document,
    verdict_of,
)

WITH_SKILL = "with_skill"


@dataclass(frozen=True)
class Context:
    """What the rows alone do not tell."""

    suite: Suite
    design: Design
    """The arm with the skill is held against the first other one, if there is one."""

    skill_path: str
    timestamp: str
    analyzer_model: str = ""
    """The model of the judge."""

    judges: tuple[str, ...] = ()
    simulated: bool = False
    """Whether it is simulated even if no row says so."""

    cost_usd: float | None = None
    """Everything that was spent on it, judges included."""

    metrics: Mapping[str, ExecutionMetrics] = field(default_factory=dict[str, ExecutionMetrics])
    """What the run did, by the address of its trial."""

    eval_id: str | None = None
    iteration: int | None = None
    plan_digest: str | None = None
    margin: float = 0.0
    """The difference that does not matter."""

    adaptive: bool = False
    planned: Sequence[Cell] | None = None
    """The places that were asked for, where that is not the whole design."""

    verdict: Verdict | None = None
    """Of an adaptive run, which may be looked at more than once."""

    pairwise: PairwiseSummary | None = None


def benchmark(rows: Iterable[Row], context: Context) -> Benchmark:
    """Sum *rows* up; they come in any order, and some may be missing."""
    suite, design = context.suite, context.design
    planned = cells(design) if context.planned is None else context.planned
    # Whatever the order of the design, with the skill comes first: a delta is always its gain.
    names = sorted((arm.id for arm in design.arms), key=lambda name: name != WITH_SKILL)
    table = table_of(rows, suite.cases, names, planned)
    pairs = pairs_of(table, suite, names[0], names[1]) if len(names) > 1 else None
    return Benchmark(
        metadata=_metadata(context, table),
        runs=tuple(_run(run, context) for run in table.runs.values()),
        run_summary=run_summary(table),
        notes=tuple(notes(table)),
        verdict=_verdict(context, pairs, len(table.runs)),
        statistics=_statistics(context, table, pairs),
        missing=tuple(_missing(context, table)) or None,
    ).lean()


def _metadata(context: Context, table: Table) -> BenchmarkMetadata:
    suite, pin = context.suite, context.design.pin
    simulated = context.simulated or any(is_simulated(run.row) for run in table.runs.values())
    seen = {case for _, case, _ in (*table.runs, *table.missing)}
    return BenchmarkMetadata(
        skill_name=suite.document.skill_name,
        skill_path=context.skill_path,
        executor_model=pin.model,
        analyzer_model=context.analyzer_model,
        timestamp=context.timestamp,
        evals_run=tuple(suite.evals[case.id].id for case in suite.cases if case.id in seen),
        runs_per_configuration=context.design.repeats,
        engine=pin.engine,
        engine_version=pin.engine_version,
        sandbox=pin.sandbox,
        simulated=simulated,
        efficiency_weights={"pass_rate": EXPECTATIONS_SHARE, "rubric_normalized": RUBRIC_SHARE},
        eval_id=context.eval_id,
        iteration=context.iteration,
        plan_digest=context.plan_digest,
        judges=context.judges or None,
        status="partial" if table.missing or _has_open_grades(table) else "completed",
        adaptive=context.adaptive or None,
        series=context.design.series,
    ).lean()


def _has_open_grades(table: Table) -> bool:
    """Whether a grader broke: it is asked again by the next run."""
    grades = (run.row.grade for run in table.runs.values())
    return any(grade is not None and grade.status == "failed" for grade in grades)


def _run(run: Run, context: Context) -> BenchmarkRun:
    cell = run.row.cell
    eval_ = context.suite.evals[cell.case.id]
    return BenchmarkRun(
        eval_id=eval_.id,
        eval_name=eval_.name or cell.case.name,
        configuration=cell.arm.id,
        run_number=cell.attempt,
        result=run.result(context.metrics.get(run.row.trial)).lean(),
        expectations=run.expectations,
        notes=tuple(_run_notes(run)),
    )


def _run_notes(run: Run) -> Iterator[str]:
    if run.has_failed:
        yield f"the run failed: {run.failed_because}"
    elif run.score is None:
        yield f"no score: {run.unscored_because}"


def _missing(context: Context, table: Table) -> Iterator[MissingRun]:
    for (configuration, case, number), reason in table.missing.items():
        yield MissingRun(
            eval_id=context.suite.evals[case].id,
            configuration=configuration,
            run_number=number,
            reason=reason,
        )


def _verdict(context: Context, pairs: Pairs | None, trials: int) -> Verdict | None:
    made = context.verdict
    if made is None and pairs is not None:
        found = verdict_of(pairs, grain_of_suite(context.suite), context.margin)
        made = verdict_document(found, pairs, context.cost_usd)
    return made and made.model_copy(update={"trials": trials})


def _statistics(context: Context, table: Table, pairs: Pairs | None) -> EvalStatistics:
    suite = context.suite
    found = {name: reliability(table, name) for name in table.configurations}
    return EvalStatistics(
        measure="pass_rate" if grain_of_suite(suite) else "overall_efficiency",
        by_eval=by_eval(pairs, suite) if pairs else (),
        reliability={name: each for name, each in found.items() if each is not None},
        power=power_after(pairs, grain_of_suite(suite)) if pairs else (),
        findings=findings(table, suite),
        pairwise=context.pairwise,
    ).lean()

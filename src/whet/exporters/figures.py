"""The figures of a benchmark, in the order in which reports show them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from whet.documents.benchmark import Benchmark, BenchmarkRun, ConfigurationSummary, Stats
from whet.documents.verdict import Label
from whet.exporters.plain import line
from whet.ports.exporter import EvalReport, Leg
from whet.stats.describe import mean

WITH = "with_skill"
OTHERS = ("without_skill", "old_skill", "new_skill")

Unit = Literal["points", "seconds", "tokens", "usd"]

_MEASURES: tuple[tuple[str, Unit], ...] = (
    ("overall_efficiency", "points"),
    ("pass_rate", "points"),
    ("rubric_normalized", "points"),
    ("consistency", "points"),
    ("time_seconds", "seconds"),
    ("tokens", "tokens"),
    ("cost_usd", "usd"),
)


Runs = defaultdict[tuple[str, str], list[BenchmarkRun]]
"""Runs by eval and configuration."""


class Spread(NamedTuple):
    """A mean, and the standard deviation where there is one."""

    mean: float
    deviation: float | None


class Measure(NamedTuple):
    """One row of the table of configurations."""

    name: str
    unit: Unit
    by_configuration: Mapping[str, Spread | None]
    delta: float | None
    """with_skill minus the other."""


class EvalRow(NamedTuple):
    """One eval of the table of evals, in shares of 1; ``pairs`` is None where none were made."""

    id: str
    name: str
    with_skill: float | None
    other: float | None
    delta: float | None
    pairs: int | None


def configurations(benchmark: Benchmark) -> dict[str, ConfigurationSummary]:
    """The configurations that were run, with_skill first."""
    summary = benchmark.run_summary
    found = {name: getattr(summary, name) for name in (WITH, *OTHERS)}
    return {name: one for name, one in found.items() if one is not None}


def other(benchmark: Benchmark) -> str | None:
    """The configuration that with_skill is compared with."""
    return next((name for name in configurations(benchmark) if name != WITH), None)


def label(leg: Leg) -> Label | None:
    """What is said of a leg, all legs being one family."""
    verdict = leg.benchmark.verdict
    return leg.label or (verdict.label if verdict else None)


def simulated(report: EvalReport) -> bool:
    """Whether any of it was produced or judged by something simulated."""
    return any(leg.benchmark.metadata.simulated for leg in report.legs)


def measures(benchmark: Benchmark) -> list[Measure]:
    """What is known of the configurations, measure by measure."""
    found = configurations(benchmark)
    against = other(benchmark)
    rows: list[Measure] = []
    for name, unit in _MEASURES:
        cells = {
            one: None if name == "pass_rate" and _undecided(benchmark, one) else _spread(value)
            for one, summary in found.items()
            for value in (getattr(summary, name),)
        }
        ours, theirs = cells.get(WITH), cells.get(against or "")
        delta = ours.mean - theirs.mean if ours and theirs else None
        if any(cells.values()):
            rows.append(Measure(name, unit, cells, delta))
    return rows


def _undecided(benchmark: Benchmark, configuration: str) -> bool:
    """Whether the rate stands for nothing: the format wants a zero where no run was decided."""
    runs = [run.result for run in benchmark.runs if run.configuration == configuration]
    summary = configurations(benchmark)[configuration]
    undecided = [
        run.status != "failed" and (not run.total or run.grade_status in ("failed", "unscored"))
        for run in runs
    ]
    return not summary.pass_rate.max and bool(runs) and all(undecided)


def _spread(value: Stats | float | None) -> Spread | None:
    if isinstance(value, Stats):
        return Spread(value.mean, value.stddev)
    return None if value is None else Spread(value, None)


def eval_ids(benchmark: Benchmark) -> list[str]:
    """All evals that are named, in the order of the suite."""
    named = [
        *benchmark.metadata.evals_run,
        *(run.eval_id for run in benchmark.runs),
        *(run.eval_id for run in benchmark.missing or ()),
    ]
    return list(dict.fromkeys(map(str, named)))


def eval_names(report: EvalReport, benchmark: Benchmark) -> dict[str, str]:
    """The name of each eval, on one line; by its id where it has none."""
    names = {key: eval_.name for key, eval_ in report.evals.items()}
    names |= {str(run.eval_id): run.eval_name for run in benchmark.runs if run.eval_name}
    return {one: line(names.get(one) or f"eval {one}", 120) for one in eval_ids(benchmark)}


def runs_by_place(benchmark: Benchmark) -> Runs:
    """The runs of each eval in each configuration, in order."""
    found: Runs = defaultdict(list)
    for run in sorted(benchmark.runs, key=lambda run: run.run_number):
        found[str(run.eval_id), run.configuration].append(run)
    return found


def score(run: BenchmarkRun) -> float | None:
    """The score of a run between 0 and 1; None where it was not measured."""
    return run.result.overall_efficiency


def average(runs: Sequence[BenchmarkRun]) -> float | None:
    """The average score of those runs that have one."""
    scores = [one for run in runs if (one := score(run)) is not None]
    return mean(scores) if scores else None


def eval_rows(report: EvalReport, benchmark: Benchmark) -> list[EvalRow]:
    """The evals one by one: over whole pairs where they were compared, else over their runs."""
    compared = {
        str(one.eval_id): one
        for one in (benchmark.statistics.by_eval if benchmark.statistics else ())
    }
    against = other(benchmark)
    runs = runs_by_place(benchmark)
    rows: list[EvalRow] = []
    for eval_id, name in eval_names(report, benchmark).items():
        one = compared.get(eval_id)
        if one is not None and against is not None:
            rows.append(EvalRow(eval_id, name, one.with_skill, one.other, one.delta, one.pairs))
            continue
        ours = average(runs[eval_id, WITH])
        theirs = average(runs[eval_id, against]) if against else None
        delta = None if ours is None or theirs is None else ours - theirs
        rows.append(EvalRow(eval_id, name, ours, theirs, delta, None))
    return rows


def worst_first(rows: Sequence[EvalRow]) -> list[EvalRow]:
    """By difference, then by score; what was not measured comes last."""
    unknown = float("inf")

    def place(row: EvalRow) -> tuple[float, float]:
        return (
            unknown if row.delta is None else row.delta,
            unknown if row.with_skill is None else row.with_skill,
        )

    return sorted(rows, key=place)

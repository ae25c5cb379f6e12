"""``run_summary``: skill-creator's arithmetic, all runs of a configuration in one pot.

Mean, sample standard deviation, least and most, to four decimals. A run without a number for a
measure is left out of that measure, and the notes say so.
"""

from collections.abc import Iterator, Sequence

from whet.core.counts import counted
from whet.documents.benchmark import ConfigurationSummary, RunSummary, Stats
from whet.evaluate.run_result import DIGITS, Run, Table, rounded
from whet.stats.describe import consistency, mean, standard_deviation

_DELTAS = {
    "pass_rate": 2,
    "time_seconds": 1,
    "tokens": 0,
    "rubric_normalized": 2,
    "overall_efficiency": 2,
}
"""The measures that are compared, with their decimals."""


def run_summary(table: Table) -> RunSummary:
    """The configurations side by side; one without any run is left out."""
    scales = _scales(table)
    summaries = {
        name: _summary(runs, scales)
        for name in table.configurations
        if (runs := table.all_of(name))
    }
    first, second = (*table.configurations, "")[:2]
    both = first in summaries and second in summaries
    delta = _delta(summaries[first], summaries[second]) if both else None
    return RunSummary.model_validate({**summaries, "delta": delta}).lean()


def notes(table: Table) -> Iterator[str]:
    """What a reader of the summary has to know."""
    if table.missing:
        yield f"{len(table.missing)} planned runs have no result: they count for nothing."
    for name in table.configurations:
        yield from _notes(name, table.all_of(name))
    mixed = [dimension for dimension, one in _scales(table).items() if one is None]
    if mixed:
        yield f"Not averaged, for want of one scale in all evals: {', '.join(sorted(mixed))}."


def _notes(name: str, runs: Sequence[Run]) -> Iterator[str]:
    if failed := sum(run.has_failed for run in runs):
        yield f"{name}: {failed} of {counted(len(runs), 'run', 'runs')} failed and score 0."
    if unscored := sum(run.score is None for run in runs):
        yield (
            f"{name}: {unscored} of {counted(len(runs), 'run', 'runs')} have no score, because "
            "grading failed or gave"
            " none; they are not in overall_efficiency."
        )
    if closed := sum(run.rubric is None and run.score is not None for run in _judged(runs)):
        yield (
            f"{name}: {closed} of {counted(len(runs), 'run', 'runs')} failed or did not pass "
            "the gate, so no judge"
            " saw them; they are not in rubric_normalized, and their rubric part counts 0 in"
            " overall_efficiency."
        )
    used = [run.row.record.usage for run in runs if run.row.record is not None]
    if silent := sum(not usage.total_tokens for usage in used):
        yield (
            f"{name}: {silent} of {counted(len(runs), 'run', 'runs')} report no tokens; they "
            "are not in tokens."
        )
    if undecided := sum(run.pass_rate is None for run in runs):
        yield (
            f"{name}: {undecided} of {counted(len(runs), 'run', 'runs')} have no expectations, "
            "or some that nobody decided; they are not in pass_rate, time_seconds and tokens."
        )


def _summary(
    runs: Sequence[Run], scales: dict[str, tuple[float, float] | None]
) -> ConfigurationSummary:
    records = [run.row.record for run in runs if run.row.record is not None]
    decided = [run.row.record for run in runs if run.pass_rate is not None]
    scores = [run.score for run in runs if run.score is not None]
    judged = _judged(runs)
    named = [name for name, scale in scales.items() if scale is not None]
    found = {name: _stats(_dimension(runs, name)) for name in named}
    dimensions = {name: stats for name, stats in found.items() if stats is not None}
    return ConfigurationSummary(
        pass_rate=_stats([run.pass_rate for run in runs]) or _NONE,
        rubric_normalized=_stats([run.rubric for run in runs]),
        overall_efficiency=_stats(scores),
        consistency=rounded(consistency(scores)) if scores else None,
        time_seconds=_stats([one.duration_ms / 1000 for one in decided if one]) or _NONE,
        tokens=_stats([one.usage.known(one.usage.total_tokens) for one in decided if one]),
        rubric_dimensions=dimensions or None,
        cost_usd=_stats([record.usage.cost_usd for record in records]),
        rubric_unscored=sum(run.rubric is None for run in judged) if judged else None,
    ).lean()


_NONE = Stats(mean=0.0, stddev=0.0, min=0.0, max=0.0)
"""What the format demands where there is nothing to average."""


def _stats(given: Sequence[float | None]) -> Stats | None:
    values = [value for value in given if value is not None]
    if not values:
        return None
    return Stats(
        mean=round(mean(values), DIGITS),
        stddev=round(standard_deviation(values), DIGITS),
        min=round(min(values), DIGITS),
        max=round(max(values), DIGITS),
    )


def _delta(first: ConfigurationSummary, second: ConfigurationSummary) -> dict[str, str]:
    deltas: dict[str, str] = {}
    for name, digits in _DELTAS.items():
        one, other = getattr(first, name), getattr(second, name)
        if isinstance(one, Stats) and isinstance(other, Stats):
            # Adding 0 turns the -0.0 of rounding into 0.0.
            deltas[name] = f"{round(one.mean - other.mean, digits) + 0.0:+.{digits}f}"
    return deltas


def _judged(runs: Sequence[Run]) -> list[Run]:
    """Those of evals with a rubric."""
    return [run for run in runs if run.case.standard.rubric is not None]


def _dimension(runs: Sequence[Run], name: str) -> list[float]:
    grades = [run.row.grade for run in runs]
    return [grade.dimensions[name].score for grade in grades if grade and name in grade.dimensions]


def _scales(table: Table) -> dict[str, tuple[float, float] | None]:
    """The scale of every dimension; None where evals give one name to several scales."""
    scales: dict[str, tuple[float, float] | None] = {}
    for case in table.cases:
        for one in case.standard.rubric.dimensions if case.standard.rubric else ():
            scale = one.minimum, one.maximum
            scales[one.name] = scale if scales.get(one.name, scale) == scale else None
    return scales

"""Gates for continuous integration: what must hold of an eval, or the build is red.

A gate is closed unless it is shown open: what was not measured whole cannot pass one. Every engine
and model is looked at by itself, without the correction for their number: a gate rather asks
once too often. An open verdict closes no gate: what is told beside it says whether the scope was
able to see anything.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from whet.core.counts import counted
from whet.core.errors import UsageError
from whet.documents.benchmark import Benchmark
from whet.stats.describe import mean

ROUNDING = 1e-9
LISTED = 10


Scope = Literal["like-these", "these"]


def gate_failures(
    benchmarks: Sequence[Benchmark],
    *,
    fail_under: float | None,
    fail_on_regression: bool,
    scope: Scope = "like-these",
) -> list[str]:
    """Why the gates that were asked for are closed, each in a line; empty where all are open.

    *fail_under* is the least score between 0 and 1 that the skill has to reach: the mean over
    evals of each eval's mean over runs. A regression is a verdict ``worse`` in the *scope*: on
    evals like these, or on these evals alone.
    """
    if fail_under is not None and not 0 <= fail_under <= 1:
        raise UsageError(f"the least score must lie between 0 and 1, not {fail_under}")
    if fail_under is None and not fail_on_regression:
        return []
    if not benchmarks:
        return ["nothing was measured"]
    failures: list[str] = []
    for benchmark in benchmarks:
        found = [*_partial(benchmark)]
        if fail_under is not None:
            found += _below(benchmark, fail_under)
        if fail_on_regression:
            found += _regression(benchmark, scope)
        failures += [f"{_name(benchmark)}: {reason}" for reason in found]
    return failures


def unmeasured(benchmarks: Sequence[Benchmark]) -> list[str]:
    """Name each configuration none of whose runs has a result, with the reason of the first.

    Such an eval has failed, whether or not a gate was asked for.
    """
    found: list[str] = []
    for benchmark in benchmarks:
        measured = {run.configuration for run in benchmark.runs}
        reasons = {run.configuration: run.reason for run in reversed(benchmark.missing or ())}
        found += [
            f"{_name(benchmark)}: no run {name} has a result: {reason}"
            for name, reason in reversed(reasons.items())
            if name not in measured
        ]
    return found


def _name(benchmark: Benchmark) -> str:
    metadata = benchmark.metadata
    return " ".join(filter(None, (metadata.engine, metadata.executor_model)))


def _partial(benchmark: Benchmark) -> Iterator[str]:
    missing = len(benchmark.missing or ())
    if missing:
        yield f"the result is partial: {counted(missing, 'run is', 'runs are')} missing"
    elif benchmark.metadata.status == "partial":
        yield "the result is partial"


def _below(benchmark: Benchmark, least: float) -> Iterator[str]:
    scores: dict[str, list[float]] = {str(one): [] for one in benchmark.metadata.evals_run}
    unscored = 0
    for run in benchmark.runs:
        if run.configuration != "with_skill":
            continue
        of_eval = scores.setdefault(str(run.eval_id), [])
        if run.result.overall_efficiency is None:
            unscored += 1
        else:
            of_eval.append(run.result.overall_efficiency)
    if unscored:
        yield f"{counted(unscored, 'run', 'runs')} with the skill came without a score"
    unmeasured = [name for name, of_eval in scores.items() if not of_eval]
    if unmeasured:
        yield f"no score with the skill for eval {_listed(unmeasured)}"
    known = [mean(of_eval) for of_eval in scores.values() if of_eval]
    if not known:
        yield "no score with the skill at all"
    elif (reached := mean(known)) < least - ROUNDING:
        yield f"the score {reached:.4f} is under {least:g}"


def _regression(benchmark: Benchmark, scope: Scope) -> Iterator[str]:
    verdict = benchmark.verdict
    if verdict is None or verdict.delta is None:
        yield "nothing was compared, so a regression cannot be ruled out"
        return
    in_scope = verdict.on_these if scope == "these" else verdict
    if in_scope is not None and in_scope.label == "worse":
        yield f"the skill is worse by {abs(verdict.delta):.4f}"
    by_eval = benchmark.statistics.by_eval if benchmark.statistics else ()
    alone = [str(one.eval_id) for one in by_eval if not one.pairs]
    if alone:
        yield f"eval {_listed(alone)} could not be compared"


def _listed(names: Sequence[str]) -> str:
    """Ids come from suites: quoted, so that they steer no terminal."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, names[:LISTED])) + more

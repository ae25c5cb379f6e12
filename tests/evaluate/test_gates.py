"""Gates are closed unless they are shown open."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.reports import (
    alone,
    benchmark,
    broken,
    difference,
    metadata,
    run,
    statistics,
    verdict,
)
from whet.core.errors import UsageError
from whet.documents.benchmark import Benchmark
from whet.evaluate.gates import gate_failures
from whet.stats.describe import mean


def failures(*benchmarks: Benchmark, under: float | None = None, worse: bool = False) -> list[str]:
    return gate_failures(benchmarks, fail_under=under, fail_on_regression=worse)


def scored(*evals: Sequence[float | None]) -> Benchmark:
    """A benchmark whose evals have these scores with the skill."""
    runs = tuple(
        run(eval_id, number, score=score)
        for eval_id, scores in enumerate(evals, 1)
        for number, score in enumerate(scores, 1)
    )
    ids = tuple(range(1, len(evals) + 1))
    return benchmark(runs=runs, metadata=metadata(evals_run=ids))


def test_without_a_gate_nothing_fails() -> None:
    assert failures() == []
    assert failures(broken()) == []


def test_the_score_is_the_mean_over_evals_of_the_mean_over_runs() -> None:
    # The mean of 1 and 0.5 is 0.75; over the four runs it would be 0.625.
    uneven = scored([1.0], [0.5, 0.5, 0.5])
    assert failures(uneven, under=0.75) == []
    assert failures(uneven, under=0.76) == ["claude sonnet: the score 0.7500 is under 0.76"]


def test_only_runs_with_the_skill_count() -> None:
    found = scored([0.5])
    good = run(1, 1, "without_skill", score=1.0)
    found = found.model_copy(update={"runs": (*found.runs, good)})
    assert failures(found, under=0.51) == ["claude sonnet: the score 0.5000 is under 0.51"]


def test_a_score_that_is_reached_but_for_rounding_is_reached() -> None:
    assert failures(scored([0.1, 0.2, 0.3], [0.7, 0.8, 0.9]), under=0.5) == []
    assert failures(scored([0.8] * 3, [0.8] * 7), under=0.8) == []


def test_what_was_not_measured_closes_the_gate_and_is_said() -> None:
    assert failures(under=0.0) == ["nothing was measured"]
    assert failures(worse=True) == ["nothing was measured"]
    assert failures(scored([1.0, None]), under=0.5) == [
        "claude sonnet: 1 run with the skill came without a score"
    ]
    assert failures(scored([1.0], []), under=0.5) == [
        "claude sonnet: no score with the skill for eval '2'"
    ]
    assert failures(scored([None]), under=0.0)[-1].endswith("no score with the skill at all")


def test_a_partial_result_closes_every_gate() -> None:
    for gate in ({"under": 0.0}, {"worse": True}):
        found = failures(broken(), **gate)  # pyright: ignore[reportArgumentType]
        assert "claude sonnet: the result is partial: 2 runs are missing" in found
    half = benchmark(metadata=metadata(status="partial"))
    assert failures(half, worse=True) == ["claude sonnet: the result is partial"]


def test_an_agent_that_failed_scores_zero_and_is_measured() -> None:
    assert failures(scored([0.0, 1.0]), under=0.5) == []
    assert failures(scored([0.0, 1.0]), under=0.6) == [
        "claude sonnet: the score 0.5000 is under 0.6"
    ]


@pytest.mark.parametrize("label", ["better", "no_difference", "inconclusive"])
def test_only_worse_is_a_regression(label: str) -> None:
    found = benchmark(verdict=verdict(label, -0.01, None))  # pyright: ignore[reportArgumentType]
    assert failures(found, worse=True) == []


def test_a_regression_closes_the_gate() -> None:
    worse = benchmark(metadata=metadata("codex"), verdict=verdict("worse", -0.1, None))
    assert failures(benchmark(), worse, worse=True) == [
        "codex sonnet: the skill is worse by 0.1000"
    ]
    assert failures(worse, under=0.0) == []


def test_a_regression_that_nobody_looked_for_cannot_be_ruled_out() -> None:
    said = "claude sonnet: nothing was compared, so a regression cannot be ruled out"
    assert failures(alone(), worse=True) == [said]
    assert failures(benchmark(verdict=verdict("inconclusive", None)), worse=True) == [said]
    by_eval = (difference(1, 0.9, 0.7), difference("b\x1b[31m", 0.9, None))
    found = benchmark(statistics=statistics(by_eval=by_eval))
    assert failures(found, worse=True) == [r"claude sonnet: eval 'b\x1b[31m' could not be compared"]


def test_a_long_list_is_counted() -> None:
    found = failures(scored([1.0], *(() for _ in range(15))), under=0.5)
    assert found[0].endswith("'10', '11' and 5 more")


@pytest.mark.parametrize("least", [-0.1, 1.01, 80, float("nan")])
def test_a_share_is_between_0_and_1(least: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        failures(benchmark(), under=least)


shares = st.floats(0, 1)


@given(st.lists(st.lists(shares, min_size=1, max_size=4), min_size=1, max_size=5), shares)
def test_the_gate_is_open_exactly_where_the_score_is_reached(
    evals: list[list[float]], least: float
) -> None:
    reached = mean([mean(scores) for scores in evals])
    found = failures(scored(*evals), under=least)
    assert (found == []) == (reached >= least - 1e-9)

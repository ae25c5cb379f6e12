"""What tables show is what the benchmark has, and nothing is made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.reports import (
    alone,
    benchmark,
    broken,
    difference,
    expectation,
    report,
    run,
    runs,
    statistics,
    summary,
    verdict,
)
from whet.documents.benchmark import MissingRun, RunSummary, Stats
from whet.exporters.expectations import expectations
from whet.exporters.figures import (
    EvalRow,
    average,
    configurations,
    eval_rows,
    measures,
    other,
    worst_first,
)
from whet.exporters.telling import missing
from whet.exporters.words import ENGLISH


def test_the_difference_is_with_the_skill_minus_the_other() -> None:
    found = {row.name: row for row in measures(benchmark())}
    assert found["overall_efficiency"].delta == pytest.approx(0.12)
    older = benchmark(
        run_summary=RunSummary(with_skill=summary(0.5), old_skill=summary(0.75, tokens=100))
    )
    assert other(older) == "old_skill"
    found = {row.name: row for row in measures(older)}
    assert found["pass_rate"].delta == -0.25
    assert found["tokens"].delta == 3700
    assert list(configurations(older)) == ["with_skill", "old_skill"]


def test_what_was_not_measured_has_no_row_and_no_difference() -> None:
    bare = summary(0.5, rubric_normalized=None, overall_efficiency=None, cost_usd=None)
    rows = measures(benchmark(run_summary=RunSummary(with_skill=bare, without_skill=bare)))
    assert [row.name for row in rows] == ["pass_rate", "consistency", "time_seconds", "tokens"]
    half = RunSummary(with_skill=bare, without_skill=summary(0.5))
    found = {row.name: row for row in measures(benchmark(run_summary=half))}
    assert found["overall_efficiency"].delta is None
    assert found["overall_efficiency"].by_configuration["with_skill"] is None


def test_a_measure_that_is_zero_is_still_measured() -> None:
    zero = summary(0.0, consistency=0.0)
    rows = measures(benchmark(run_summary=RunSummary(with_skill=zero)))
    assert {"pass_rate", "consistency"} <= {row.name for row in rows}


def test_a_rate_of_nothing_decided_is_no_zero() -> None:
    """The format has no null there; a judge that failed every time decided nothing."""
    zero = summary(0.0, pass_rate=Stats(mean=0, stddev=0, min=0, max=0))
    undecided = tuple(
        one.model_copy(update={"result": one.result.model_copy(update={"grade_status": "failed"})})
        for one in runs()
    )
    both = RunSummary(with_skill=zero, without_skill=zero)
    found = [row.name for row in measures(benchmark(run_summary=both, runs=undecided))]
    assert "pass_rate" not in found
    gave_up = tuple(
        one.model_copy(update={"result": one.result.model_copy(update={"status": "failed"})})
        for one in undecided
    )
    found = [row.name for row in measures(benchmark(run_summary=both, runs=gave_up))]
    assert "pass_rate" in found


def test_what_is_missing_is_named_once() -> None:
    gone = MissingRun(eval_id=1, configuration="with_skill", run_number=2, reason="budget")
    excluded = ("eval 1 run 2: with_skill: budget", "eval 1 run 20: with_skill: not scored")
    made = report(
        benchmark(missing=(gone,), verdict=verdict().model_copy(update={"excluded": excluded}))
    )
    assert missing(made, made.legs[0], ENGLISH) == [
        "Create a test · with skill · run 2: budget",
        "eval 1 run 20: with_skill: not scored",
    ]


def test_evals_are_shown_over_whole_pairs() -> None:
    rows = eval_rows(report(), benchmark())
    assert [row.name for row in rows] == ["Create a test", "Fix a test"]
    assert rows[0]._replace(delta=None) == EvalRow("1", "Create a test", 0.9, 0.7, None, 2)
    assert rows[0].delta == pytest.approx(0.2)


def test_an_eval_without_a_pair_has_no_difference() -> None:
    rows = eval_rows(report(broken()), broken())
    assert rows[1] == EvalRow("2", "Fix a test", None, 0.5, None, 0)
    assert rows[2] == EvalRow("3", "eval 3", None, None, None, None)


def test_without_a_comparison_the_runs_are_averaged_and_unscored_is_not_zero() -> None:
    runs = (run(1, 1, score=0.5), run(1, 2, score=1.0), run(1, 3, score=None))
    found = eval_rows(report(), alone().model_copy(update={"runs": runs}))
    assert found[0] == EvalRow("1", "Create a test", 0.75, None, None, None)
    assert average([run(1, 1, score=None)]) is None


def test_the_worst_come_first_and_the_unknown_last() -> None:
    by_eval = (difference(1, 0.9, 0.7), difference(2, None, 0.5), difference("x", 0.2, 0.7))
    rows = eval_rows(report(), benchmark(statistics=statistics(by_eval=by_eval)))
    more = EvalRow("x", "x", 0.2, 0.7, -0.5, 2)
    assert [row.id for row in worst_first([*rows, more])] == ["x", "1", "2"]


shares = st.none() | st.floats(0, 1)


@given(st.lists(st.tuples(shares, shares)))
def test_the_order_loses_nothing(scores: list[tuple[float | None, float | None]]) -> None:
    rows = [
        EvalRow(str(place), "", ours, delta, delta, None)
        for place, (ours, delta) in enumerate(scores)
    ]
    ordered = worst_first(rows)
    assert sorted(ordered, key=lambda row: int(row.id)) == rows
    known = [row.delta for row in ordered if row.delta is not None]
    assert known == sorted(known)
    assert all(row.delta is None for row in ordered[len(known) :])


def test_an_expectation_is_followed_through_all_runs() -> None:
    first = run(1, 1, expectations=[expectation("a", passed=True), expectation("b", passed=True)])
    # The judge of the second run failed: what it had to decide is not there.
    second = run(1, 2, expectations=[expectation("b", passed=False)])
    found = expectations([first, second])
    assert [(one.text, one.met, len(one.outcomes)) for one in found] == [("a", 1, 1), ("b", 1, 2)]


def test_an_id_counts_more_than_words_and_equal_words_are_two_expectations() -> None:
    twice = [expectation("same", passed=True), expectation("same", passed=False)]
    found = expectations([run(1, 1, expectations=twice), run(1, 2, expectations=twice)])
    assert [one.met for one in found] == [2, 0]
    named = [
        run(1, 1, expectations=[expectation("old words", passed=True, id_="S1")]),
        run(1, 2, expectations=[expectation("new words", passed=True, id_="S1")]),
    ]
    assert [one.met for one in expectations(named)] == [2]

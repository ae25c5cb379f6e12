"""From rows to ``benchmark.json``, by hand-computed cases."""

import statistics
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluate.eval_rows import (
    QUALITY,
    WITH,
    WITHOUT,
    address,
    cell,
    context,
    eval_case,
    gave_up,
    lost,
    run,
    suite,
)
from whet.core.case import Case
from whet.core.rubric import Dimension, Rubric
from whet.documents.benchmark import Benchmark, RunResult, Stats
from whet.documents.grading import ExecutionMetrics
from whet.evaluate.benchmark import benchmark
from whet.evaluate.experiment import Row

BOTH = eval_case("1", checks=2, expectations=("It is short",), rubric=QUALITY)
"""Two layers."""

PLAIN = eval_case("two", checks=2)
"""No rubric."""

WORDS = eval_case("3", expectations=("It is short", "It is kind"))
JUDGED = eval_case("4", rubric=QUALITY)


def made(*rows: Row, runs: int = 1, cases: tuple[Case, ...] = (BOTH, PLAIN)) -> Benchmark:
    return benchmark(rows, context(suite(*cases), runs))


def result_of(row: Row, case: Case) -> RunResult:
    [only] = made(row, cases=(case,)).runs
    return only.result


def test_one_run_in_numbers() -> None:
    """2 of 3 met, rubric 0.84: 0.4 × 2/3 + 0.6 × 0.84 = 0.7707."""
    row = run(
        WITH,
        BOTH,
        score=0.4 * 2 / 3 + 0.6 * 0.84,
        checks=[True, False],
        met=[True],
        rubric=0.84,
        seconds=42.5,
        tokens=3800,
        cost=0.25,
    )
    metrics = ExecutionMetrics(
        tool_calls={"Read": 5, "Write": 2},
        total_tool_calls=7,
        total_steps=9,
        errors_encountered=1,
        output_chars=0,
        transcript_chars=0,
    )
    of = suite(BOTH)
    known = replace(context(of), metrics={address(WITH, BOTH, 1): metrics})
    [only] = benchmark([row], known).runs
    assert (only.eval_id, only.eval_name, only.configuration) == (1, "eval 1", WITH)
    result = only.result
    assert (result.passed, result.failed, result.total, result.pass_rate) == (2, 1, 3, 0.6667)
    assert (result.rubric_normalized, result.overall_efficiency) == (0.84, 0.7707)
    assert (result.time_seconds, result.tokens, result.cost_usd) == (42.5, 3800, 0.25)
    assert (result.tool_calls, result.errors) == (7, 1)
    assert [(e.id, e.text, e.passed, e.judged) for e in only.expectations] == [
        ("S1", "check 1", True, None),
        ("S2", "check 2", False, None),
        (None, "It is short", True, True),
    ]


def test_an_agent_that_failed_met_nothing_and_scores_zero() -> None:
    [only] = made(gave_up(WITH, BOTH), cases=(BOTH,)).runs
    assert only.result.pass_rate == only.result.overall_efficiency == 0
    assert (only.result.passed, only.result.failed, only.result.total) == (0, 3, 3)
    assert (only.result.status, only.result.failure) == ("failed", "timeout")
    assert only.result.rubric_normalized is None
    assert all("took too long" in each.evidence for each in only.expectations)
    assert only.notes == ("the run failed: timeout: took too long",)


def test_a_run_that_nobody_could_score_is_not_a_zero() -> None:
    result = result_of(run(WITH, BOTH, checks=[True, True], error="judge broke"), BOTH)
    assert result.overall_efficiency is None
    assert result.rubric_normalized is None
    assert result.grade_status == "failed"


def test_a_closed_gate_has_no_rubric_but_a_score() -> None:
    """1 of 3 met: 0.4 / 3."""
    row = run(WITH, BOTH, score=0.4 / 3, checks=[False, True], met=[False], gate=False)
    result = result_of(row, BOTH)
    assert (result.rubric_normalized, result.overall_efficiency) == (None, 0.1333)
    assert result.gate_passed is False


def test_consistency_is_not_clamped_and_null_where_the_mean_is_zero() -> None:
    """Scores 1, 0, 0, 0: mean 0.25, sd 0.5, so 1 − 0.5 / 0.25 = −1."""
    one = eval_case("1", checks=1)
    wins = [run(WITH, one, k, float(k == 1), checks=[k == 1]) for k in (1, 2, 3, 4)]
    zeros = [run(WITHOUT, one, k, 0.0, checks=[False]) for k in (1, 2, 3, 4)]
    found = made(*wins, *zeros, runs=4, cases=(one,)).run_summary
    assert found.with_skill is not None
    assert found.with_skill.consistency == -1
    assert found.without_skill is not None
    assert '"consistency":null' in found.without_skill.model_dump_json()


def test_a_skipped_check_is_neither_met_nor_failed() -> None:
    result = result_of(run(WITH, PLAIN, score=1, checks=[True, "skipped"]), PLAIN)
    assert (result.passed, result.failed, result.total, result.pass_rate) == (1, 0, 1, 1)


def test_the_summary_pools_all_runs_as_skill_creator_does() -> None:
    """Pass rates 1, 0.5 of eval 1 and 0.5 of the other: mean 0.6667, sd 0.2887 with n − 1."""
    one, two = eval_case("1", checks=2), eval_case("2", checks=2)
    found = made(
        run(WITH, one, 1, 1.0, checks=[True, True], seconds=40, tokens=3000),
        run(WITH, one, 2, 0.5, checks=[True, False], seconds=50, tokens=4000),
        run(WITH, two, 1, 0.5, checks=[False, True], seconds=60, tokens=5000),
        run(WITHOUT, one, 1, 0.0, checks=[False, False], seconds=30, tokens=1000),
        run(WITHOUT, one, 2, 0.5, checks=[True, False], seconds=40, tokens=3600),
        runs=2,
        cases=(one, two),
    ).run_summary
    assert found.with_skill is not None
    assert found.without_skill is not None
    assert found.with_skill.pass_rate == Stats(mean=0.6667, stddev=0.2887, min=0.5, max=1.0)
    assert found.with_skill.time_seconds == Stats(mean=50.0, stddev=10.0, min=40.0, max=60.0)
    assert found.with_skill.tokens == Stats(mean=4000.0, stddev=1000.0, min=3000, max=5000)
    assert found.without_skill.pass_rate == Stats(mean=0.25, stddev=0.3536, min=0.0, max=0.5)
    # 0.6667 - 0.25; 50 - 35; 4000 - 2300; without a rubric the score is the pass rate.
    assert found.delta == {
        "pass_rate": "+0.42",
        "time_seconds": "+15.0",
        "tokens": "+1700",
        "overall_efficiency": "+0.42",
    }
    # 1 - 0.288675 / 0.666667
    assert found.with_skill.consistency == 0.567
    assert found.with_skill.rubric_unscored is None


def test_a_single_run_has_no_deviation_and_no_minus_zero() -> None:
    found = made(
        run(WITH, PLAIN, score=0.5, checks=[True, False], seconds=1.01, tokens=7),
        run(WITHOUT, PLAIN, score=0.5, checks=[True, False], seconds=1.02, tokens=8),
        cases=(PLAIN,),
    ).run_summary
    assert found.with_skill is not None
    assert found.with_skill.pass_rate.stddev == 0
    assert found.delta is not None
    assert found.delta["pass_rate"] == "+0.00"
    assert found.delta["time_seconds"] == "+0.0"
    assert found.delta["tokens"] == "-1"


@pytest.mark.parametrize("names", [(WITH, "old_skill"), ("old_skill", WITH)])
def test_the_delta_is_always_with_skill_minus_the_other(names: tuple[str, str]) -> None:
    """Whatever the names sort like, and whatever the order of the design."""
    of = suite(PLAIN)
    rows = [
        run(WITH, PLAIN, score=1, checks=[True, True]),
        run("old_skill", PLAIN, score=0.5, checks=[True, False]),
    ]
    found = benchmark(rows, context(of, 1, names))
    assert found.run_summary.delta is not None
    assert found.run_summary.delta["pass_rate"] == "+0.50"
    assert found.run_summary.old_skill is not None
    assert found.verdict is not None
    assert found.verdict.delta == 0.5


def test_rubric_measures_leave_out_what_was_not_scored() -> None:
    """Rubric 0.8 and 0.6; a closed gate counts in the score only, a broken judge nowhere."""
    rows = [
        run(WITH, JUDGED, 1, 0.8, rubric=0.8, dimensions={"depth": 4, "tone": 4}),
        run(WITH, JUDGED, 2, 0.6, rubric=0.6, dimensions={"depth": 3, "tone": 3}),
        run(WITH, JUDGED, 3, error="judge broke"),
        gave_up(WITH, JUDGED, 4),
    ]
    found = made(*rows, runs=4, cases=(JUDGED,))
    summary = found.run_summary.with_skill
    assert summary is not None
    assert summary.rubric_normalized == Stats(mean=0.7, stddev=0.1414, min=0.6, max=0.8)
    # 0.8, 0.6, 0
    assert summary.overall_efficiency == Stats(mean=0.4667, stddev=0.4163, min=0.0, max=0.8)
    assert summary.rubric_unscored == 2
    assert summary.rubric_dimensions == {
        "depth": Stats(mean=3.5, stddev=0.7071, min=3, max=4),
        "tone": Stats(mean=3.5, stddev=0.7071, min=3, max=4),
    }
    told = "\n".join(found.notes)
    assert f"{WITH}: 1 of 4 runs failed and score 0." in told
    assert f"{WITH}: 1 of 4 runs have no score" in told
    assert f"{WITH}: 4 of 4 runs have no expectations" in told
    assert "they are not in pass_rate" in told


def test_an_eval_without_expectations_does_not_pull_the_pass_rate_down() -> None:
    found = made(
        run(WITH, PLAIN, score=1, checks=[True, True]),
        run(WITH, JUDGED, score=0.9, rubric=0.9),
        cases=(PLAIN, JUDGED),
    ).run_summary.with_skill
    assert found is not None
    assert found.pass_rate.mean == 1


def test_a_pass_rate_over_some_of_the_expectations_is_none() -> None:
    """The check is met, but the judge never said what of the words."""
    found = made(
        run(WITH, BOTH, 1, checks=[True, True], error="judge broke"),
        run(WITH, BOTH, 2, 0.5, checks=[True, False], met=[False], rubric=0.6),
        runs=2,
        cases=(BOTH,),
    ).run_summary.with_skill
    assert found is not None
    assert found.pass_rate == Stats(mean=0.3333, stddev=0.0, min=0.3333, max=0.3333)


def test_dimensions_of_one_name_and_two_scales_are_not_averaged() -> None:
    wide = Rubric(name="wide", dimensions=(Dimension(name="depth", maximum=100, weight=1),))
    found = made(
        run(WITH, JUDGED, score=0.8, rubric=0.8, dimensions={"depth": 4, "tone": 4}),
        run(WITH, eval_case("5", rubric=wide), score=0.9, rubric=0.9, dimensions={"depth": 90}),
        cases=(JUDGED, eval_case("5", rubric=wide)),
    )
    assert found.run_summary.with_skill is not None
    assert set(found.run_summary.with_skill.rubric_dimensions or ()) == {"tone"}
    assert any("depth" in note for note in found.notes)


def test_places_without_a_result_are_named_and_the_benchmark_is_partial() -> None:
    found = made(
        run(WITH, BOTH, 1, 0.5, checks=[True, True], met=[True], rubric=0.5),
        lost(WITHOUT, BOTH, 1),
        run(WITH, PLAIN, 1, 1.0, checks=[True, True]),
    )
    assert found.metadata.status == "partial"
    assert found.missing is not None
    assert [(m.eval_id, m.configuration, m.run_number, m.reason) for m in found.missing] == [
        (1, WITHOUT, 1, "rate_limit: slow down"),
        ("two", WITHOUT, 1, "not run"),
    ]
    assert found.run_summary.without_skill is None
    assert found.run_summary.delta is None
    assert found.verdict is not None
    assert (found.verdict.label, found.verdict.delta) == ("inconclusive", None)
    assert found.verdict.excluded == (
        "eval 1 run 1: without_skill: rate_limit: slow down",
        "eval two run 1: without_skill: not run",
    )


def test_nothing_at_all_is_a_partial_benchmark() -> None:
    found = made()
    assert found.runs == ()
    assert found.metadata.status == "partial"
    assert found.missing is not None
    assert len(found.missing) == 4


def test_an_adaptive_run_misses_only_what_it_asked_for() -> None:
    of = suite(BOTH, PLAIN)
    asked = [cell(name, PLAIN, 1) for name in (WITH, WITHOUT)]
    rows = [run(name, PLAIN, 1, 1.0, checks=[True, True]) for name in (WITH, WITHOUT)]
    found = benchmark(rows, replace(context(of, 3), planned=asked, adaptive=True))
    assert (found.metadata.status, found.metadata.adaptive) == ("completed", True)
    assert found.metadata.evals_run == ("two",)


def test_metadata_says_what_was_run_by_what() -> None:
    found = made(run(WITH, PLAIN, score=1, checks=[True, True])).metadata
    assert (found.skill_name, found.skill_path) == ("knives", "skills/knives")
    assert (found.executor_model, found.analyzer_model) == ("m", "judge-model")
    assert (found.engine, found.engine_version, found.sandbox) == ("hand", "1", "none")
    assert found.evals_run == (1, "two")
    assert found.efficiency_weights == {"pass_rate": 0.4, "rubric_normalized": 0.6}
    assert found.simulated is True  # the records of whet.testing are


def test_one_configuration_alone_has_no_verdict() -> None:
    rows = [run(WITH, PLAIN, score=1, checks=[True, True])]
    found = benchmark(rows, context(suite(PLAIN), 1, (WITH,)))
    assert found.verdict is None
    assert found.run_summary.delta is None
    assert found.metadata.status == "completed"


def test_a_benchmark_reads_back_as_it_was_written() -> None:
    found = made(
        run(WITH, BOTH, 1, 0.8, checks=[True, True], met=[True], rubric=0.7, cost=0.1),
        gave_up(WITHOUT, BOTH, 1),
        lost(WITH, PLAIN, 1),
    )
    assert Benchmark.parse(found.to_data(), "again").to_json() == found.to_json()


SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SCORES)
def test_mean_and_deviation_are_those_of_the_standard_library(pairs: list[tuple[float, float]]):
    cases = [eval_case(str(n), rubric=QUALITY) for n in range(len(pairs))]
    rows = [
        run(name, case, 1, score, rubric=score, seconds=score)
        for case, pair in zip(cases, pairs, strict=True)
        for name, score in zip((WITH, WITHOUT), pair, strict=True)
    ]
    found = made(*rows, cases=tuple(cases)).run_summary
    for place, summary in enumerate((found.with_skill, found.without_skill)):
        values = [pair[place] for pair in pairs]
        assert summary is not None
        stats = summary.overall_efficiency
        assert stats is not None
        assert stats.mean == pytest.approx(statistics.fmean(values), abs=6e-5)
        deviation = statistics.stdev(values) if len(values) > 1 else 0
        assert stats.stddev == pytest.approx(deviation, abs=6e-5)
        assert (stats.min, stats.max) == (round(min(values), 4), round(max(values), 4))
        assert summary.rubric_normalized == stats


def rows_of_chance() -> st.SearchStrategy[list[Row]]:
    one, two, three = BOTH, PLAIN, WORDS
    place = st.tuples(
        st.sampled_from([WITH, WITHOUT]), st.sampled_from([one, two, three]), st.integers(1, 3)
    )
    score = st.sampled_from([0.0, 0.25, 0.5, 0.5000001, 1.0])
    row = place.flatmap(
        lambda p: st.one_of(
            score.map(lambda s: run(*p, s, checks=[True, s > 0.3], met=[s > 0.6, True], rubric=s)),
            st.sampled_from([gave_up(*p), lost(*p), run(*p, error="broke"), run(*p)]),
        )
    )
    return st.lists(
        row,
        max_size=18,
        unique_by=lambda r: (r.cell.arm.id, r.cell.case.id, r.cell.attempt),
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rows_of_chance().flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_the_order_of_rows_does_not_matter(both: tuple[list[Row], list[Row]]) -> None:
    """To the last byte: files that are made of it are compared as text."""
    first, second = (made(*rows, runs=3, cases=(BOTH, PLAIN, WORDS)).to_json() for rows in both)
    assert first == second


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(rows_of_chance())
def test_every_planned_place_is_a_run_or_missing_and_every_pair_counts_or_is_named(
    rows: list[Row],
) -> None:
    found = made(*rows, runs=3, cases=(BOTH, PLAIN, WORDS))
    assert len(found.runs) + len(found.missing or ()) == 2 * 3 * 3
    ungraded = [each for each in found.runs if each.result.grade_status == "failed"]
    assert (found.metadata.status == "partial") == bool(found.missing or ungraded)
    verdict = found.verdict
    assert verdict is not None
    assert verdict.n_runs is not None
    assert verdict.n_runs / 2 + len(verdict.excluded or ()) == 3 * 3
    assert found.statistics is not None
    assert sum(each.pairs for each in found.statistics.by_eval) == verdict.n_runs / 2


def test_a_verdict_tells_all_trials_and_those_that_count() -> None:
    one, two = eval_case("1", checks=1), eval_case("2", checks=1)
    rows = [
        run(WITH, one, 1, 1.0, checks=(True,)),
        run(WITHOUT, one, 1, 0.0, checks=(False,)),
        run(WITH, two, 1, 1.0, checks=(True,)),
        lost(WITHOUT, two),
    ]
    found = benchmark(rows, context(suite(one, two))).verdict
    assert found is not None
    assert (found.n_runs, found.trials) == (2, 3)

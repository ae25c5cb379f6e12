"""What makes an eval a poor test."""

from dataclasses import replace

from tests.evaluate.eval_rows import (
    QUALITY,
    WITH,
    WITHOUT,
    eval_case,
    gave_up,
    lost,
    opinion,
    run,
    suite,
    table,
)
from whet.core.case import Case
from whet.core.rubric import Dimension, Rubric
from whet.evaluate.experiment import Row
from whet.evaluate.findings import findings

TWO = eval_case("1", checks=2, expectations=("It is kind",))


def kinds(case: Case, *rows: Row) -> list[tuple[str, str | None, str | None]]:
    of = suite(case)
    found = findings(table(of, rows), of)
    assert {each.eval_id for each in found if each.kind != "harness"} <= {1}
    return [(each.kind, each.check, each.configuration) for each in found]


def rows_of(who: str, *results: tuple[bool, bool, bool]) -> list[Row]:
    return [
        run(who, TWO, number, sum(result) / 3, checks=result[:2], met=result[2:])
        for number, result in enumerate(results, 1)
    ]


def test_an_eval_that_everybody_passes_tells_nothing() -> None:
    every = [(True, True, True)] * 2
    assert kinds(TWO, *rows_of(WITH, *every), *rows_of(WITHOUT, *every)) == [
        ("non_discriminating", None, None),
        ("non_discriminating", "S1", None),
        ("non_discriminating", "S2", None),
        ("non_discriminating", "It is kind", None),
    ]


def test_a_gate_is_there_to_be_passed() -> None:
    """Unless nobody passes it."""
    gates = tuple(spec.model_copy(update={"critical": True}) for spec in TWO.standard.checks)
    standard = TWO.standard.model_copy(update={"checks": gates})
    case = TWO.model_copy(update={"standard": standard})
    every = [
        replace(row, cell=row.cell._replace(case=case))
        for who in (WITH, WITHOUT)
        for row in rows_of(who, (True, False, True), (True, False, False))
    ]
    found = kinds(case, *every)
    assert ("non_discriminating", "S1", None) not in found
    assert ("non_discriminating", "S2", None) in found


def test_a_single_check_with_one_outcome_is_named() -> None:
    """S1 always met, S2 never, the words only with the skill."""
    found = kinds(
        TWO,
        *rows_of(WITH, (True, False, True), (True, False, True)),
        *rows_of(WITHOUT, (True, False, False), (True, False, False)),
    )
    assert found == [
        ("always_failing", None, None),
        ("non_discriminating", "S1", None),
        ("non_discriminating", "S2", None),
        ("always_failing", "S2", None),
    ]


def test_a_check_that_tells_the_sides_apart_is_fine() -> None:
    found = kinds(
        TWO,
        *rows_of(WITH, (True, True, True), (True, True, True)),
        *rows_of(WITHOUT, (False, False, False), (False, False, False)),
    )
    assert found == []


def test_one_run_of_a_side_proves_nothing() -> None:
    every = (True, True, True)
    assert kinds(TWO, *rows_of(WITH, every), *rows_of(WITHOUT, every, every)) == []
    assert kinds(TWO, *rows_of(WITH, (False, False, False))) == []


def test_an_agent_that_gave_up_met_nothing() -> None:
    """Without the skill it never ends: that discriminates, and is no fault of the checks."""
    found = kinds(
        TWO,
        *rows_of(WITH, (True, True, True), (True, True, True)),
        gave_up(WITHOUT, TWO, 1),
        gave_up(WITHOUT, TWO, 2),
    )
    assert found == []
    assert ("always_failing", "S1", None) in kinds(
        TWO, gave_up(WITH, TWO, 1), gave_up(WITH, TWO, 2)
    )


def test_what_was_not_measured_is_no_outcome() -> None:
    """A lost run or one without a grade is neither met nor not met."""
    found = kinds(
        TWO,
        *rows_of(WITH, (False, False, False)),
        lost(WITH, TWO, 2),
        run(WITH, TWO, 3, error="broke"),
    )
    assert found == []


def test_an_eval_is_flaky_where_runs_of_one_side_disagree() -> None:
    found = kinds(
        TWO,
        *rows_of(WITH, (True, True, True), (True, True, False)),
        *rows_of(WITHOUT, (False, True, False), (False, False, True)),
    )
    assert found == [("flaky", None, WITH)]


def test_an_eval_is_flaky_where_scores_are_far_apart() -> None:
    """0.3 and 0.6: deviation 0.21; 0.3 and 0.5: 0.14."""
    judged = eval_case("1", rubric=QUALITY)
    rows = [run(WITH, judged, n, s, rubric=s) for n, s in ((1, 0.3), (2, 0.5))]
    rows += [run(WITHOUT, judged, n, s, rubric=0.3) for n, s in ((1, 0.3), (2, 0.6))]
    assert kinds(judged, *rows) == [("always_failing", None, None), ("flaky", None, WITHOUT)]


def test_a_check_that_never_had_anything_to_look_at_is_vacuous() -> None:
    checks = eval_case("1", checks=3)
    rows = [
        run(WITH, checks, 1, 1.0, checks=["vacuous", "vacuous", "vacuous"]),
        run(WITH, checks, 2, 0.5, checks=["vacuous", "passed", "failed"]),
    ]
    found = kinds(checks, *rows)
    assert ("vacuous", "S1", None) in found
    assert ("vacuous", "S2", None) not in found
    assert ("vacuous", "S3", None) in found  # it passed only where there was nothing


def test_a_skipped_check_has_no_outcome() -> None:
    checks = eval_case("1", checks=1)
    rows = [
        run(who, checks, n, None, checks=["skipped"]) for who in (WITH, WITHOUT) for n in (1, 2)
    ]
    assert kinds(checks, *rows) == []


def test_a_judge_is_unstable_where_readings_are_more_than_a_point_apart() -> None:
    judged = eval_case("1", rubric=QUALITY)
    readings = [opinion(1, 0.8, depth=4, tone=3), opinion(2, 0.6, depth=2, tone=4)]
    of = suite(judged)
    rows = [run(WITH, judged, 1, 0.7, rubric=0.7, opinions=readings)]
    [only] = findings(table(of, rows), of)
    assert (only.kind, only.check) == ("unstable_judge", "depth")
    assert only.text == (
        "readings of one run differ by up to 2 points on a scale of 1 to 5 (1 of 1 run;"
        " standard deviation 1.41 on average)"
    )


def test_a_point_on_another_scale_is_a_quarter_of_it() -> None:
    """Of 0 to 100 that is 25."""
    wide = Rubric(name="wide", dimensions=(Dimension(name="depth", maximum=100, weight=1),))
    judged = eval_case("1", rubric=wide)

    def apart(second: float) -> list[tuple[str, str | None, str | None]]:
        readings = [opinion(1, 0.5, depth=50), opinion(2, second / 100, depth=second)]
        return kinds(judged, run(WITH, judged, 1, 0.6, rubric=0.6, opinions=readings))

    assert apart(75) == []
    assert apart(76) == [("unstable_judge", "depth", None)]


def test_two_sides_that_are_one_trial_are_told() -> None:
    mine, theirs = (run(who, TWO, 1, 0.5, checks=[True, True]) for who in (WITH, WITHOUT))
    same = Row(theirs.cell, mine.trial, mine.record, mine.grade)
    [first, *_] = kinds(TWO, mine, same)
    assert first == ("harness", None, None)
    assert ("harness", None, None) not in kinds(TWO, mine, theirs)


def test_hostile_texts_are_bounded_and_in_one_line() -> None:
    long = eval_case("1", expectations=("x\n" * 100_000,))
    rows = [run(who, long, n, 0.0, met=[False]) for who in (WITH, WITHOUT) for n in (1, 2)]
    of = suite(long)
    found = findings(table(of, rows), of)
    assert found
    assert all(len(each.text) < 500 and "\n" not in each.text for each in found)
    assert all(len(each.check or "") <= 300 for each in found)

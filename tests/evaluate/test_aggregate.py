"""From rows to standings, by hand-computed cases."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluate.rows import BROKEN, FAILED, SKIPPED, UNSCORED, row, scored, standings
from whet.core.arm import Arm
from whet.evaluate.aggregate import Placed, Tally, compare, compare_points
from whet.evaluate.case_score import CaseScore
from whet.evaluate.experiment import Row
from whet.stats.describe import weighted_mean
from whet.stats.intervals import weighted_interval


def test_attempts_are_averaged_inside_a_case_first() -> None:
    """Case 1: (90 + 60 + 60) / 3 = 70; case 2: 40; together 55 and not 62.5."""
    [only] = standings(
        row("a", "1", 90),
        row("a", "1", 60, attempt=2),
        row("a", "1", 60, attempt=3),
        row("a", "2", 40),
    )
    assert only.average == pytest.approx(55)
    assert only.case_scores == {("set", "1"): [90, 60, 60], ("set", "2"): [40]}


def test_a_failed_attempt_is_not_a_score_but_counts_as_zero_beside_it() -> None:
    """Case 1: 80 and a failure: 80, or 40; case 2 only failed: nothing, or 0; case 3: 60."""
    [only] = standings(
        row("a", "1", 80),
        row("a", "1", FAILED, attempt=2),
        row("a", "2", FAILED),
        row("a", "3", 60),
    )
    assert only.average == pytest.approx(70)
    assert only.failed_as_zero == pytest.approx(100 / 3)
    assert (only.completed_cases, only.failed_cases, only.unscored_cases) == (2, 1, 0)


def test_what_was_not_scored_or_not_run_is_neither_good_nor_bad() -> None:
    [only] = standings(
        row("a", "1", 80),
        row("a", "2", UNSCORED),
        row("a", "3", BROKEN),
        row("a", "4", SKIPPED),
        row("a", "5", 60),
        row("a", "5", UNSCORED, attempt=2),
    )
    assert only.average == only.failed_as_zero == pytest.approx(70)
    assert (only.completed_cases, only.failed_cases, only.unscored_cases) == (4, 0, 2)


def test_an_agents_own_failure_counts_like_any_other() -> None:
    lost = row("a", "1", 50)
    assert lost.record is not None
    failed = Row(lost.cell, "t", lost.record.model_copy(update={"status": "failed"}), None)
    [only] = standings(failed, row("a", "2", 50))
    assert (only.failed_cases, only.failed_as_zero) == (1, 25)


def test_an_arm_without_any_score_stands_last_and_without_numbers() -> None:
    first, last = standings(*scored("a", FAILED, UNSCORED), *scored("b", 0, 1))
    assert (first.arm.id, last.arm.id) == ("b", "a")
    assert (last.average, last.interval, last.failed_as_zero) == (None, None, 0)
    assert last.breakdown == {}
    assert (first.rank, last.rank) == (1, 2)


def test_the_interval_is_students_over_cases() -> None:
    """60, 70, 80: mean 70, deviation 10, error 10/√3, t(0.975, 2) = 4.302653."""
    [only] = standings(*scored("a", 60, 70, 80))
    half = 4.302653 * 10 / math.sqrt(3)
    assert only.interval is not None
    assert only.interval.low == pytest.approx(70 - half, abs=1e-4)
    assert only.interval.high == pytest.approx(70 + half, abs=1e-4)
    assert (only.interval.level, only.interval.method) == (0.95, "t over cases")


def test_repeats_do_not_make_an_interval_narrower_than_cases_do() -> None:
    once = standings(*scored("a", 60, 80))
    often = standings(*(row("a", str(n), 40 + 20 * n, k) for n in (1, 2) for k in range(1, 9)))
    assert once[0].interval == often[0].interval


def test_an_interval_stays_on_the_scale_and_needs_two_cases() -> None:
    [wide] = standings(*scored("a", 0, 100))
    assert wide.interval is not None
    assert (wide.interval.low, wide.interval.high) == (0, 100)
    [alone] = standings(*scored("a", 50))
    assert alone.interval is None


def test_equals_share_a_rank_and_the_next_one_is_lower() -> None:
    ranks = standings(
        *scored("d", 70, 70), *scored("c", 90), *scored("b", 80, 80), *scored("a", 80, 80)
    )
    assert [(s.arm.id, s.rank) for s in ranks] == [("c", 1), ("a", 2), ("b", 2), ("d", 4)]


def test_with_equal_averages_more_completed_cases_are_better() -> None:
    ranks = standings(*scored("a", 80, FAILED), *scored("b", 80, 80))
    assert [(s.arm.id, s.rank) for s in ranks] == [("b", 1), ("a", 2)]


def test_the_breakdown_is_averaged_like_the_total() -> None:
    """Correctness: case 1 (30 + 10) / 2 = 20, case 2: 10, together 15."""
    [only] = standings(
        row("a", "1", 80, 1, {"correctness": 30, "tone": 4}),
        row("a", "1", 40, 2, {"correctness": 10, "tone": 2}),
        row("a", "2", 30, 1, {"correctness": 10, "tone": 5}),
    )
    assert only.breakdown == {"correctness": 15, "tone": 4}


def test_only_dimensions_that_all_have_are_averaged() -> None:
    [only] = standings(
        row("a", "1", 80, 1, {"correctness": 30, "tone": 4}),
        row("a", "2", 30, 1, {"correctness": 10}),
    )
    assert only.breakdown == {"correctness": 20}


def test_neighbours_are_compared_case_by_case() -> None:
    """Differences 10, 20, 30: mean 20, deviation 10, half 24.841: zero is inside."""
    first, second = standings(*scored("a", 70, 80, 90), *scored("b", 60, 60, 60))
    assert second.versus_next is None
    against = first.versus_next
    assert against is not None
    assert (against.label, against.n_cases) == ("inconclusive", 3)
    assert against.delta == pytest.approx(20)
    assert against.interval is not None
    assert against.interval.low == pytest.approx(20 - 24.8414, abs=1e-3)


def test_a_difference_beyond_doubt_is_better() -> None:
    high, low = (90, 91, 92, 93, 90, 95), (50, 52, 51, 54, 53, 50)
    first, _ = standings(*scored("a", *high), *scored("b", *low))
    assert first.versus_next is not None
    assert first.versus_next.label == "better"
    assert compare(*reversed(standings(*scored("a", *high), *scored("b", *low)))).label == "worse"
    # Four cases are too few, whatever lies between the two.
    few, _ = standings(*scored("a", *high[:4]), *scored("b", *low[:4]))
    assert few.versus_next is not None
    assert (few.versus_next.label, few.versus_next.needs) == ("inconclusive", "cases")


def test_a_weighted_difference_has_the_jackknifes_interval() -> None:
    """Weights 1, 1, 1, 1, 1, 5: the interval is that of leaving out one case after the other."""
    tally = Tally()
    for arm, scores in (("a", (70, 82, 64, 91, 77, 80)), ("b", (60, 70, 60, 83, 70, 65))):
        for number, score in enumerate(scores, start=1):
            tally.add(weighing(row(arm, str(number), score), 5 if number == 6 else 1))
    first = tally.standings()[0].versus_next
    assert first is not None
    differences, weights = [10.0, 12, 4, 8, 7, 15], [1.0, 1, 1, 1, 1, 5]
    expected = weighted_interval(differences, weights)
    assert expected is not None
    assert first.delta == pytest.approx(weighted_mean(differences, weights))
    assert first.interval is not None
    assert (first.interval.low, first.interval.high) == pytest.approx(expected)


def test_differences_that_repeat_need_six_cases() -> None:
    """All 10: five of them are a coin that fell the same way, 2 / 2^5; six are below 0.05."""
    five, _ = standings(*scored("a", *[60] * 5), *scored("b", *[50] * 5))
    six, _ = standings(*scored("a", *[60] * 6), *scored("b", *[50] * 6))
    assert five.versus_next is not None
    assert six.versus_next is not None
    assert (five.versus_next.label, six.versus_next.label) == ("inconclusive", "better")
    assert five.versus_next.interval is not None
    assert (five.versus_next.interval.low, five.versus_next.interval.high) == (0, 10)
    assert five.versus_next.interval.method == "paired t over cases, exact sign-flip test"
    assert six.versus_next.p_value == 2 / 64


def test_an_interval_of_a_difference_stays_on_the_scale() -> None:
    first, _ = standings(*scored("a", 100, 90), *scored("b", 0, 60))
    assert first.versus_next is not None
    assert first.versus_next.interval is not None
    assert (first.versus_next.interval.low, first.versus_next.interval.high) == (-100, 100)


def test_only_cases_that_both_have_are_compared() -> None:
    first, _ = standings(row("a", "1", 90), row("a", "2", 90), row("b", "2", 10), row("b", "3", 50))
    assert first.versus_next is not None
    assert first.versus_next.n_cases == 1
    assert first.versus_next.delta == pytest.approx(80)
    apart, _ = standings(row("a", "1", 90), row("b", "2", 10))
    assert apart.versus_next is not None
    assert (apart.versus_next.label, apart.versus_next.delta) == ("inconclusive", None)


def test_cases_of_one_id_in_two_sets_are_two_cases() -> None:
    mine = row("a", "1", 90)
    other = mine.cell.case.model_copy(update={"set": "other"})
    theirs = Row(mine.cell._replace(case=other), "t", mine.record, row("a", "1", 50).grade)
    [only] = standings(mine, theirs)
    assert only.average == 70
    assert only.completed_cases == 2


def test_pairs_are_counted_by_arm_and_case() -> None:
    tally = Tally()
    for each in (
        *scored("a", 50, FAILED, SKIPPED, UNSCORED),
        row("a", "2", 70, attempt=2),
        *scored("b", FAILED, SKIPPED),
    ):
        tally.add(each)
    assert tally.pairs() == (3, 1)
    assert tally.pairs(attempts=2) == (1, 0), "one pair alone has come to its end"


PARTS = st.permutations(["x", "y", "z"]).map(lambda names: {name: ord(name) for name in names})
ROWS = st.lists(
    st.builds(
        row,
        st.sampled_from("abc"),
        st.sampled_from("123"),
        st.floats(0, 100) | st.sampled_from([UNSCORED, BROKEN, FAILED, SKIPPED]),
        st.integers(1, 3),
        PARTS,
    ),
    max_size=12,
    unique_by=lambda each: (each.cell.arm.id, each.cell.case.id, each.cell.attempt),
)


@settings(max_examples=50, deadline=None)
@given(ROWS.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_the_order_of_rows_does_not_matter(both: tuple[list[Row], list[Row]]) -> None:
    """To the last byte: documents that are made of standings are compared as text."""
    one, two = (repr(standings(*rows)) for rows in both)
    assert one == two


def weighing(one: Row, weight: float) -> Row:
    standard = one.cell.case.standard.model_copy(update={"weight": weight})
    case = one.cell.case.model_copy(update={"standard": standard})
    return replace(one, cell=one.cell._replace(case=case))


def test_weights_move_the_average_and_do_not_blow_up_the_interval() -> None:
    """80, 80, 90, 100 with the weights 1, 2, 3, 4: 91; a weight is no part of a score."""
    rows = [weighing(each, n) for n, each in enumerate(scored("a", 80, 80, 90, 100), 1)]
    [only] = standings(*rows)
    assert only.average == pytest.approx(91)
    assert only.failed_as_zero == pytest.approx(91)
    assert only.interval is not None
    # Moves 3 · w (x − 91) / (10 − w): −3.667, −8.25, −1.286, 18; sd 11.5673, t 3.18245
    assert only.interval.low == pytest.approx(91 - 18.4061, abs=1e-3)


def test_what_only_rounding_tells_apart_shares_a_rank() -> None:
    """Both come to 416 / 6; as floats the averages differ in the last digit."""
    tries = {"a": ((55, 77, 97), (98, 0, 89)), "b": ((55, 77, 89), (98, 0, 97))}
    found = standings(
        *(
            row(who, str(which), score, attempt)
            for who, both in tries.items()
            for which, scores in enumerate(both)
            for attempt, score in enumerate(scores, 1)
        )
    )
    assert found[0].average != found[1].average
    assert [one.rank for one in found] == [1, 1]


def test_shares_of_checks_that_agree_leave_something_to_chance() -> None:
    """Six wins by checks alone are no certainty, however equal: they pass or they do not."""
    first, second = [[100.0]] * 6, [[0.0]] * 6
    for checks, low in (([1] * 6, 60), ([], 100), ([1, 1, 1, 1, 1, 0], 100)):
        found = compare_points(first, second, [1.0] * 6, checks)
        assert found.label == "better"
        assert found.interval is not None
        assert found.interval.low == pytest.approx(low, abs=8)


def test_shares_of_many_checks_are_less_coarse_than_one_that_passes_or_fails() -> None:
    """Cases of five checks, three runs each: the share of five moves in steps of a fifth."""
    gains = [20.0, 0.0, 40.0, 20.0, 20.0, 20.0, 40.0, 0.0]
    first = [[40.0 + gain] * 3 for gain in gains]
    second = [[40.0] * 3 for _ in gains]
    widths: list[float] = []
    for checks in (1, 5):
        found = compare_points(first, second, [1.0] * 8, [checks] * 8)
        assert found.interval is not None
        widths.append(found.interval.high - found.interval.low)
    assert widths[1] < 0.95 * widths[0]


def test_a_project_is_compared_by_the_number_of_its_checks() -> None:
    """The same shares mean more where each is of five checks."""
    gains = [0.2, 0.0, 0.4, 0.2, 0.2, 0.2]
    widths: list[float] = []
    for checks in (1, 5):
        tally = Tally()
        for arm, sign in (("a", 1.0), ("b", 0.0)):
            for place, gain in enumerate(gains):
                score = CaseScore(0.4 + sign * gain, check_pass_rate=0.4 + sign * gain)
                key = ("set", str(place))
                arm_value = Arm(id=arm, label=arm, skill=None)
                tally.take(Placed(arm_value, key, 1, "completed", 1.0, score, "none", checks))
        verdict = tally.standings()[0].versus_next
        assert verdict is not None
        assert verdict.interval is not None
        widths.append(verdict.interval.high - verdict.interval.low)
    assert widths[1] < widths[0]

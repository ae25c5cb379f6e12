"""Two skills case by case, by hand-computed numbers."""

import math

import pytest

from tests.evaluate.rows import scored, standings
from tests.rank.sides import (
    FAILED,
    LOST,
    SKIPPED,
    UNSCORED,
    case,
    compared,
    config,
    key_of,
    once,
    result,
    side,
)
from whet.core.check import CheckSpec
from whet.core.rubric import Dimension, Rubric
from whet.documents.environment import FieldDifference
from whet.rank.compare import CaseKey, Side, compare


def test_attempts_are_averaged_inside_a_case_first() -> None:
    """Case 1: (90 + 60) / 2 = 75 against 65; case 2: 40 against 50; together 57.5 = 57.5."""
    found = compared({"1": [90, 60], "2": [40]}, {"1": [65], "2": [50]}, repeats=2)
    assert (found.score.left, found.score.right, found.score.verdict.delta) == (57.5, 57.5, 0)
    assert [
        (one.case_id, one.left.average, one.right.average, one.delta) for one in found.cases
    ] == [
        ("1", 75, 65, 10),
        ("2", 40, 50, -10),
    ]
    assert [one.outcome for one in found.cases] == ["win", "loss"]
    assert (found.wins, found.losses, found.ties, found.unpaired) == (1, 1, 0, 0)


def test_the_verdict_and_its_interval() -> None:
    """Differences 10, 20, 30: mean 20, deviation 10, t(0.975, 2) = 4.302653, half 24.8414."""
    found = compared(once(70, 80, 90), once(60, 60, 60)).score.verdict
    assert (found.label, found.delta, found.n_cases) == ("inconclusive", 20, 3)
    assert found.needs == "cases"
    assert found.interval is not None
    half = 4.302653 * 10 / math.sqrt(3)
    assert found.interval.low == pytest.approx(20 - half, abs=1e-4)
    assert found.interval.high == pytest.approx(20 + half, abs=1e-4)
    high, low = once(90, 91, 92, 93, 90, 95), once(50, 52, 51, 54, 53, 50)
    assert compared(high, low).score.verdict.label == "better"
    assert compared(low, high).score.verdict.label == "worse"


def test_it_is_the_verdict_of_the_ranking() -> None:
    ours, theirs = (90, 71.5, 92, 60), (50, 72, 51, 54.25)
    first, _ = standings(*scored("a", *ours), *scored("b", *theirs))
    found = compared(once(*ours), once(*theirs)).score
    assert first.versus_next is not None
    assert first.versus_next.interval is not None
    assert found.left == first.average
    assert found.verdict.label == first.versus_next.label
    assert found.verdict.delta == first.versus_next.delta
    assert found.verdict.interval is not None
    assert found.verdict.interval.low == pytest.approx(first.versus_next.interval.low, abs=1e-6)


def test_weights_count() -> None:
    """(3 × 90 + 1 × 10) / 4 = 70 against (3 × 50 + 1 × 50) / 4 = 50."""
    cases = {key_of("1"): case("1", weight=3), key_of("2"): case("2", weight=1)}
    found = compare(side("a", once(90, 10), cases=cases), side("b", once(50, 50), cases=cases))
    assert (found.score.left, found.score.right, found.score.verdict.delta) == (70, 50, 20)
    assert [one.weight for one in found.cases] == [3, 1]


def test_a_failure_is_no_score_but_counts_as_zero_in_the_second_figure() -> None:
    """Case 1: 80 and a failure: 80, or 40, against 60. Case 2: only failed: nothing, or 0,
    against 50. Case 3: 70 against 70."""
    found = compared(
        {"1": [80, FAILED], "2": [FAILED, LOST], "3": [70, 70]},
        {"1": [60, 60], "2": [50, 50], "3": [70, 70]},
        repeats=2,
    )
    assert found.score.verdict.n_cases == 2
    assert found.score.verdict.delta == 10
    assert found.failed_as_zero.verdict.n_cases == 3
    assert found.failed_as_zero.left == pytest.approx((40 + 0 + 70) / 3, abs=1e-6)
    assert found.failed_as_zero.verdict.delta == pytest.approx((-20 - 50 + 0) / 3, abs=1e-6)
    assert [one.outcome for one in found.cases] == ["win", "unpaired", "tie"]
    assert (found.cases[0].left.scored, found.cases[0].left.failed) == (1, 1)
    assert (found.cases[1].left.average, found.cases[1].left.failed) == (None, 2)
    assert found.cases[1].delta is None


def test_what_was_not_scored_or_not_run_is_neither_good_nor_bad() -> None:
    found = compared(
        {"1": [80, UNSCORED, SKIPPED], "2": [UNSCORED], "3": []},
        {"1": [70, 70, 70], "2": [50, 50, 50], "3": [10, 10, 10]},
        repeats=3,
    )
    assert found.score.verdict.n_cases == found.failed_as_zero.verdict.n_cases == 1
    assert found.score.verdict.delta == found.failed_as_zero.verdict.delta == 10
    left = [one.left for one in found.cases]
    assert [(one.scored, one.failed, one.unscored, one.missing) for one in left] == [
        (1, 0, 1, 1),
        (0, 0, 1, 2),
        (0, 0, 0, 3),
    ]
    assert found.unpaired == 2


def test_without_a_pair_nothing_is_said() -> None:
    found = compared(once(FAILED, 80), once(80, UNSCORED))
    verdict = found.score.verdict
    assert (found.score.left, found.score.right, verdict.delta) == (None, None, None)
    assert (verdict.label, verdict.n_cases, verdict.interval) == ("inconclusive", 0, None)
    assert found.dimensions == ()


def test_cases_that_are_not_the_same_are_named_and_left_out() -> None:
    check = CheckSpec(id="S1", type="contains")
    ours = {
        key_of("same"): case("same"),
        key_of("mine"): case("mine"),
        key_of("input"): case("input"),
        key_of("expected"): case("expected"),
        key_of("checks"): case("checks"),
        key_of("rubric"): case("rubric"),
        key_of("weightless"): case("weightless"),
    }
    theirs = {
        key_of("theirs"): case("theirs"),
        key_of("same"): case("same"),
        key_of("input"): case("input", prompt="Do something else."),
        key_of("expected"): case("expected", expected="Something else."),
        key_of("checks"): case("checks", checks=(check,)),
        key_of("rubric"): case("rubric", rubric=None, checks=(check,)),
        key_of("weightless"): case("weightless", weight=0),
    }
    left = side("a", {key.case_id: [90] for key in ours}, cases=ours, project="P")
    right = side("b", {key.case_id: [10] for key in theirs}, cases=theirs, project="Q")
    found = compare(left, right)
    assert [one.case_id for one in found.cases] == ["same"]
    assert found.score.verdict.n_cases == 1
    assert [(one.case_id, one.reason) for one in found.left_out] == [
        ("mine", "only_left"),
        ("input", "other_input"),
        ("expected", "other_expected_output"),
        ("checks", "other_grading"),
        ("rubric", "other_grading"),
        ("weightless", "no_weight"),
        ("theirs", "only_right"),
    ]
    assert (found.left.project_name, found.right.project_name) == ("P", "Q")


def test_other_versions_of_a_baseline_are_matched_where_they_are_not_ambiguous() -> None:
    newer = {key_of("1", "v2"): case("1"), key_of("2", "v2"): case("2", prompt="New.")}
    found = compare(side("a", once(90, 80)), side("b", once(70, 60), cases=newer))
    assert [(one.case_id, one.delta) for one in found.cases] == [("1", 20)]
    assert [(one.case_id, one.reason) for one in found.left_out] == [("2", "other_input")]
    both = {key_of("1", "v2"): case("1"), key_of("1", "v3"): case("1")}
    skill = side("b", once(70)).skill
    results = [result(skill, key, 70) for key in both]
    unclear = compare(side("a", once(90)), Side(config("Q"), skill, both, results))
    assert unclear.cases == ()
    assert [one.reason for one in unclear.left_out] == ["only_left", "only_right", "only_right"]
    exact = {**both, key_of("1"): case("1")}
    clear = compare(side("a", once(90)), Side(config("Q"), skill, exact, []))
    assert [one.case_id for one in clear.cases] == ["1"]


def test_cases_of_one_id_in_two_baselines_are_two_cases() -> None:
    cases = {CaseKey("x", "v1", "1"): case("1"), CaseKey("y", "v1", "1"): case("1")}

    def made(name: str, *scores: float) -> Side:
        skill = side(name, once(1)).skill
        pairs = zip(cases, scores, strict=True)
        return Side(config(), skill, cases, [result(skill, key, score) for key, score in pairs])

    found = compare(made("a", 90, 10), made("b", 50, 50))
    assert [(one.baseline_id, one.delta) for one in found.cases] == [("x", 40), ("y", -40)]


def test_a_weight_that_differs_is_the_smaller_one() -> None:
    ours = {key_of("1"): case("1", weight=4), key_of("2"): case("2", weight=1)}
    theirs = {key_of("1"): case("1", weight=2), key_of("2"): case("2", weight=3)}
    left = side("a", once(90, 60), cases=ours)
    found = compare(left, side("b", once(60, 60), cases=theirs, project="Q"))
    assert [one.weight for one in found.cases] == [2, 1]
    assert found.score.verdict.delta == 20


def test_dimensions_are_on_their_own_scale() -> None:
    """90 % and 60 % of 30 points are 27 and 18; with one score for all, every share is the same."""
    ours, theirs = (90, 91, 92, 93, 90, 95), (60, 60, 61, 62, 60, 59)
    found = compared(once(*ours), once(*theirs))
    first = found.dimensions[0]
    assert (first.name, first.maximum) == ("functional_correctness", 30)
    assert first.left == pytest.approx(sum(ours) / 6 * 0.3, abs=1e-6)
    assert first.verdict.delta == pytest.approx((sum(ours) - sum(theirs)) / 6 * 0.3, abs=1e-6)
    assert [one.name for one in found.dimensions][-1] == "format_compliance"


def test_dimensions_are_one_family() -> None:
    """A p-value of 0.03 on its own is 0.06 among two, and 0.09 among three: no longer clear."""
    names = ("x", "y", "z")
    rubric = Rubric(
        name="r", dimensions=tuple(Dimension(name=n, maximum=10, weight=1) for n in names)
    )
    cases = {key_of(str(n)): case(str(n), rubric=rubric) for n in range(1, 8)}
    edge = (3, 1, 2, 0.5, -0.2, 1.7, 0.9)
    """t = 3.19 with 6 degrees of freedom: p = 0.02. Of 128 ways to flip signs four lead no less
    far: p = 0.03, which counts."""

    def made(name: str, **scores: tuple[float, ...]) -> Side:
        skill = side(name, once(1)).skill
        results = [
            result(skill, key, 50).model_copy(
                update={
                    "scores": result(skill, key, 50).scores.of(
                        {part: values[n] for part, values in scores.items()}, 50
                    )
                }
            )
            for n, key in enumerate(cases)
        ]
        return Side(config(), skill, cases, results)

    flat = (5.0,) * 7
    raised = tuple(5 + one for one in edge)
    alone = compare(made("a", x=raised), made("b", x=flat)).dimensions
    assert [one.verdict.label for one in alone] == ["better"]
    assert alone[0].verdict.p_value is not None
    assert alone[0].verdict.p_value == 4 / 128
    three = compare(made("a", x=raised, y=flat, z=flat), made("b", x=flat, y=flat, z=flat))
    first = three.dimensions[0].verdict
    assert [one.verdict.label for one in three.dimensions] == ["inconclusive"] * 3
    assert first.p_value == pytest.approx(3 * alone[0].verdict.p_value, abs=1e-5)
    assert first.interval == alone[0].verdict.interval


def test_one_name_with_two_scales_is_no_dimension() -> None:
    def scaled(most: float) -> Rubric:
        return Rubric(name="r", dimensions=(Dimension(name="tone", maximum=most, weight=1),))

    cases = {
        key_of("1"): case("1", rubric=scaled(5)),
        key_of("2"): case("2", rubric=scaled(30)),
    }
    assert (
        compare(
            side("a", once(90, 90), cases=cases), side("b", once(50, 50), cases=cases)
        ).dimensions
        == ()
    )


def test_time_tokens_and_cost_are_paired_by_case() -> None:
    """Case 1: (2 + 4) / 2 = 3 s against 1 s; case 2: 5 s against 1 s: mean 4 against 1."""
    left = side("a", {"1": [90, 90], "2": [FAILED]}, repeats=2)
    seconds = iter((2000, 4000, 5000))
    slow = [one.model_copy(update={"duration_ms": next(seconds)}) for one in left.results]
    found = compare(
        Side(left.project, left.skill, left.cases, slow),
        side("b", once(80, 80), input_tokens=50, output_tokens=50, cost_usd=0.25),
    )
    assert found.duration_ms is not None
    assert (found.duration_ms.left, found.duration_ms.right, found.duration_ms.delta) == (
        4000,
        1000,
        3000,
    )
    assert found.duration_ms.n_cases == 2
    assert found.duration_ms.interval is not None
    assert found.duration_ms.interval.low < 0 < 3000 < found.duration_ms.interval.high
    assert found.tokens is not None
    assert (found.tokens.left, found.tokens.right, found.tokens.delta) == (110, 100, 10)
    assert found.cost_usd is not None
    assert found.cost_usd.delta == 0.25


def test_an_unknown_cost_is_not_free() -> None:
    found = compare(side("a", once(90), cost_usd=None), side("b", once(80)))
    assert found.cost_usd is None
    lost = compared(once(LOST, 80), once(80, 80))
    assert lost.duration_ms is not None
    assert lost.duration_ms.n_cases == 1, "what was not run took no time"


def test_the_very_same_trials_are_no_comparison() -> None:
    left = side("a", once(90, 80))
    assert compare(left, side("a", once(90, 80), project="Q")).same_trials == 2
    assert compare(left, side("b", once(90, 80))).same_trials == 0


def test_what_is_simulated_is_said() -> None:
    real = side("a", once(90), simulated=False)
    assert not compare(real, side("b", once(80), simulated=False)).simulated
    assert compare(real, side("b", once(80), simulated=True)).simulated


def test_what_else_is_known_is_passed_on() -> None:
    other = FieldDifference(field="model", left="x", right="y")
    found = compare(side("a", once(1)), side("b", once(2)), [other], ["a file is broken"])
    assert found.environment == (other,)
    assert found.problems == ("a file is broken",)
    assert found.left.skill_name == "A"

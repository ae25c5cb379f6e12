"""Runs side by side, by hand-computed cases."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.capability.items import item, run
from whet.core.errors import UsageError
from whet.documents.capability import EvaluationDetail, EvaluationItem
from whet.documents.capability_comparison import RunComparison, RunDifference
from whet.evaluate.capability.compare import compare
from whet.evaluate.capability.scores import Tally


def detail(name: str, *items: EvaluationItem, digest: str = "d1") -> EvaluationDetail:
    return EvaluationDetail(run=run(name, digest=digest), items=items)


def difference(*details: EvaluationDetail) -> RunDifference:
    [found] = compare(details).differences
    return found


def test_flips_are_named() -> None:
    found = difference(
        detail(
            "r1",
            item("better", "failed", 0.5),
            item("worse"),
            item("good"),
            item("bad", "error", 0),
            item("away", "skipped"),
            item("old"),
        ),
        detail(
            "r2",
            item("new"),
            item("better"),
            item("worse", "error", 0),
            item("good"),
            item("bad", "failed", 0),
            item("away"),
        ),
    )
    assert {case.case_id: case.change for case in found.cases} == {
        "better": "newly_passed",
        "worse": "newly_failed",
        "good": "still_passed",
        "bad": "still_failed",
        "away": "not_measured",
        "old": "only_reference",
        "new": "only_run",
    }
    assert found.changes["newly_failed"] == 1
    assert found.cases[-1].reference is None
    assert found.total.verdict.n_cases == 4
    assert (found.total.reference, found.total.run) == (62.5, 50.0)


def test_a_dimension_has_a_paired_interval_over_what_both_measured() -> None:
    """Eight cases of which six pass only in the second: 6/8 of 100 points."""
    before = [item(str(n), "failed", 0) for n in range(6)] + [item("6"), item("7")]
    after = [item(str(n)) for n in range(8)]
    [logic] = difference(detail("r1", *before), detail("r2", *after)).dimensions
    assert (logic.dimension, logic.reference, logic.run) == ("logic", 25.0, 100.0)
    assert logic.verdict.delta == 75.0
    assert logic.verdict.label == "better"
    assert logic.verdict.interval is not None
    assert 0 < logic.verdict.interval.low < 75 < logic.verdict.interval.high <= 100


def test_runs_that_happen_to_agree_are_not_thought_to_be_the_same() -> None:
    both = [item(str(n)) for n in range(13)]
    found = difference(detail("r1", *both), detail("r2", *both))
    for one in (found.total, *found.dimensions):
        assert (one.verdict.delta, one.verdict.label) == (0, "inconclusive")
        assert one.verdict.interval is not None
        assert one.verdict.interval.low < -5
        assert one.verdict.interval.high > 5


@pytest.mark.parametrize("weights", [(1,), (1, 1, 2, 3)])
@pytest.mark.parametrize(("before", "after"), [(0.95, 0.98), (0.5, 0.7), (0.3, 0.9)])
def test_intervals_cover_the_truth(before: float, after: float, weights: tuple[int, ...]) -> None:
    """Agents that answer each of 13 cases by chance: the true difference is known."""
    chance, tries, covered = random.Random(7), 200, 0
    weigh = [chance.choice(weights) for _ in range(13)]

    def side(name: str, rate: float) -> EvaluationDetail:
        scores = [int(chance.random() < rate) for _ in weigh]
        told = zip(scores, weigh, strict=True)
        items = [
            item(str(n), "passed" if score else "failed", score, weight=weight)
            for n, (score, weight) in enumerate(told)
        ]
        return detail(name, *items)

    for _ in range(tries):
        [logic] = difference(side("r1", before), side("r2", after)).dimensions
        interval = logic.verdict.interval
        assert interval is not None
        covered += interval.low <= 100 * (after - before) <= interval.high
    assert covered >= 0.93 * tries


def test_few_cases_decide_nothing() -> None:
    found = difference(detail("r1", item("a", "failed", 0)), detail("r2", item("a")))
    assert found.dimensions[0].verdict.label == "inconclusive"
    assert found.dimensions[0].verdict.delta == 100


def test_the_total_weighs_dimensions_as_a_run_does() -> None:
    first = [item("t", "failed", 0, dimension="tool"), item("l1"), item("l2", "failed", 0)]
    second = [item("t", dimension="tool"), item("l1"), item("l2", "failed", 0)]
    found = difference(detail("r1", *first), detail("r2", *second)).total
    assert found.reference == pytest.approx(Tally(first).scores().total)
    assert found.run == pytest.approx(Tally(second).scores().total)
    assert found.verdict.delta == pytest.approx(100 * 35 / 60, abs=1e-5)


def test_what_differs_is_named() -> None:
    other = detail("r2", item("a", prompt="How few?"), digest="d2")
    found = difference(detail("r1", item("a")), other)
    assert found.cases[0].change == "other_prompt"
    assert found.total.verdict.n_cases == 0
    assert [one.field for one in found.environment] == ["case_set_digest"]
    assert len(found.warnings) == 2


def test_a_prompt_that_names_its_own_run_is_the_same_prompt() -> None:
    left = detail("r1", item("a", prompt="Write eval/r1/out.txt"))
    right = detail("r2", item("a", prompt="Write eval/r2/out.txt"))
    assert difference(left, right).cases[0].change == "still_passed"


def test_every_run_is_held_against_the_first() -> None:
    found = compare([detail(name, item("a")) for name in ("r1", "r2", "r3")])
    assert [one.run_id for one in found.runs] == ["r1", "r2", "r3"]
    assert [one.reference_id for one in found.differences] == ["r1", "r1"]
    assert RunComparison.parse(found.to_data(), "it") == found


@pytest.mark.parametrize("names", [[], ["r1"], ["r1", "r1"], [f"r{n}" for n in range(21)]])
def test_it_takes_two_different_runs(names: list[str]) -> None:
    with pytest.raises(UsageError):
        compare([detail(name) for name in names])


@given(st.lists(st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])), max_size=9))
def test_turned_round_the_difference_turns_its_sign(scores: list[tuple[float, float]]) -> None:
    def side(name: str, which: int) -> EvaluationDetail:
        every = enumerate(pair[which] for pair in scores)
        return detail(name, *(item(str(n), "passed" if s == 1 else "failed", s) for n, s in every))

    first, second = side("r1", 0), side("r2", 1)
    there, back = difference(first, second), difference(second, first)
    assert there.changes.get("newly_passed") == back.changes.get("newly_failed")
    if scores:
        assert there.total.verdict.delta == pytest.approx(-(back.total.verdict.delta or 0))
    if len(scores) > 1:
        interval, turned = there.total.verdict.interval, back.total.verdict.interval
        assert interval is not None
        assert turned is not None
        assert interval.low == pytest.approx(-turned.high)
        assert interval.low <= (there.total.verdict.delta or 0) <= interval.high

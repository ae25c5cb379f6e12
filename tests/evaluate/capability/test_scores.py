"""Scores of a run: decided by hand, and by what must hold of any run."""

import random
from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.capability.items import item
from whet.documents.base import Number
from whet.documents.capability import Dimension, EvaluationItem, ItemStatus
from whet.evaluate.capability.scores import DIMENSIONS, WEIGHTS, Scores, Tally

OUTCOMES: tuple[tuple[ItemStatus, Number | None], ...] = (
    ("passed", 1),
    ("failed", 0),
    ("failed", 0.5),
    ("failed", 1 / 3),
    ("error", 0),
    ("skipped", None),
    ("cancelled", None),
    ("active", None),
)

weights = st.floats(0.01, 1000) | st.integers(1, 100)
measured = st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(DIMENSIONS), weights)


def _items(drawn: Sequence[tuple[tuple[ItemStatus, Number | None], Dimension, Number]]):
    return [
        item(str(number), status, score, dimension=dimension, weight=weight)
        for number, ((status, score), dimension, weight) in enumerate(drawn)
    ]


runs = st.lists(measured, max_size=12).map(_items)


def of(*given: EvaluationItem) -> Scores:
    return Tally(given).scores()


def test_by_hand() -> None:
    found = of(
        item("t1", dimension="tool", weight=3),
        item("t2", "failed", 0.5, dimension="tool", weight=1),
        item("l1", "failed", 0),
        item("l2", "error", 0),
        item("c1", "skipped", dimension="common"),
        item("x1", "cancelled", dimension="complex"),
    )
    assert found.dimensions == {"tool": 87.5, "logic": 0.0, "common": None, "complex": None}
    assert found.total == pytest.approx(87.5 * 35 / 60)
    assert found.total_measured == pytest.approx(87.5 * 35 / 60)
    assert found.counts == {
        "total": 6,
        "active": 0,
        "passed": 1,
        "failed": 2,
        "skipped": 1,
        "error": 1,
        "cancelled": 1,
    }


def test_an_error_is_zero_and_the_total_without_it_stands_beside() -> None:
    found = of(item("a"), item("b", "error", 0), item("c", "failed", 0.5))
    assert found.total == 50
    assert found.total_measured == 75


def test_a_dimension_of_errors_alone_is_not_in_the_measured_total() -> None:
    found = of(item("a"), item("b", "error", 0, dimension="tool"))
    assert found.total == pytest.approx(100 * 25 / 60)
    assert found.total_measured == 100


def test_nothing_measured_has_no_score() -> None:
    for nothing in (of(), of(item("a", "skipped"), item("b", "cancelled"), item("c", "active"))):
        assert nothing.total is None
        assert set(nothing.dimensions.values()) == {None}


def test_a_case_without_weight_counts_for_nothing() -> None:
    assert of(item("a", weight=0)).total is None
    assert of(item("a", weight=0), item("b", "failed", 0)).total == 0


def test_weights_of_dimensions_are_configurable() -> None:
    tally = Tally([item("a", dimension="tool"), item("b", "failed", 0)])
    assert tally.scores({"tool": 1, "logic": 3, "common": 0, "complex": 0}).total == 25
    assert tally.scores({"tool": 0, "logic": 0, "common": 1, "complex": 1}).total is None
    assert tally.scores({"tool": 1}).total == 100


def test_an_item_that_comes_again_replaces_the_first() -> None:
    tally = Tally([item("a", "active")])
    assert (tally.counts()["active"], tally.counts()["total"]) == (1, 1)
    tally.add(item("a", "failed", 0.5))
    tally.add(item("a", "failed", 0.5))
    assert tally.scores().total == 50
    assert (tally.counts()["active"], tally.counts()["failed"], tally.counts()["total"]) == (
        0,
        1,
        1,
    )


@given(st.sampled_from(DIMENSIONS), st.lists(weights, min_size=1, max_size=20))
def test_a_perfect_run_of_one_dimension_scores_100(
    dimension: Dimension, given: list[Number]
) -> None:
    every = [
        item(str(number), dimension=dimension, weight=weight) for number, weight in enumerate(given)
    ]
    assert of(*every).total == 100


@given(runs, st.sampled_from(DIMENSIONS), st.sampled_from(["skipped", "cancelled"]))
def test_what_was_skipped_or_cancelled_changes_nothing(
    every: Sequence[EvaluationItem], dimension: Dimension, status: Literal["skipped", "cancelled"]
) -> None:
    before = of(*every)
    unmeasured = [item(f"more {n}", status, dimension=dimension, weight=n) for n in range(5)]
    after = of(*every, *unmeasured)
    assert (after.dimensions, after.total) == (before.dimensions, before.total)
    assert after.total_measured == before.total_measured


@given(runs, st.randoms())
def test_the_order_makes_no_difference(every: list[EvaluationItem], chance: random.Random) -> None:
    before = of(*every)
    chance.shuffle(every)
    assert of(*every) == before


@given(runs, st.floats(0.001, 1000))
def test_scaled_weights_change_nothing(every: list[EvaluationItem], factor: float) -> None:
    before = of(*every)
    scaled = [one.model_copy(update={"weight": one.weight * factor}) for one in every]
    of_dimensions: dict[Dimension, Number] = {name: WEIGHTS[name] * factor for name in DIMENSIONS}
    after = Tally(scaled).scores(of_dimensions)
    assert after.total == pytest.approx(before.total)
    assert after.dimensions == pytest.approx(before.dimensions)


@given(runs)
def test_scores_stay_within_their_bounds(every: list[EvaluationItem]) -> None:
    found = of(*every)
    known = [score for score in (*found.dimensions.values(), found.total) if score is not None]
    assert all(0 <= score <= 100 for score in known)
    assert sum(found.counts.values()) == 2 * len(every)
    measured = [score for score in found.dimensions.values() if score is not None]
    assert (found.total is None) == (not measured)
    if found.total is not None:
        assert min(measured) - 1e-9 <= found.total <= max(measured) + 1e-9


@given(runs)
def test_a_better_item_never_lowers_the_total(every: list[EvaluationItem]) -> None:
    before = of(*every).total
    for number, one in enumerate(every):
        if one.status == "failed":
            better = [*every]
            better[number] = one.model_copy(update={"status": "passed", "score": 1})
            after = of(*better).total
            assert before is not None
            assert after is not None
            assert after >= before

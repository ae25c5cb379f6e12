"""What holds of every comparison."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rank.sides import FAILED, LOST, SKIPPED, UNSCORED, Came, case, key_of, side
from whet.documents.comparison import ResourceDifference, ScoreDifference, SkillComparison
from whet.documents.verdict import Interval
from whet.rank.compare import compare

CAME = st.floats(0, 100) | st.integers(0, 100) | st.sampled_from([FAILED, LOST, SKIPPED, UNSCORED])
TABLE = st.dictionaries(st.sampled_from("12345678"), st.lists(CAME, max_size=3), max_size=8)
WEIGHTS = st.lists(st.floats(0.1, 10), min_size=8, max_size=8)
OPPOSITE = {"better": "worse", "worse": "better", "win": "loss", "loss": "win"}


def both(
    left: dict[str, list[Came]], right: dict[str, list[Came]], weights: list[float]
) -> tuple[SkillComparison, SkillComparison]:
    """A comparison, and the same from the other side."""
    names = "12345678"
    known = {n: case(n, weight=w) for n, w in zip(names, weights, strict=True)}
    first = side("a", left, repeats=3, cases={key_of(n): known[n] for n in names if n in left})
    second = side(
        "b", right, repeats=3, cases={key_of(n): known[n] for n in names if n in right}, project="Q"
    )
    return compare(first, second), compare(second, first)


def assert_mirrored(one: Interval | None, other: Interval | None) -> None:
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-5)


def assert_opposite(one: ScoreDifference, other: ScoreDifference) -> None:
    assert (one.left, one.right) == (other.right, other.left)
    assert other.verdict.label == OPPOSITE.get(one.verdict.label, one.verdict.label)
    assert other.verdict.n_cases == one.verdict.n_cases
    assert other.verdict.p_value == one.verdict.p_value
    if one.verdict.delta is None or other.verdict.delta is None:
        assert one.verdict.delta is other.verdict.delta
    else:
        assert other.verdict.delta == pytest.approx(-one.verdict.delta, abs=1e-5)
    assert_mirrored(one.verdict.interval, other.verdict.interval)


def assert_swapped(one: ResourceDifference | None, other: ResourceDifference | None) -> None:
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert (one.left, one.right, one.n_cases) == (other.right, other.left, other.n_cases)
        assert other.delta == pytest.approx(-one.delta)
        assert_mirrored(one.interval, other.interval)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(TABLE, TABLE, WEIGHTS)
def test_the_other_way_round_every_sign_is_the_other(
    left: dict[str, list[Came]], right: dict[str, list[Came]], weights: list[float]
) -> None:
    if not left or not right:
        return
    one, other = both(left, right, weights)
    assert_opposite(one.score, other.score)
    assert_opposite(one.failed_as_zero, other.failed_as_zero)
    assert (one.wins, one.losses, one.ties) == (other.losses, other.wins, other.ties)
    for ours, theirs in zip(one.dimensions, other.dimensions, strict=True):
        assert_opposite(ours, theirs)
    for name in ("duration_ms", "tokens", "cost_usd"):
        assert_swapped(getattr(one, name), getattr(other, name))
    turned = {found.case_id: found for found in other.cases}
    for found in one.cases:
        there = turned[found.case_id]
        assert (found.left, found.right) == (there.right, there.left)
        assert there.outcome == OPPOSITE.get(found.outcome, found.outcome)


@settings(max_examples=60, deadline=None)
@given(TABLE, WEIGHTS)
def test_a_skill_is_no_better_than_itself(
    table: dict[str, list[Came]], weights: list[float]
) -> None:
    if not table:
        return
    found, _ = both(table, table, weights)
    assert {one.outcome for one in found.cases} <= {"tie", "unpaired"}
    assert found.score.verdict.delta in (0, None)
    assert found.failed_as_zero.verdict.delta in (0, None)
    assert found.score.verdict.label == "inconclusive"
    assert found.left_out == ()
    for one in found.dimensions:
        assert (one.verdict.delta, one.verdict.label) == (0, "inconclusive")


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(TABLE, TABLE, WEIGHTS)
def test_every_case_is_counted_once(
    left: dict[str, list[Came]], right: dict[str, list[Came]], weights: list[float]
) -> None:
    if not left or not right:
        return
    found, _ = both(left, right, weights)
    verdict = found.score.verdict
    assert found.wins + found.losses + found.ties == verdict.n_cases
    assert len(found.cases) == verdict.n_cases + found.unpaired
    named = [*found.cases, *found.left_out]
    assert sorted(one.case_id for one in named) == sorted(left.keys() | right.keys())
    for one in (found.score, found.failed_as_zero):
        if one.left is not None and one.right is not None:
            assert one.verdict.delta == pytest.approx(one.left - one.right, abs=1e-5)
        around = one.verdict.interval
        if around is not None and one.verdict.delta is not None:
            assert -100 <= around.low <= one.verdict.delta + 1e-5
            assert one.verdict.delta - 1e-5 <= around.high <= 100
            assert (one.verdict.label == "better") == (around.low > 0)
            assert (one.verdict.label == "worse") == (around.high < 0)
    assert SkillComparison.parse(found.to_data(), "it") == found

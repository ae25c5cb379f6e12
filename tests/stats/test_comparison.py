import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.comparison import compare_cases
from whet.stats.paired import paired_difference
from whet.stats.power import power

scores = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=12)
passes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def test_scores_get_students_interval():
    first, second = [70.1, 81.3, 64.0, 90.5, 77.7], [60.4, 70.2, 59.9, 83.1, 69.6]
    found = compare_cases(first, second)
    student = paired_difference(first, second)
    assert found.label == "better"
    assert (found.interval, found.p_value) == (student.interval, student.p_value)
    assert (found.n_cases, found.discordant, found.method) == (5, 5, "paired t")
    assert found.smallest_effect is not None
    assert power(found.smallest_effect, student.spread, 5) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("won", "lost", "tied", "label"),
    [
        (3, 0, 0, "inconclusive"),
        (5, 0, 0, "inconclusive"),
        (5, 0, 95, "inconclusive"),
        (6, 0, 0, "better"),
        (6, 0, 94, "better"),
        (0, 6, 10, "worse"),
        (7, 1, 0, "inconclusive"),
        (9, 1, 0, "better"),
    ],
)
def test_passes_need_six_cases_that_differ(won: int, lost: int, tied: int, label: str):
    first = [1.0] * won + [0.0] * lost + [1.0] * tied
    second = [0.0] * won + [1.0] * lost + [1.0] * tied
    for kind in ("rate", "score"):  # also if the caller did not know that they are passes
        found = compare_cases(first, second, kind=kind)
        assert found.label == label, found
        assert found.discordant == won + lost


def test_equal_steps_repeat_from_wherever_they_start():
    """One point of five each, 0.4 of the expectations beside it: equal but for the last digits."""
    second = [0.44, 0.7466666666666666, 0.88, 0.8800000000000001, 0.64]
    first = [0.5599999999999999, 0.8666666666666667, 1.0, 1.0, 0.76]
    assert len({a - b for a, b in zip(first, second, strict=True)}) > 3
    found = compare_cases(first, second)
    assert (found.label, found.p_value) == ("inconclusive", 2 / 2**5)
    assert found.method == "paired t, exact sign-flip test"
    assert compare_cases(first[:2], second[:2]).label == "inconclusive"


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=2, max_size=5))
def test_fewer_than_six_equal_steps_say_nothing(rows: list[tuple[int, int]]):
    second = [0.4 * met / 3 + 0.6 * (points / 5) for points, met in rows]
    first = [0.4 * met / 3 + 0.6 * ((points + 1) / 5) for points, met in rows]
    assert compare_cases(first, second).label == "inconclusive"


def test_an_interval_that_excludes_zero_and_a_verdict_are_the_same():
    five = compare_cases([1.0] * 5, [0.0] * 5, kind="rate")
    assert five.interval is not None
    assert five.interval.low == 0
    assert five.p_value == 0.0625
    assert five.smallest_effect is None


def test_no_difference_needs_a_margin_and_enough_cases():
    same = [0.5] * 4, [0.5] * 4
    assert compare_cases(*same, margin=5).label == "inconclusive"
    assert compare_cases(*same, margin=1, kind="rate").label == "inconclusive"
    many = [1.0, 0.0] * 50, [1.0, 0.0] * 50
    assert compare_cases(*many, kind="rate", margin=0.05).label == "no_difference"
    assert compare_cases(*many, kind="rate", margin=0.01).label == "inconclusive"
    assert compare_cases(*many, kind="rate").label == "inconclusive"


def test_one_case_has_no_interval():
    for kind in ("rate", "score"):
        found = compare_cases([1.0], [0.0], kind=kind)
        assert (found.label, found.interval, found.smallest_effect) == ("inconclusive", None, None)


def test_cases_that_share_a_fixture_count_as_one_unit():
    first, second = [1.0] * 12, [0.0] * 12
    assert compare_cases(first, second, kind="rate").label == "better"
    fixtures = [i // 3 for i in range(12)]
    for kind in ("rate", "score"):
        found = compare_cases(first, second, kind=kind, clusters=fixtures)
        assert found.label == "inconclusive"
        assert "cluster" in found.method
    assert compare_cases(first, second, clusters=["one"] * 12).interval is None
    spread = [1.3, 0.7, 1.1, 0.95, 1.02, 0.6, 1.4, 0.81, 1.23, 0.77, 1.05, 0.9]
    assert compare_cases(spread, second, clusters=fixtures).label == "better"


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        compare_cases([80.0], [70.0], kind="rate")
    with pytest.raises(ValueError, match="shorter"):
        compare_cases([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="no values"):
        compare_cases([], [], kind="rate")


@given(scores)
def test_swapping_the_arms_turns_the_verdict_round(rows: list[tuple[float, float]]):
    opposite = {"better": "worse", "worse": "better"}
    one = compare_cases([a for a, _ in rows], [b for _, b in rows])
    other = compare_cases([b for _, b in rows], [a for a, _ in rows])
    assert other.label == opposite.get(one.label, one.label)
    assert other.delta == -one.delta
    assert other.p_value == one.p_value


@given(passes)
def test_rates_stay_within_one_and_agree_with_their_test(rows: list[tuple[int, int]]):
    found = compare_cases([a / 3 for a, _ in rows], [b / 3 for _, b in rows], kind="rate")
    if found.interval is not None:
        assert -1 <= found.interval.low <= found.interval.high <= 1
    if found.label != "inconclusive":
        assert found.p_value is not None
        assert found.p_value <= 0.05
        assert found.discordant >= 6

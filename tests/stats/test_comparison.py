import math
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whet.stats.comparison import (
    RATES,
    SCORES,
    Finding,
    Rule,
    compare_cases,
    compare_runs,
    fewest_cases,
    grain_of,
)
from whet.stats.paired import paired_difference

scores = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=12)
passes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)
RANK = {"inconclusive": 0, "no_difference": 1, "better": 2, "worse": 2}


def test_scores_get_students_interval():
    first = [70.1, 81.3, 64.0, 90.5, 77.7, 65.0, 71.3]
    second = [60.4, 70.2, 59.9, 83.1, 69.6, 61.0, 66.9]
    found = compare_cases(first, second)
    student = paired_difference(first, second)
    assert found.like_these.label == "better"
    assert found.like_these.interval == pytest.approx(student.interval)
    assert found.like_these.p_value == 2**-6  # every sign is the same
    assert (found.n_cases, found.discordant) == (7, 7)
    assert found.delta == pytest.approx(student.delta)


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
    for rule in (RATES, SCORES):  # also if the caller did not know that they are passes
        found = compare_cases(first, second, rule)
        assert found.like_these.label == label, found
        assert found.discordant == won + lost


def test_less_noise_around_the_same_mean_does_not_weaken_a_verdict():
    """Equal values and unequal ones get the same rule: fewer than six cases say nothing."""
    for differences in ([4.0, 5, 5, 4], [8.0, 2, 5, 3], [8.0, 7]):
        found = compare_cases(differences, [0.0] * len(differences)).like_these
        assert (found.label, found.needs) == ("inconclusive", "cases")
    noisy, calm = [8.0, 2, 5, 3, 6, 4, 5, 3], [5.0, 4, 5, 4, 5, 4, 5, 4]
    assert sum(noisy) == sum(calm)
    for differences in (noisy, calm):
        assert compare_cases(differences, [0.0] * 8).like_these.label == "better"


@given(
    st.lists(st.one_of(st.integers(-4, 8), st.floats(-50, 100)), min_size=2, max_size=28),
    st.floats(0, 0.999),
    st.floats(0, 30),
    st.sampled_from(["plain", "weights", "clusters"]),
)
@example([4, 5, 5, 4, 4, 5], 0.5, 0.0, "plain")
@example([3, 0, 0, 0, 0, 0, 0, 8], 0.9, 10.0, "plain")
def test_shrinking_all_differences_towards_their_mean_never_weakens_the_verdict(
    differences: list[float], shrink: float, margin: float, how: str
):
    n = len(differences)
    weights = [1.0 + i % 3 for i in range(n)] if how == "weights" else None
    clusters = [i // 2 for i in range(n)] if how == "clusters" else None
    rule = Rule(margin=margin)
    one = compare_cases(differences, [0.0] * n, rule, weights=weights, clusters=clusters)
    middle = one.delta
    closer = [middle + shrink * (d - middle) for d in differences]
    other = compare_cases(closer, [0.0] * n, rule, weights=weights, clusters=clusters)
    if abs(middle) > 1e-6 * max(1.0, *map(abs, differences)):  # what rounding leaves has no sign
        assert RANK[other.like_these.label] >= RANK[one.like_these.label]


@given(scores, st.sampled_from([0.0, 5.0]))
def test_label_interval_and_p_value_never_contradict_each_other(
    rows: list[tuple[float, float]], margin: float
):
    chance = Random(1)
    first = [[a + chance.random() for _ in range(2)] for a, _ in rows]
    second = [[b + chance.random() for _ in range(2)] for _, b in rows]
    found = compare_runs(first, second, Rule(margin=margin))
    for one in (found.like_these, found.on_these):
        _agrees(one, found.delta)


def _agrees(one: Finding, delta: float) -> None:
    if one.interval is None:
        assert one.label == "inconclusive"
        return
    assert one.p_value is not None
    low, high = one.interval
    assert low - 1e-9 <= delta <= high + 1e-9
    decided = one.label in ("better", "worse")
    if one.needs is None:
        assert decided == (one.p_value <= 0.05) == (low > 0 or high < 0)
    else:
        assert one.label == "inconclusive"
        assert low <= 0 <= high


def test_equal_steps_are_equal_from_wherever_they_start():
    """One point of five each, 0.4 of the expectations beside it: equal but for the last digits."""
    second = [0.44, 0.7466666666666666, 0.88, 0.8800000000000001, 0.64]
    first = [0.5599999999999999, 0.8666666666666667, 1.0, 1.0, 0.76]
    assert len({a - b for a, b in zip(first, second, strict=True)}) > 3
    found = compare_cases(first, second).like_these
    assert (found.label, found.p_value) == ("inconclusive", 2 / 2**5)


def test_few_cases_have_an_interval_that_touches_zero():
    five = compare_cases([1.0] * 5, [0.0] * 5, RATES).like_these
    assert five.interval is not None
    assert five.interval.low == 0
    assert five.p_value == 0.0625
    assert (five.smallest_effect, five.needs) == (None, "cases")
    assert fewest_cases() == 6


def test_no_difference_needs_a_margin_and_enough_cases():
    same = [0.5] * 4, [0.5] * 4
    assert compare_cases(*same, Rule(margin=5)).like_these.label == "inconclusive"
    many = [1.0, 0.0] * 50, [1.0, 0.0] * 50
    assert compare_cases(*many, Rule(1.0, margin=0.05)).like_these.label == "no_difference"
    assert compare_cases(*many, Rule(1.0, margin=0.01)).like_these.label == "inconclusive"
    assert compare_cases(*many, RATES).like_these.label == "inconclusive"


def test_one_case_has_no_interval():
    for rule in (RATES, SCORES):
        found = compare_cases([1.0], [0.0], rule).like_these
        assert (found.label, found.interval, found.needs) == ("inconclusive", None, "cases")


def test_a_weighted_interval_is_the_jackknife():
    """By hand: the mean is 45 / 8; leaving out one case after the other moves it by these."""
    differences, weights = [3.0, 9.0, 6.0, 4.0, 7.0, 5.0], [1.0, 2.0, 1.0, 1.0, 2.0, 1.0]
    total, mean = 8.0, (3 + 18 + 6 + 4 + 14 + 5) / 8
    left_out = [
        (mean * total - w * d) / (total - w) for d, w in zip(differences, weights, strict=True)
    ]
    centre = sum(left_out) / 6
    error = math.sqrt(5 / 6 * sum((x - centre) ** 2 for x in left_out))
    found = compare_cases(differences, [0.0] * 6, weights=weights)
    assert found.delta == pytest.approx(mean)
    assert found.like_these.interval is not None
    half = 2.570581835636314 * error
    assert found.like_these.interval == pytest.approx((mean - half, mean + half))


def test_cases_that_share_a_fixture_count_as_one_unit():
    first, second = [1.0] * 12, [0.0] * 12
    assert compare_cases(first, second, RATES).like_these.label == "better"
    fixtures = [i // 3 for i in range(12)]
    for rule in (RATES, SCORES):
        found = compare_cases(first, second, rule, clusters=fixtures).like_these
        assert (found.label, found.needs) == ("inconclusive", "cases")
        assert "cluster" in found.method
    assert compare_cases(first, second, clusters=["one"] * 12).like_these.interval is None
    spread = [1.3, 0.7, 1.1, 0.95, 1.02, 0.6, 1.4, 0.81, 1.23, 0.77, 1.05, 0.9]
    pairs = [i // 2 for i in range(12)]
    assert compare_cases(spread, second, clusters=pairs).like_these.label == "better"


def test_these_cases_need_repeats_and_cases_like_these_need_cases():
    once = compare_cases([9.0] * 8, [1.0] * 8)
    assert (once.like_these.label, once.on_these.needs) == ("better", "repeats")
    runs = compare_runs([[9.0, 8.5, 9.5]] * 4, [[1.0, 1.5, 0.5]] * 4)
    assert (runs.on_these.label, runs.like_these.needs) == ("better", "cases")
    # Two runs of two cases can be shared out in 36 ways: never clear enough.
    tiny = compare_runs([[9.0, 8.0]] * 2, [[1.0, 2.0]] * 2)
    assert (tiny.on_these.label, tiny.on_these.needs) == ("inconclusive", "repeats")


def test_more_runs_settle_these_cases_and_never_others():
    chance = Random(5)
    for runs in (2, 5, 20):
        first = [[chance.gauss(70, 5) for _ in range(runs)] for _ in range(4)]
        second = [[chance.gauss(50, 5) for _ in range(runs)] for _ in range(4)]
        found = compare_runs(first, second)
        assert found.on_these.label == "better"
        assert (found.like_these.label, found.like_these.needs) == ("inconclusive", "cases")


def test_many_runs_of_eight_evals_are_enough_without_a_rubric():
    """A true gain of 32 points over 8 evals and 5 runs, seven wins and one tie."""
    first = [[1, 1, 0, 1, 1], [1, 1, 1, 0, 1], [1, 0, 1, 1, 0], [1, 1, 1, 1, 0]] * 2
    second = [[0, 1, 0, 1, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [0, 1, 0, 1, 0]] * 2
    found = compare_runs(first, second, RATES).like_these
    assert found.p_value == pytest.approx(0.0078125)
    assert found.label == "better"


def test_coarse_values_that_agree_leave_something_to_chance():
    alike = compare_cases([1.0] * 6, [1.0] * 6, RATES).like_these
    assert alike.interval is not None
    assert alike.interval.high > 0.2
    finer = compare_cases([1.0] * 6, [1.0] * 6, Rule(grain_of(16))).like_these
    assert finer.interval is not None
    assert 0 < finer.interval.high < alike.interval.high
    assert compare_cases([1.0] * 6, [1.0] * 6).like_these.interval == (0, 0)


def test_a_look_that_may_use_little_of_the_error_is_strict():
    first = [70.0, 66.0, 71.0, 64.0, 75.0, 69.0, 72.0, 66.0]
    second = [60.0, 62.0, 58.0, 63.0, 60.0, 61.0, 59.0, 64.0]
    whole = compare_cases(first, second).like_these
    part = compare_cases(first, second, Rule(share=0.01)).like_these
    assert (whole.label, part.label) == ("better", "inconclusive")
    assert whole.interval is not None
    assert part.interval is not None
    assert part.interval.low < whole.interval.low < whole.interval.high < part.interval.high


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        compare_cases([80.0], [70.0], RATES)
    with pytest.raises(ValueError, match="shorter"):
        compare_cases([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="a run in both"):
        compare_cases([], [], RATES)
    with pytest.raises(ValueError, match="a run in both"):
        compare_runs([[1.0], []], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="combined"):
        compare_cases([1.0, 2.0], [0.0, 0.0], weights=[1, 2], clusters=["a", "b"])


@given(scores)
def test_swapping_the_arms_turns_the_verdict_round(rows: list[tuple[float, float]]):
    opposite = {"better": "worse", "worse": "better"}
    one = compare_runs([[a, a + 1] for a, _ in rows], [[b, b + 1] for _, b in rows])
    other = compare_runs([[b, b + 1] for _, b in rows], [[a, a + 1] for a, _ in rows])
    assert other.delta == -one.delta
    for mine, theirs in ((one.like_these, other.like_these), (one.on_these, other.on_these)):
        assert theirs.label == opposite.get(mine.label, mine.label)
        # Drawn ones may differ, where nothing is close.
        assert theirs.p_value == pytest.approx(mine.p_value, abs=0.08)


@given(passes)
def test_rates_agree_with_their_test(rows: list[tuple[int, int]]):
    found = compare_cases([a / 3 for a, _ in rows], [b / 3 for _, b in rows], RATES)
    if found.like_these.label != "inconclusive":
        assert found.like_these.p_value is not None
        assert found.like_these.p_value <= 0.05
        assert found.discordant >= 6


def test_equal_numbers_of_runs_are_that_number() -> None:
    """3 / (3 · ⅕) is a little less than 5 as a float, and would count as four runs."""
    runs = [[0.1, 0.4, 0.2, 0.6, 0.3]] * 3
    assert compare_runs(runs, [list(reversed(one)) for one in runs]).spread.runs == 5

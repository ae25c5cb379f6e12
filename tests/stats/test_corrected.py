"""Rates corrected for a judge's errors."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whet.stats.corrected import Counted, rogan_gladen


def counted(most: int = 200) -> st.SearchStrategy[Counted]:
    return st.integers(1, most).flatmap(
        lambda total: st.integers(0, total).map(lambda hits: Counted(hits, total))
    )


def test_by_hand() -> None:
    # (0.5 + 0.8 - 1) / (0.9 + 0.8 - 1) = 0.3 / 0.7
    found = rogan_gladen(Counted(50, 100), Counted(90, 100), Counted(40, 50))
    assert found is not None
    assert found.rate == pytest.approx(3 / 7)


def test_the_interval_by_hand() -> None:
    # z = 1.959964, z² = 3.841459: n = 103.841459, p = 51.9207295 / n = 0.5,
    # sensitivity 91/102 = .892157, specificity 41/52 = .788462, Youden .680618
    # rate = .288462 / .680618 = .423823
    # a = .892157·.107843/102 = .000943268; b = .788462·.211538/52 = .003207499
    # spread = .25/103.841459 + a·.179626 + b·.331980 = .002407516 + .000169435 + .001064826
    # error = √.003641777 / .680618 = .0886651
    # shift = 2·3.841459·(.423823·a − .576177·b) = 7.682918·(.000399779 − .001848087) = −.0111273
    found = rogan_gladen(Counted(50, 100), Counted(90, 100), Counted(40, 50))
    assert found is not None
    assert found.interval.low == pytest.approx(0.423823 - 0.0111273 - 0.173780, abs=2e-5)
    assert found.interval.high == pytest.approx(0.423823 - 0.0111273 + 0.173780, abs=2e-5)


def test_nothing_known_is_nothing_corrected() -> None:
    some = Counted(5, 10)
    assert rogan_gladen(Counted(0, 0), some, some) is None
    assert rogan_gladen(some, Counted(0, 0), Counted(9, 10)) is None
    assert rogan_gladen(some, Counted(9, 10), Counted(0, 0)) is None
    assert rogan_gladen(some, some, some) is None
    assert rogan_gladen(some, Counted(2, 10), Counted(3, 10)) is None


def test_mistakes_are_refused() -> None:
    some = Counted(9, 10)
    with pytest.raises(ValueError, match="level"):
        rogan_gladen(some, some, some, level=1)
    with pytest.raises(ValueError, match="hits"):
        rogan_gladen(Counted(3, 2), some, some)


@given(counted(), st.integers(1, 500), st.integers(1, 500))
def test_a_judge_without_errors_is_believed(passes: Counted, right: int, wrong: int) -> None:
    found = rogan_gladen(passes, Counted(right, right), Counted(wrong, wrong))
    assert found is not None
    assert found.rate == pytest.approx(passes.share)


@given(counted(), counted(), counted())
def test_it_stays_a_rate_inside_its_interval(
    passes: Counted, sensitivity: Counted, specificity: Counted
) -> None:
    found = rogan_gladen(passes, sensitivity, specificity)
    youden = sensitivity.share + specificity.share - 1
    if found is None:  # the additions to both counts may cost a near coin the rest of its worth
        assert youden <= 1 / (sensitivity.total + 2) + 1 / (specificity.total + 2)
        return
    assert 0 <= found.interval.low <= found.rate <= found.interval.high <= 1


@given(counted(), counted(), counted())
def test_failing_is_passing_the_other_way_round(
    passes: Counted, sensitivity: Counted, specificity: Counted
) -> None:
    failures = Counted(passes.total - passes.hits, passes.total)
    first = rogan_gladen(passes, sensitivity, specificity)
    second = rogan_gladen(failures, specificity, sensitivity)
    assume(first is not None and second is not None)
    assert first is not None
    assert second is not None
    assert second.rate == pytest.approx(1 - first.rate)
    assert second.interval.low == pytest.approx(1 - first.interval.high)
    assert second.interval.high == pytest.approx(1 - first.interval.low)


@pytest.mark.parametrize(
    ("truth", "right", "wrong", "runs", "labels"),
    [(0.6, 0.9, 0.8, 60, 40), (0.9, 0.85, 0.7, 100, 30), (0.3, 0.95, 0.9, 40, 20)],
)
def test_the_interval_covers(
    truth: float, right: float, wrong: float, runs: int, labels: int
) -> None:
    chance = random.Random(7)

    def draw(total: int, share: float) -> Counted:
        return Counted(sum(chance.random() < share for _ in range(total)), total)

    seen, repeats, hits = truth * right + (1 - truth) * (1 - wrong), 2000, 0
    for _ in range(repeats):
        found = rogan_gladen(draw(runs, seen), draw(labels, right), draw(labels, wrong))
        hits += found is not None and found.interval.low <= truth <= found.interval.high
    assert 0.935 <= hits / repeats <= 0.995

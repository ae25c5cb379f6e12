import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.signflip import sign_flip_p

referee: Any = stats  # scipy has no types


def brute(differences: list[float]) -> float:
    seen = abs(sum(differences)) - 1e-9
    flips = list(product((1, -1), repeat=len(differences)))
    hits = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= seen for signs in flips
    )
    return hits / len(flips)


def test_pass_and_fail_is_the_exact_test_of_mcnemar():
    for better, worse in [(5, 0), (6, 0), (7, 1), (8, 1), (10, 7)]:
        differences = [1.0] * better + [-1.0] * worse + [0.0] * 7
        expected = float(referee.binomtest(better, better + worse).pvalue)
        assert sign_flip_p(differences) == pytest.approx(expected)
    # Above 24 differences the ways are drawn, whatever the values: 9,999 of them.
    for better, worse in [(20, 9), (60, 40)]:
        differences = [1.0] * better + [-1.0] * worse
        expected = float(referee.binomtest(better, better + worse).pvalue)
        assert sign_flip_p(differences) == pytest.approx(expected, abs=0.008)


def test_five_cases_can_never_convince_and_six_can():
    assert sign_flip_p([1.0] * 5) == 0.0625
    assert sign_flip_p([1.0] * 6) == 0.03125


def test_nothing_differs():
    assert sign_flip_p([]) == 1
    assert sign_flip_p([0.0, 0.0]) == 1


@given(st.lists(st.integers(-3, 3), max_size=9), st.sampled_from([1, 2, 3, 7]))
def test_rates_agree_with_all_signs_tried(counts: list[int], runs: int):
    differences = [count / runs for count in counts]
    assert sign_flip_p(differences) == pytest.approx(brute(differences))


def test_scores_agree_with_scipy():
    chance = random.Random(8)
    for _ in range(5):
        differences = [chance.gauss(3, 5) for _ in range(11)]
        expected = referee.permutation_test(
            (differences,),
            np.mean,
            permutation_type="samples",
            n_resamples=float("inf"),
            vectorized=True,
        )
        assert sign_flip_p(differences) == pytest.approx(float(expected.pvalue), abs=1e-3)


def test_many_scores_are_drawn_and_come_near_students_test():
    chance = random.Random(9)
    differences = [chance.gauss(0.2, 1) for _ in range(80)]
    expected = float(referee.ttest_1samp(differences, 0.0).pvalue)
    assert sign_flip_p(differences) == pytest.approx(expected, abs=0.05)
    assert sign_flip_p(differences) == sign_flip_p(differences)
    assert sign_flip_p([d + 5 for d in differences]) == 1 / 1000


def test_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        sign_flip_p([1.0, float("nan")])


def test_a_difference_beyond_all_proportion_counts_for_nothing() -> None:
    """Its ratio to the others is infinite for a computer."""
    tiny = 5e-324
    assert sign_flip_p([1.0, 1.0, tiny]) == pytest.approx(sign_flip_p([1.0, 1.0, 1e-12]))

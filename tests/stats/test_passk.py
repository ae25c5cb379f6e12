import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.passk import (
    CaseRuns,
    mean_pass_at_k,
    mean_pass_hat_k,
    pass_at_k,
    pass_hat_k,
)


@given(
    st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))
)
def test_agree_with_every_choice_of_k_runs(numbers: tuple[int, int, int]):
    runs, passed, k = numbers
    draws = list(combinations([True] * passed + [False] * (runs - passed), k))
    assert pass_at_k(passed, runs, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat_k(passed, runs, k) == pytest.approx(sum(map(all, draws)) / len(draws))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_unbiased(k: int):
    # Over all outcomes of five runs that pass with 0.7 each, the mean is the true chance.
    outcomes = [(c, math.comb(5, c) * 0.7**c * 0.3 ** (5 - c)) for c in range(6)]
    assert sum(p * pass_at_k(c, 5, k) for c, p in outcomes) == pytest.approx(1 - 0.3**k)
    assert sum(p * pass_hat_k(c, 5, k) for c, p in outcomes) == pytest.approx(0.7**k)


def test_mean_over_cases_with_an_interval():
    cases = [CaseRuns(5, 5), CaseRuns(0, 5), CaseRuns(1, 2), CaseRuns(1, 1)]
    found = mean_pass_at_k(cases, 2)
    assert found is not None
    assert (found.rate, found.cases, found.skipped) == (pytest.approx(2 / 3), 3, 1)
    assert 0 <= found.interval.low < found.rate < found.interval.high <= 1
    strict = mean_pass_hat_k(cases, 2)
    assert strict is not None
    assert strict.rate == pytest.approx(1 / 3)
    assert mean_pass_at_k(cases, 6) is None


def test_all_passed_is_no_certainty():
    found = mean_pass_hat_k([CaseRuns(3, 3)] * 5, 3)
    assert found is not None
    assert found.rate == 1
    assert found.interval.low < 0.75
    assert found.interval.high == 1


@pytest.mark.parametrize(("passed", "runs", "k"), [(3, 2, 1), (-1, 2, 1), (1, 2, 3), (1, 2, 0)])
def test_impossible_numbers_are_refused(passed: int, runs: int, k: int):
    for measure in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="runs"):
            measure(passed, runs, k)

import math
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whet.stats.stratified import (
    Stratum,
    can_convince,
    pass_estimate,
    permutation_p,
    score_estimate,
)

referee: Any = stats  # scipy has no types


def strata(first: list[list[float]], second: list[list[float]]) -> list[Stratum]:
    return [Stratum(a, b, 1 / len(first)) for a, b in zip(first, second, strict=True)]


def brute(given: list[Stratum]) -> float:
    """Every way to share out the runs of every case."""

    def ways(one: Stratum) -> list[float]:
        runs = [*one.first, *one.second]
        found: list[float] = []
        for chosen in combinations(range(len(runs)), len(one.first)):
            inside = [runs[i] for i in chosen]
            outside = [runs[i] for i in range(len(runs)) if i not in chosen]
            found.append(sum(inside) / len(inside) - sum(outside) / len(outside))
        return found

    def mean(run: list[float]) -> float:
        return sum(run) / len(run)

    seen = abs(sum(mean([*s.first]) - mean([*s.second]) for s in given)) - 1e-9
    every = [abs(sum(one)) >= seen for one in product(*map(ways, given))]
    return sum(every) / len(every)


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 4), min_size=2, max_size=3),
            st.lists(st.integers(0, 4), min_size=2, max_size=3),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_the_permutation_test_counts_every_way(rows: list[tuple[list[int], list[int]]]):
    made = strata([[x / 4 for x in a] for a, _ in rows], [[x / 4 for x in b] for _, b in rows])
    assert permutation_p(made) == pytest.approx(brute(made))


def test_many_ways_are_drawn_the_same_each_time():
    chance = Random(3)
    first = [[chance.gauss(0.4, 1) for _ in range(5)] for _ in range(12)]
    second = [[chance.gauss(0, 1) for _ in range(5)] for _ in range(12)]
    made = strata(first, second)
    assert permutation_p(made) == permutation_p(made)
    expected = score_estimate(made, 0.0, 0.95).p_value
    assert permutation_p(made) == pytest.approx(expected, abs=0.06)


def test_one_case_is_fishers_exact_test():
    made = [Stratum([1, 1, 1, 1, 0], [0, 0, 0, 1, 0], 1.0)]
    expected = float(referee.fisher_exact([[4, 1], [1, 4]]).pvalue)
    assert permutation_p(made) == pytest.approx(expected)


def test_one_case_is_welchs_interval_but_for_the_degrees_of_freedom():
    first, second = [3.1, 2.7, 3.6, 3.3], [1.9, 2.8, 2.2, 2.4]
    found = score_estimate([Stratum(first, second, 1.0)], 0.0, 0.95)
    theirs = referee.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
    pooled = referee.ttest_ind(first, second).confidence_interval(0.95)
    assert pooled.low + 1e-9 >= found.interval.low >= theirs.low - 1e-9
    assert theirs.high + 1e-9 >= found.interval.high >= pooled.high - 1e-9


def test_one_case_is_the_published_score_interval():
    """Miettinen and Nurminen's method for 5 of 56 against 0 of 29: Newcombe (1998), table II, (f)
    and (g); without the correction n / (n − 1) it is Mee's 0.0326 below and 0.1933 above."""
    made = [Stratum([1.0] * 5 + [0.0] * 51, [0.0] * 29, 1.0)]
    low, high = pass_estimate(made, 0.95).interval
    assert low == pytest.approx(-0.0326, abs=2e-3)
    assert high == pytest.approx(0.1933, abs=2e-3)
    made = [Stratum([1.0] * 56 + [0.0] * 14, [1.0] * 48 + [0.0] * 32, 1.0)]
    low, high = pass_estimate(made, 0.95).interval
    assert low == pytest.approx(0.0528, abs=2e-3)
    assert high == pytest.approx(0.3382, abs=2e-3)


def test_the_score_interval_ends_where_its_p_value_says():
    made = strata([[1.0, 1, 0, 1]] * 4, [[0.0, 1, 0, 0]] * 4)
    found = pass_estimate(made, 0.95)
    assert found.p_value < 0.05
    assert found.interval.low > 0
    weaker = pass_estimate(made, 1 - found.p_value + 1e-9)
    assert weaker.interval.low == pytest.approx(0, abs=1e-3)


def test_all_or_nothing_is_no_certainty():
    for first, second in (([1.0] * 3, [1.0] * 3), ([1.0] * 3, [0.0] * 3)):
        found = pass_estimate(strata([first] * 3, [second] * 3), 0.95)
        assert found.interval.high - found.interval.low > 0.3


def test_how_few_runs_can_never_convince():
    assert not can_convince(strata([[0.0] * 2] * 2, [[0.0] * 2] * 2), 0.95)  # 36 ways
    assert can_convince(strata([[0.0] * 2] * 3, [[0.0] * 2] * 3), 0.95)  # 216 ways
    assert not can_convince(strata([[0.0] * 3], [[0.0] * 3]), 0.95)  # 20 ways
    assert can_convince(strata([[0.0] * 4], [[0.0] * 4]), 0.95)  # 70 ways


def test_runs_that_never_differ():
    same = strata([[0.5, 0.5]] * 3, [[0.5, 0.5]] * 3)
    assert permutation_p(same) == 1
    assert score_estimate(same, 0.0, 0.95).p_value == 1
    apart = strata([[0.9, 0.9]] * 3, [[0.5, 0.5]] * 3)
    assert score_estimate(apart, 0.0, 0.95).interval == pytest.approx((0.4, 0.4))
    assert permutation_p(apart) == pytest.approx(2 / math.comb(4, 2) ** 3)

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.clustered import ClusteredMean, clustered_mean
from whet.stats.intervals import t_interval
from whet.stats.paired import paired_difference

VALUES = [3.0, 5, 4, -1, 0, 2, 7, 6, 5, 1, -2, 0]


def test_agrees_with_statsmodels_for_equal_clusters():
    # statsmodels 0.15: OLS on a constant, cov_type="cluster", four groups of three, use_t
    found = clustered_mean(VALUES, [i // 3 for i in range(12)])
    assert found.mean == pytest.approx(2.5)
    assert found.clusters == 4
    assert found.df == pytest.approx(3)
    assert found.error == pytest.approx(1.50616019, rel=1e-7)
    assert found.interval == pytest.approx((-2.29327393, 7.29327393), rel=1e-7)
    assert found.p_value == pytest.approx(0.19552763, rel=1e-6)


def test_one_case_in_each_cluster_is_student():
    found = clustered_mean(VALUES, range(12))
    assert found.df == pytest.approx(11)
    assert found.interval == pytest.approx(t_interval(VALUES))
    assert found.p_value == pytest.approx(paired_difference(VALUES, [0.0] * 12).p_value)


def test_one_cluster_says_nothing_and_no_spread_says_all():
    assert clustered_mean([1, 3], ["a", "a"]) == ClusteredMean(2, 1, None, None, None, None)
    assert clustered_mean([0, 0], ["a", "b"]).p_value == 1
    assert clustered_mean([1, 1], ["a", "b"]).p_value == 0


def test_unequal_clusters_have_fewer_degrees():
    even = clustered_mean(VALUES, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    odd = clustered_mean(VALUES, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
    assert even.df is not None
    assert odd.df is not None
    assert 1 <= odd.df < 2 < even.df


def test_lengths_must_fit():
    with pytest.raises(ValueError, match="2 values need as many clusters, not 1"):
        clustered_mean([1, 2], ["a"])


@given(st.lists(st.tuples(st.floats(-100, 100), st.integers(0, 5)), min_size=2, max_size=30))
def test_order_and_names_do_not_matter(rows: list[tuple[float, int]]):
    one = clustered_mean([r[0] for r in rows], [r[1] for r in rows])
    turned = rows[::-1]
    other = clustered_mean([r[0] for r in turned], [f"fixture {r[1]}" for r in turned])
    assert one.mean == pytest.approx(other.mean)
    assert one.error == pytest.approx(other.error, abs=1e-9)
    assert one.df == pytest.approx(other.df)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[3] * 8, [1, 1, 2, 2, 3, 4, 5, 6, 8, 10]])
def test_covers_where_students_interval_does_not(sizes: list[int]):
    chance = random.Random(len(sizes))
    clusters = [name for name, size in enumerate(sizes) for _ in range(size)]
    repeats, robust, plain = 4000, 0, 0
    for _ in range(repeats):
        shared = [chance.gauss(0, 1) for _ in sizes]
        values = [5 + shared[name] + chance.gauss(0, 1) for name in clusters]
        found, naive = clustered_mean(values, clusters).interval, t_interval(values)
        assert found is not None
        assert naive is not None
        robust += found.low <= 5 <= found.high
        plain += naive.low <= 5 <= naive.high
    # 4,000 repeats have a standard error of 0.35 %.
    assert 0.935 <= robust / repeats <= 0.975
    assert plain / repeats < 0.9

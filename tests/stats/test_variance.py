import random

import pytest

from whet.stats.comparison import compare_runs
from whet.stats.variance import (
    CrossedSplit,
    Split,
    crossed_split,
    nested_split,
    pair_noise,
)


def test_nested_by_hand():
    # Two cases, two runs, two readings. Readings differ by 1 within each run: mean square 1/2.
    # Run means 1.5, 3.5 and 7.5, 9.5: mean square between runs 2·(1+1+1+1)/2 = 4 = σj² + 2σr².
    # Case means 2.5, 8.5: mean square 4·(9+9)/1 = 72 = σj² + 2σr² + 4σc².
    found = nested_split([[[1, 2], [3, 4]], [[7, 8], [9, 10]]])
    assert found == pytest.approx((17, 1.75, 0.5))


def test_what_cannot_be_told_is_none():
    assert nested_split([[[1.0], [3.0]], [[5.0], [7.0]]]) == pytest.approx((7, 2, None))
    assert nested_split([[[1.0]], [[3.0]], []]) == Split(2, None, None)
    assert pair_noise([[1.0], [3.0]], [[0.0], [0.0]]) is None


def test_negative_estimates_are_zero():
    found = nested_split([[[0.0], [10.0]], [[10.0], [0.0]]])
    assert found.case == 0
    found = compare_runs([[0.0, 10], [10.0, 0]], [[0.0, 10], [0.0, 10]])
    assert found.spread.effect == 0


def test_nested_finds_the_truth_with_unequal_numbers():
    chance = random.Random(2)
    splits: list[Split] = []
    for _ in range(300):
        cases: list[list[list[float]]] = []
        for i in range(20):
            level = chance.gauss(60, 4)
            runs = [chance.gauss(level, 3) for _ in range(1 + i % 4)]
            cases.append(
                [[chance.gauss(r, 2) for _ in range(1 + (i + j) % 3)] for j, r in enumerate(runs)]
            )
        splits.append(nested_split(cases))
    # True variances 16, 9 and 4; the mean of 300 estimates is good to about 3 % of them.
    assert sum(s.case for s in splits) / 300 == pytest.approx(16, rel=0.15)
    assert sum(s.run or 0 for s in splits) / 300 == pytest.approx(9, rel=0.15)
    assert sum(s.judge or 0 for s in splits) / 300 == pytest.approx(4, rel=0.15)


def test_paired_finds_the_truth_with_unequal_numbers():
    chance = random.Random(4)
    effects = noises = 0.0
    for _ in range(300):
        first: list[list[float]] = []
        second: list[list[float]] = []
        for i in range(20):
            level, gain = chance.gauss(60, 15), chance.gauss(5, 4)
            first.append([chance.gauss(level + gain, 3) for _ in range(2 + i % 3)])
            second.append([chance.gauss(level, 2) for _ in range(1 + i % 4)])
        split = compare_runs(first, second).spread
        effects += split.effect / 300
        noises += (split.noise or 0) / 300
    assert effects == pytest.approx(16, rel=0.15)
    assert noises == pytest.approx(13, rel=0.15)


def test_crossed_is_the_textbook_icc():
    # The table of Shrout and Fleiss (1979): six subjects, four judges; ICC(2, 1) = 0.29.
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = crossed_split(table)
    assert found.icc == pytest.approx(0.2897637795, rel=1e-8)
    assert found.judge > found.item > found.rest
    assert CrossedSplit(0, 0, 0).icc is None


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="two cases"):
        nested_split([[[1.0]]])
    for table in ([[1.0, 2.0]], [[1.0], [2.0]], [[1.0, 2.0], [3.0]]):
        with pytest.raises(ValueError, match="complete"):
            crossed_split(table)

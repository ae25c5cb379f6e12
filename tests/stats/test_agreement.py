import math
import random

import pytest

from whet.stats.agreement import Weights, agreement, krippendorff_alpha

FIRST = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 2, 2, 3, 3, 4, 5, 5, 1, 1, 3, 4, 2, 5, 3]
SECOND = [1, 2, 3, 4, 4, 2, 2, 3, 5, 5, 2, 3, 3, 2, 4, 5, 4, 1, 1, 3, 3, 2, 5, 5]


@pytest.mark.parametrize(
    ("weights", "kappa", "low", "high"),
    [
        # statsmodels 0.15: cohens_kappa(to_table(...), wt=...)
        ("none", 0.5798687090, 0.3419583433, 0.8177790746),
        ("linear", 0.7528604119, 0.5957686118, 0.9099522120),
        ("quadratic", 0.8733205374, 0.7678153943, 0.9788256806),
    ],
)
def test_agrees_with_statsmodels(weights: Weights, kappa: float, low: float, high: float):
    found = agreement(FIRST, SECOND, weights=weights)
    assert found.kappa == pytest.approx(kappa, rel=1e-9)
    assert found.kappa_interval == pytest.approx((low, high), rel=1e-9)
    assert (found.n, found.share) == (24, 16 / 24)


def test_by_hand():
    # 20 yes-yes, 15 no-no, 5 and 10 mixed: seen 0.7, chance 0.5·0.6 + 0.5·0.4 = 0.5, kappa 0.4
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert agreement(first, second).kappa == pytest.approx(0.4)


def test_total_agreement_is_no_certainty():
    found = agreement(["a", "b"] * 5, ["a", "b"] * 5)
    assert found.kappa == 1
    assert found.kappa_interval == pytest.approx((0.7224672, 1), abs=1e-6)
    one_label = agreement(["a"] * 5, ["a"] * 5)
    assert (one_label.share, one_label.kappa, one_label.kappa_interval) == (1, None, None)


def test_unused_labels_change_linear_weights():
    # With all five labels known, 1 and 2 are near each other; with only two of them, far apart.
    narrow = agreement([1, 2, 5, 5], [2, 1, 5, 5], weights="linear", labels=[1, 2, 3, 4, 5]).kappa
    wide = agreement([1, 2, 5, 5], [2, 1, 5, 5], weights="linear").kappa
    assert narrow is not None
    assert wide is not None
    assert narrow > wide


@pytest.mark.slow
def test_kappa_interval_covers():
    chance = random.Random(12)
    repeats, hits = 2000, 0
    for _ in range(repeats):
        truth = [chance.randrange(3) for _ in range(100)]
        # Each reader keeps the label with 0.8, else draws one: kappa is 0.8 · 0.8.
        first, second = (
            [t if chance.random() < 0.8 else chance.randrange(3) for t in truth] for _ in range(2)
        )
        around = agreement(first, second).kappa_interval
        assert around is not None
        hits += around.low <= 0.64 <= around.high
    assert hits / repeats == pytest.approx(0.95, abs=0.01 + 4 * math.sqrt(0.95 * 0.05 / repeats))


def test_krippendorff_of_his_own_table():
    # The table of Krippendorff (2011), four observers, twelve units; package krippendorff 0.9
    gap = None
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ]
    items = list(zip(*rows, strict=True))
    assert krippendorff_alpha(items) == pytest.approx(0.743421052631579)
    assert krippendorff_alpha(items, "interval") == pytest.approx(0.8491071428571428)


def test_krippendorff_without_anything_to_tell():
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, None], [2]]) is None
    with pytest.raises(ValueError, match="numbers"):
        krippendorff_alpha([["a", "b"]], "interval")


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="no items"):
        agreement([], [])
    with pytest.raises(ValueError, match="shorter"):
        agreement([1, 2], [1])
    with pytest.raises(ValueError, match="labels"):
        agreement([1], [2], labels=[1])

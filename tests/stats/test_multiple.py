import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.stats.multiple import holm, holm_labels

p_values = st.lists(st.floats(0, 1), max_size=12)


def test_agrees_with_statsmodels():
    # statsmodels 0.15: multipletests(method="holm")
    assert holm([0.01, 0.04, 0.03, 0.005, 0.2]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.2])
    assert holm([]) == []
    assert holm([0.03]) == [0.03]


@given(p_values)
def test_never_smaller_never_beyond_bonferroni_and_in_order(values: list[float]):
    adjusted = holm(values)
    for p, new in zip(values, adjusted, strict=True):
        assert p <= new <= min(1.0, p * len(values) * (1 + 1e-12))
    ranked = sorted(range(len(values)), key=lambda i: values[i])
    assert [adjusted[i] for i in ranked] == sorted(adjusted)


def test_verdicts_that_do_not_survive_become_inconclusive():
    labels = holm_labels(
        ["better", "worse", "better", "no_difference", "inconclusive"],
        [0.001, 0.012, 0.03, 0.9, None],
    )
    assert labels == ["better", "worse", "inconclusive", "no_difference", "inconclusive"]


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([1.5])
    with pytest.raises(ValueError, match="as many"):
        holm_labels(["better"], [])

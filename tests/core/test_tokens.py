"""Estimates of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.core.tokens import estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 1), ("words", 2), ("中文字", 2), ("中文", 2), ("ab中文字，", 4)],
)
def test_by_hand(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(st.text(), st.text())
def test_more_text_is_not_less(one: str, other: str) -> None:
    assert estimate(one) <= estimate(one + other) <= estimate(one) + estimate(other)

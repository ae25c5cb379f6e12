"""Texts that a spreadsheet would compute are told from others, and come back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.core.spreadsheet import guarded, unguarded

ACTIVE = "=+-@\t\r\n＝＋－＠"


@given(st.text() | st.text(f"'x{ACTIVE}", max_size=4))
def test_a_guarded_text_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(tuple(ACTIVE))


@pytest.mark.parametrize("text", ["", "a=1", "it's", "'quoted'", "1-2", "平均"])
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert guarded(text) == unguarded(text) == text

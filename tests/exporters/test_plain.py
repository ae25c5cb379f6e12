"""Text from outside is text and nothing else."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.reports import HOSTILE
from whet.exporters.plain import line, page

anything = st.text(st.characters(exclude_categories=()), max_size=300)


def steers(text: str) -> bool:
    return any(
        unicodedata.category(sign) in ("Cc", "Cs") or sign in "\u202e\u2066\u200f\ufffe"
        for sign in text
    )


@given(anything)
def test_a_line_is_one_line_that_steers_nothing(text: str) -> None:
    shown = line(text, 100)
    assert not steers(shown)
    assert len(shown.splitlines()) <= 1
    assert len(shown) <= 100


@given(anything)
def test_a_page_keeps_its_lines(text: str) -> None:
    shown = page(text)
    assert not steers(shown.replace("\n", "").replace("\t", ""))
    shown.encode()


@given(st.text(st.characters(categories=("L", "N", "P", "S")), max_size=100))
def test_what_is_harmless_stays(text: str) -> None:
    assert line(text) == text
    assert page(text) == text


def test_the_usual_attacks() -> None:
    assert line("a\x1b[31mb\x00c\u202ed") == "a\ufffd[31mb\ufffdc\ufffdd"
    assert line("a\r\n\tb\u2028c") == "a b c"
    assert page("a\r\nb\rc\ttab") == "a\nb\nc\ttab"
    assert not steers(line(HOSTILE, 2000))


def test_what_is_cut_off_is_said() -> None:
    assert line("word " * 100, 20) == "word word word word…"
    assert line("x" * 10_000, 20) == "x" * 19 + "…"
    assert line(" " * 10_000 + "x", 20) == "…"
    assert page("x" * 30, 20) == "x" * 20 + "\n[… 10]"
    assert line("x" * 20, 20) == page("x" * 20, 20) == "x" * 20

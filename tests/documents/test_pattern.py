"""Expressions of schemas: they find what the library finds, and take no longer than the text."""

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whet.documents.pattern import Pattern, Unsupported

ATOMS = [
    "a",
    "b",
    "-",
    " ",
    r"\d",
    r"\W",
    r"\s",
    "[ab]",
    "[^a]",
    "[]a]",
    r"[\]b-]",
    ".",
    r"\.",
    "é",
]
PLACES = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
COUNTS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{1,}", "{0}"]


def repeated(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grouped = st.tuples(inner, st.sampled_from(["(", "(?:"])).map(lambda one: f"{one[1]}{one[0]})")
    counted = st.tuples(grouped, st.sampled_from(["", *COUNTS])).map("".join)
    return (
        st.lists(inner, max_size=3).map("".join)
        | st.lists(inner, min_size=2, max_size=3).map("|".join)
        | counted
    )


SIMPLE = st.tuples(st.sampled_from(ATOMS), st.sampled_from(["", *COUNTS])).map("".join)
EXPRESSIONS = st.recursive(SIMPLE | st.sampled_from(PLACES), repeated, max_leaves=8)
TEXTS = st.text(st.sampled_from(["a", "b", "-", " ", "\n", "1", ".", "]", "é", "_"]), max_size=12)


@given(EXPRESSIONS, TEXTS)
def test_it_finds_what_the_library_finds(source: str, text: str) -> None:
    assume(text or r"\B" not in source)  # of no text at all, versions of the library disagree
    assert Pattern(source).search(text) == (re.search(source, text) is not None)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"^\d{4}-\d{2}-\d{2}$", "2024-01-31"),
        (r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", "somebody@example.org"),
        (r"^(?P<major>\d+)\.(?P<minor>\d+)$", "3.11"),
        (r"^x{a}$", "x{a}"),
        (r"^\u00e9\x41\n$", "éA\n"),
        ("", ""),
        ("a|", "b"),
    ],
)
def test_usual_expressions_work(source: str, text: str) -> None:
    assert re.search(source, text)
    assert Pattern(source).search(text)


@pytest.mark.parametrize(
    "source",
    [
        r"^(a+)+$",
        r"^(a|a)*$",
        r"^(a|aa)+$",
        r"(.*a){12}$",
        r"^" + "a?" * 40 + "a" * 40 + "$",
        r"^(\w+\s?)*$",
        r"a*a*a*a*a*c",
    ],
)
def test_what_would_take_for_ever_does_not(source: str) -> None:
    begun = time.thread_time()
    assert not Pattern(source).search("a" * 5_000 + "!")
    assert time.thread_time() - begun < 3


@pytest.mark.parametrize(
    "source",
    [
        r"(?=a)b",
        r"(?!a)b",
        r"(?<=a)b",
        r"(a)\1",
        r"(?i)a",
        r"(?i:a)",
        r"(?P<x>a)(?P=x)",
        r"a++",
        r"(?>a)",
        r"(a){1000}{1000}",
        r"((a{100}){100}){100}",
        "(" * 5_000 + ")" * 5_000,
        "(",
        "[",
        "*",
    ],
)
def test_what_cannot_be_searched_in_time_is_no_expression(source: str) -> None:
    with pytest.raises(Unsupported) as refused:
        Pattern(source)
    assert len(str(refused.value)) < 300


def test_somebody_may_end_a_search() -> None:
    class Enough(Exception):
        pass

    def tick() -> None:
        raise Enough

    with pytest.raises(Enough):
        Pattern("x").search("a", tick)

"""Text as words: what is found is what the rule says, and nothing can be injected."""

import re
import sqlite3
import unicodedata
from collections.abc import Generator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whet.core.text import folded
from whet.stores.index.grams import BARRIER, expression, parts, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("中文代码 is_ok", "中文 文代 代码 码 is ok"),
        ("Ｐｙｔｈｏｎ３", "python3"),
        ("写Go代码v2", "写 go 代码 码 v2"),
        ("Straße É é", "strasse é é"),
        ("", ""),
        ("😀 — “hi”", "hi"),
    ],
)
def test_the_words_of_a_text(text: str, words: str) -> None:
    assert _divided(tokens(text)) == words.split()


@pytest.mark.parametrize(
    ("text", "query", "is_found"),
    [
        ("生成高质量代码", "质量", True),
        ("生成高质量代码", "量", True),
        ("生成高质量代码", "码", True),
        ("生成高质量代码", "高量", False),
        ("Generate clean code", "gen", True),
        ("Generate clean code", "clean gen", True),
        ("Generate clean code", "gen clean", False),
        ("oxygen", "gen", False),
        ("用Python写代码", "python写", True),
        ("用Python写代码", "用py", True),
        ("用Python写代码", "python代码", False),
        ("snake_case", "snake_case", True),
        ("snake and case", "snake_case", False),
        ("ＡＢＣ", "abc", True),
        ("Groß", "GROSS", True),
        (f"one{BARRIER}two", "one-two", False),
        (f"one{BARRIER}two", "one two", True),
        ("a AND b", "AND", True),
        ("plain", '"', False),
    ],
)
def test_what_is_found(text: str, query: str, is_found: object) -> None:
    with _engine() as database:
        assert _found(database, text, query) is is_found
    assert _naive(text, query) is is_found


CHARACTERS = st.sampled_from("中文代码生成ab1 _-\"*'():^+N\ue000Ｐßé😀\n")
TEXTS = st.text(CHARACTERS, max_size=12)


@settings(deadline=None)
@given(text=TEXTS, query=st.text(CHARACTERS, min_size=1, max_size=5))
def test_search_finds_what_a_plain_look_finds(text: str, query: str) -> None:
    with _engine() as database:
        assert _found(database, text, query) == _naive(text, query)


ANY = st.characters(max_codepoint=0xFFFF, exclude_categories=["Cn", "Co", "Mn"])


@settings(deadline=None)
@given(query=st.text(ANY, min_size=1, max_size=30), text=st.text(ANY, max_size=30))
def test_any_script_is_found_as_by_a_plain_look(query: str, text: str) -> None:
    with _engine() as database:
        assert _found(database, text, query) == _naive(text, query)


@settings(deadline=None)
@given(query=st.text(min_size=1, max_size=30))
def test_no_query_breaks_the_language(query: str) -> None:
    with _engine() as database:
        assert not _found(database, "", query)


@settings(deadline=None)
@given(text=st.text(max_size=40))
def test_every_text_is_found_by_any_of_its_words(text: str) -> None:
    for word in re.findall(r"[^\W_]+", folded(text)):
        with _engine() as database:
            assert _found(database, text, word)


class _engine:  # noqa: N801 - reads as a word
    def __enter__(self) -> sqlite3.Connection:
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (body, content = '', tokenize = 'ascii')"
        )
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()


def _found(database: sqlite3.Connection, text: str, query: str) -> bool:
    wanted = parts(query)
    database.execute("INSERT INTO words (rowid, body) VALUES (1, ?)", (_whole(tokens(text)),))
    if not wanted:
        return False
    rows = database.execute("SELECT 1 FROM words WHERE words MATCH ?", (expression(wanted),))
    return rows.fetchone() is not None


def _whole(text: str) -> str:
    return text.encode(errors="replace").decode().replace("\0", " ")


def _divided(text: str) -> list[str]:
    """As the ``ascii`` tokenizer has it."""
    return re.findall(r"[a-z0-9\u0080-\U0010ffff]+", text)


def _naive(text: str, query: str) -> bool:
    """The rule of the module, straight from its words: runs of the text, runs of each part."""
    pieces = [runs for piece in folded(query).split() if (runs := list(_runs(piece)))]
    here = [list(_runs(side)) for side in folded(text).split(BARRIER)]
    return bool(pieces) and all(
        any(
            _fits(runs, side[at : at + len(runs)], is_last=runs is pieces[-1])
            for side in here
            for at in range(len(side))
        )
        for runs in pieces
    )


def _runs(text: str) -> Generator[str]:
    run = ""
    for character in text:
        is_letter = character.isalnum()
        if run and (not is_letter or _is_cjk(character) != _is_cjk(run[0])):
            yield run
            run = ""
        run += character if is_letter else ""
    if run:
        yield run


def _fits(wanted: list[str], here: list[str], *, is_last: bool) -> bool:
    if len(wanted) != len(here):
        return False
    if len(wanted) == 1:
        want, have = wanted[0], here[0]
        if _is_cjk(want[0]) != _is_cjk(have[0]):
            return False
        if _is_cjk(want[0]):
            return want in have
        return have.startswith(want) if is_last else have == want
    head = here[0].endswith(wanted[0]) if _is_cjk(wanted[0][0]) else here[0] == wanted[0]
    loose = _is_cjk(wanted[-1][0]) or is_last
    tail = here[-1].startswith(wanted[-1]) if loose else here[-1] == wanted[-1]
    return head and tail and here[1:-1] == wanted[1:-1]


def _is_cjk(character: str) -> bool:
    name = unicodedata.name(character, "")
    return any(
        script in name
        for script in (
            "CJK",
            "IDEOGRAPH",
            "HIRAGANA",
            "KATAKANA",
            "HANGUL",
            "BOPOMOFO",
            "HANGZHOU",
            "KANA ",
        )
    )

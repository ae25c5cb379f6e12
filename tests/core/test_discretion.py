"""Nothing private is told, everything else stays as it was."""

import re
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.planted import BLOCK, HARMLESS, PLANTED, VALUES, Planted
from whet.core.discretion import MOST, Discretion

MARK = re.compile(r"\[redacted:[a-z-]+-\d+\]")
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=80)


def cleaned(*texts: str, discretion: Discretion | None = None) -> list[str]:
    found = discretion or Discretion()
    found.learn(texts)
    return list(found.texts(texts))


@given(st.lists(st.tuples(HARMLESS, PLANTED, HARMLESS), min_size=1, max_size=4))
def test_no_planted_secret_survives_and_the_rest_stays(
    planted: list[tuple[str, Planted, str]],
) -> None:
    texts = [f"{before}\n{one.text}\n{after}" for before, one, after in planted]
    for text, (before, one, after) in zip(cleaned(*texts), planted, strict=True):
        assert one.secret not in text
        start, end = f"{before}\n{one.before}", f"{one.after}\n{after}"
        assert text.startswith(start)
        assert text.endswith(end)
        assert MARK.fullmatch(text[len(start) : len(text) - len(end)])


@given(st.lists(st.tuples(HARMLESS, PLANTED), max_size=3))
def test_what_is_clean_stays_as_it_is(planted: list[tuple[str, Planted]]) -> None:
    once = cleaned(*(f"{text} {one.text}" for text, one in planted))
    assert cleaned(*once) == once


@given(st.lists(ANYTHING, max_size=6))
def test_any_text_can_be_looked_at(texts: list[str]) -> None:
    assert len(cleaned(*texts)) == len(texts)


@given(st.lists(HARMLESS, max_size=6))
def test_harmless_text_is_the_very_same(texts: list[str]) -> None:
    found = Discretion()
    found.learn(texts)
    assert all(new is old for new, old in zip(found.texts(texts), texts, strict=True))
    assert found.counts == {}


@given(VALUES)
def test_a_secret_that_is_named_once_is_found_everywhere(secret: str) -> None:
    where = [f"API_TOKEN={secret}", f"then {secret}.", f"a\x00{secret}\x00b", f"q={quote(secret)}"]
    after = cleaned(*where, "and another API_TOKEN=q7Zk31TTx90b")
    marks = [MARK.findall(text) for text in after]
    assert marks[0] == marks[1] == marks[2] == marks[3]
    assert marks[4] != marks[0]
    assert after[2] == f"a\x00{marks[0][0]}\x00b"


def test_a_word_is_a_secret_only_where_it_stands_as_one() -> None:
    texts = ["DB_PASSWORD=production", "the production server", "redis://:main@host", "main()"]
    assert cleaned(*texts) == [
        "DB_PASSWORD=[redacted:password-2]",
        "the production server",
        "redis://:[redacted:password-1]@host",
        "main()",
    ]


def test_known_secrets_and_users_are_found_without_a_clue() -> None:
    known = Discretion(secrets=["a plain passphrase"], users=["alice"])
    after = cleaned("say a plain passphrase", "/media/alice/x", "plain", discretion=known)
    assert after == ["say [redacted]", "/media/user/x", "plain"]
    assert known.counts == {"known": 1, "user": 1}


def test_what_was_replaced_is_counted_by_kind() -> None:
    found = Discretion()
    texts = ["https://u:q7Zk31TTx90b@host q7Zk31TTx90b", "/home/alice/x", "password='two2words'"]
    cleaned(*texts, discretion=found)
    assert found.counts == {"home": 1, "password": 3}


@pytest.mark.parametrize("count", [300, MOST + 300])
def test_many_secrets_are_no_trouble(count: int) -> None:
    texts = [f"SERVICE_{n}_TOKEN=q7Zk31TTx90b{n:05} PASSWORD=w{n}" for n in range(count)]
    after = cleaned(*texts)
    assert len({*after}) == len(texts)
    for n, text in enumerate(after):
        assert re.fullmatch(rf"SERVICE_{n}_TOKEN=\[\S+\] PASSWORD=(\[\S+\]|w{n})", text)
        assert f"w{n}" not in text or n < 100, "four letters are a secret, fewer are none"


HOSTILE = (
    "eyJ-",
    "sk-9",
    "ghp_",
    "-",
    f"-----BEGIN {BLOCK}-----",
    'password="',
    "password=",
    "pass",
    "://a:",
    "-u ",
    "--token ",
    "/home/",
    "\\Users\\a b",
    "cookie: ",
    "key\\\\",
    "api_key",
    "%2Fhome%2F",
    "MIIEpAIBAAKCAQEA",
)


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_keeps_it_busy(piece: str) -> None:
    """What takes the square of its length would take minutes here."""
    begun = time.process_time()
    cleaned(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begun < 20

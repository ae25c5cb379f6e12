"""Secrets are found in every form in which they travel, and nothing else is touched."""

import html
import json
import textwrap
import time
from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.redaction import MARK, NOTHING, SHORTEST, Redactor, redactor
from whet.core.step import Called, Ended, Said
from whet.core.usage import Usage

KEY = "key-live-9aF3kQ7zLm2XwT5v"
NASTY = 'p@ss "w/rd\\+é磨 100%&<x>'
NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
PRIVATE = "PRIVATE KEY"
PEM = (
    f"-----BEGIN {PRIVATE}-----\n"
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
    "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n"
    "NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCd\n"
    f"-----END {PRIVATE}-----\n"
)

SECRETS = st.one_of(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=SHORTEST, max_size=60),
    st.text(min_size=SHORTEST, max_size=30),
).filter(lambda text: len(text.strip()) >= SHORTEST and text.strip() not in MARK)
PROSE = st.text(st.characters(codec="utf-8"), max_size=60)

FORMS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "json": lambda text: json.dumps(text)[1:-1],
    "json of json": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    "json, not ascii": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "url": lambda text: quote(text, safe=""),
    "url, slashes kept": quote,
    "url, small digits": lambda text: lower(quote(text, safe="")),
    "url of a form": quote_plus,
    "url twice": lambda text: quote(quote(text, safe=""), safe=""),
    "html": html.escape,
    "hex": lambda text: text.encode().hex(),
    "hex, large": lambda text: text.encode().hex().upper(),
}


Encode = Callable[[bytes], bytes]


def lower(code: str) -> str:
    pieces = code.split("%")
    return "%".join([pieces[0], *(piece[:2].lower() + piece[2:] for piece in pieces[1:])])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("secret", [KEY, NASTY, "short-8!", "日本語の秘密の鍵です", "a!b!c!d!e"])
def test_a_secret_is_found_in_every_form(secret: str, form: str) -> None:
    shown = FORMS[form](secret)
    clean = Redactor([secret])
    assert clean.text(f"before {shown} after") == f"before {MARK} after"
    assert clean.data(f"before {shown} after".encode()) == f"before {MARK} after".encode()


@pytest.mark.slow
@settings(deadline=None)
@given(SECRETS, st.sampled_from(sorted(FORMS)), PROSE, PROSE)
def test_whatever_the_secret_and_whatever_is_around_it(
    secret: str, form: str, before: str, after: str
) -> None:
    secret = secret.strip()
    shown = FORMS[form](secret)
    cleaned = Redactor([secret]).text(f"{before} {shown} {after}")
    assert MARK in cleaned
    assert shown not in cleaned.replace(MARK, "") or shown in before + after


@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("around", range(7))
@pytest.mark.parametrize("secret", [KEY, NASTY, "short-8!", "~~~???>>>~~~???>>>"])
def test_base64_shows_nothing_at_any_alignment(secret: str, around: int, encode: Encode) -> None:
    """Of what is left, a decoder gets at most a letter at each edge."""
    whole = encode(b"u" * around + secret.encode() + b"v" * (7 - around))
    cleaned = Redactor([secret]).data(b"token=" + whole + b";")
    left = cleaned.removeprefix(b"token=").removesuffix(b";")
    assert MARK.encode() in left
    assert len(left) - len(MARK) <= len(whole) - len(secret) * 4 // 3 + 3


@pytest.mark.parametrize("before", range(60, 80))
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    ", "\\n", "\\r\\n"])
def test_base64_is_found_across_lines(before: int, end: str) -> None:
    wrapped = encodebytes(b"x" * before + KEY.encode() + b"y" * 40).decode()
    text = wrapped.strip().replace("\n", end)
    cleaned = Redactor([KEY]).text(text)
    assert MARK in cleaned
    unwrapped = cleaned.replace(end, "")
    assert b64encode(b"x" * before + KEY.encode()).decode()[-12:-4] not in unwrapped


def test_a_large_base64_file_in_narrow_lines() -> None:
    code = b64encode(b"data " * 500 + KEY.encode() + b" data" * 500).decode()
    cleaned = Redactor([KEY]).data("\n".join(textwrap.wrap(code, 76)).encode())
    assert cleaned.count(MARK.encode()) == 1
    assert len(cleaned) > 5000


def test_utf_16_files() -> None:
    cleaned = Redactor([KEY]).data(f"key={KEY};".encode("utf-16"))
    assert KEY.encode("utf-16-le") not in cleaned
    assert MARK.encode() in cleaned


def test_secrets_that_contain_or_overlap_each_other() -> None:
    long, inner, overlapping = "alpha-bravo-charlie", "bravo-charlie", "charlie-delta-echo"
    for secrets in ([long, inner, overlapping], [overlapping, inner, long]):
        clean = Redactor(secrets)
        assert clean.text(f"<{long}>") == f"<{MARK}>"
        assert clean.text(f"<{inner}>") == f"<{MARK}>"
        assert clean.text("<alpha-bravo-charlie-delta-echo>") == f"<{MARK}>"
        assert clean.text(f"{inner},{long}") == f"{MARK},{MARK}"


def test_a_private_key_in_one_piece_and_line_by_line() -> None:
    clean = Redactor([PEM])
    assert clean.text(f"<{PEM.strip()}>") == f"<{MARK}>"
    assert clean.text(json.dumps({"k": PEM.strip()})) == json.dumps({"k": MARK})
    for line in PEM.splitlines()[1:-1]:
        assert clean.text(f"  {line}\r\n") == f"  {MARK}\r\n"
    assert clean.text(PEM.replace("\n", "\r\n")).count(MARK) == 3
    innocent = f"-----BEGIN {PRIVATE}-----"
    assert clean.text(innocent) == innocent


def test_a_line_break_at_the_end_of_a_secret_does_not_hide_it() -> None:
    assert Redactor([KEY + "\n"]).text(KEY) == MARK


def test_what_is_too_short_is_no_secret() -> None:
    assert Redactor(["1234567", "", "   yes   "]).text("1234567 yes") == "1234567 yes"


def test_nested_values_and_names() -> None:
    value = {"a": [{KEY: f"x{KEY}"}, 1, None, 2.5, True], "b": {"c": ({"d": KEY},)}}
    cleaned = Redactor([KEY]).json(value)
    assert cleaned == {
        "a": [{MARK: f"x{MARK}"}, 1, None, 2.5, True],
        "b": {"c": [{"d": MARK}]},
    }


def test_every_field_of_a_step() -> None:
    clean = Redactor([KEY])
    params: Mapping[str, JsonValue] = MappingProxyType({"command": f"echo {KEY}", "list": [KEY]})
    call = clean.step(Called(NOON, KEY, f"mcp__{KEY}", params, f"with {KEY}", KEY))
    assert call == Called(
        NOON,
        MARK,
        f"mcp__{MARK}",
        {"command": f"echo {MARK}", "list": [MARK]},
        f"with {MARK}",
        MARK,
    )
    used = Usage(input_tokens=1)
    end = clean.step(Ended(NOON, KEY, used, error=KEY, conversation=KEY))
    assert end == Ended(NOON, MARK, used, error=MARK, conversation=MARK)
    innocent = Said(NOON, "nothing to see")
    assert clean.step(innocent) is innocent


def test_odd_text_comes_back_as_it_was() -> None:
    clean = Redactor([KEY, "\udcff\udcfe bytes of a locale", "\ud83d half an emoji"])
    assert clean.text("a\ud83d") == "a\ud83d"
    assert clean.text(f"\ud83d{KEY}\udcff") == f"\ud83d{MARK}\udcff"
    assert clean.text("<\udcff\udcfe bytes of a locale>") == f"<{MARK}>"
    assert clean.data(b"<\xff\xfe bytes of a locale>") == f"<{MARK}>".encode()
    assert clean.text("<\ud83d half an emoji>") == f"<{MARK}>"


@settings(deadline=None)
@given(st.lists(SECRETS, max_size=4), st.text(max_size=200))
def test_other_text_stays_as_it_is(secrets: list[str], text: str) -> None:
    low = text.lower()
    if any(secret.strip()[:4].lower() in low for secret in secrets):
        return
    assert Redactor(secrets).text(text) == text
    data = text.encode(errors="surrogatepass")
    assert Redactor(secrets).data(data) == data


@settings(deadline=None)
@given(st.lists(SECRETS, min_size=1, max_size=3), st.lists(PROSE, min_size=2, max_size=4))
def test_twice_is_once(secrets: list[str], prose: list[str]) -> None:
    clean = Redactor(secrets)
    text = "".join(f"{words}{secrets[n % len(secrets)]}" for n, words in enumerate(prose))
    once = clean.text(text)
    if not any(set(MARK) & set(secret) for secret in secrets):
        assert clean.text(once) == once


def test_no_secrets_change_nothing() -> None:
    text = KEY * 3
    assert NOTHING.text(text) is text
    assert NOTHING.data(b"abc") == b"abc"
    assert redactor((KEY,)) is redactor((KEY,))


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 40))
def test_bytes_around_a_secret_survive(noise: bytes, shift: int) -> None:
    clean = Redactor([KEY])
    planted = b"\0" * shift + noise + KEY.encode() + noise
    assert clean.data(planted) == b"\0" * shift + noise + MARK.encode() + noise


def test_a_large_text_without_secrets_takes_no_time() -> None:
    """A hundred times slower than it is still passes; one pass for each form would not."""
    clean = Redactor([f"{n:02}-{KEY}-{n:02}-{KEY[::-1]}" for n in range(10)])
    text = "The quick brown fox jumps over the lazy dog, again and again.\n" * 160_000
    started = time.process_time()
    assert clean.text(text) is text
    assert time.process_time() - started < 5

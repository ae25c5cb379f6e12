"""Secrets inside options of engines: which texts they are, and what is put in their places.

What a variable, a header, a flag or a part of an address is called says whether it is a secret.
Nobody but the server that they are for needs to know any of them, so none is shown or stored.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from whet.core.redaction import MARK, SHORTEST
from whet.core.secret_search import is_random
from whet.core.secret_search import secrets_in as search

SECRET_NAME = re.compile(
    r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTHORIZATION|COOKIE)$"
)
PASSWORD = re.compile(r"://[^/\s:@]*:([^/\s]+)@")
REFERENCE = re.compile(r"whet-secret-[0-9a-f]{32}")
"""What stands in place of a secret in everything that is stored."""

_PRIVATE = frozenset({"env", "environment", "headers", "http_headers"})
"""Members whose members are all secrets, whatever they are called."""

_IN_ADDRESS = re.compile(
    r"(?:PASS|PWD|AUTH|SIG|SIGNATURE|JWT|BEARER|CODE|SESSION|SID)$|" + SECRET_NAME.pattern
)
_USER = re.compile(r"://([^/?#\s:@]+):?@")
_QUERY = re.compile(r"[?&;#]([\w.~%-]+)=([^&;#\s]+)")
_FLAG = re.compile(r"--?[\w-]+")
_GIVEN = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*)\s*[=:]\s*(?!//)(.+)", re.DOTALL)
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|Digest|ApiKey)\s+", re.IGNORECASE)

Replace = Callable[[str, str], str]
"""What is put in place of a secret; it is told where that stands, as ``environment.API_TOKEN``."""


class _Walk(NamedTuple):
    replace: Replace
    private: frozenset[str]


def is_secret_name(name: str) -> bool:
    """Whether a variable, a header or a flag of that name has a secret."""
    return SECRET_NAME.search(_plain(name)) is not None


def replace_secrets(value: JsonValue, replace: Replace, place: str = "") -> JsonValue:
    """The same value with every secret replaced: all variables and headers that a program or a
    server is given, what is called a key or a token, and the secrets in addresses and arguments.

    References of secrets are left as they are.
    """
    return _value(_Walk(replace, _PRIVATE), value, place)


def without_secrets(value: JsonValue, *, references: bool = False) -> JsonValue:
    """The same value to be shown: a mark in place of every secret, and of every reference unless
    those are to be seen."""
    shown = replace_secrets(value, lambda _place, _secret: MARK)
    return shown if references else _marked(shown)


def secrets_in(value: JsonValue) -> Sequence[str]:
    """The texts that must never be stored, whoever comes upon them. A variable or a header that is
    not called a secret is one only if chance made it: ``production`` stays a word."""
    found: list[str] = []

    def take(_place: str, secret: str) -> str:
        found.append(secret)
        if scheme := _SCHEME.match(secret):
            found.append(secret[scheme.end() :])
        return secret

    _value(_Walk(take, frozenset()), value, "")
    for each in _given_values(value):
        bare = _SCHEME.sub("", each, count=1)
        if len(bare) >= SHORTEST and (bare != each or is_random(bare.encode(errors="replace"))):
            found += [each, bare]
    return [*dict.fromkeys(found)]


def all_secrets_in(value: JsonValue) -> Sequence[str]:
    """Every text that is replaced where the value is stored, mere words among them."""
    found: list[str] = []
    replace_secrets(value, lambda _place, secret: found.append(secret) or secret)
    return [*dict.fromkeys((*found, *secrets_in(value)))]


def references_in(value: JsonValue) -> Iterator[tuple[str, str]]:
    """Every reference of a secret, with where it stands."""
    yield from _references(value, "")


def replace_references(
    value: JsonValue, replace: Callable[[str, str], str], place: str = ""
) -> JsonValue:
    """The same value with something else in place of every reference; *replace* is told where it
    stands, and the reference."""
    match value:
        case dict():
            return {
                name: replace_references(each, replace, _below(place, name))
                for name, each in value.items()
            }
        case list():
            return [replace_references(each, replace, place) for each in value]
        case str():
            return REFERENCE.sub(lambda found: replace(place, found[0]), value)
        case _:
            return value


def _plain(name: str) -> str:
    return name.upper().replace("-", "_")


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _value(walk: _Walk, value: JsonValue, place: str) -> JsonValue:
    match value:
        case dict():
            return {
                name: _member(walk, name, each, _below(place, name)) for name, each in value.items()
            }
        case list():
            return [_argument(walk, value, at, place) for at in range(len(value))]
        case str():
            return _text(walk, value, place)
        case _:
            return value


def _member(walk: _Walk, name: str, value: JsonValue, place: str) -> JsonValue:
    if name in walk.private and isinstance(value, dict):
        return {each: _whole(walk, one, _below(place, each)) for each, one in value.items()}
    if is_secret_name(name) and isinstance(value, str):
        return _whole(walk, value, place)
    return _value(walk, value, place)


def _argument(walk: _Walk, values: list[JsonValue], at: int, place: str) -> JsonValue:
    """An argument of a program; what comes after ``--token`` is a secret."""
    value, before = values[at], values[at - 1] if at else None
    follows = isinstance(before, str) and _FLAG.fullmatch(before) and is_secret_name(before)
    if follows and isinstance(value, str) and not _FLAG.fullmatch(value):
        return _whole(walk, value, place)
    return _value(walk, value, place)


def _whole(walk: _Walk, value: JsonValue, place: str) -> JsonValue:
    """A value that is a secret altogether."""
    if not isinstance(value, str):
        return _value(walk, value, place)
    return walk.replace(place, value) if value and not REFERENCE.fullmatch(value) else value


def _text(walk: _Walk, text: str, place: str) -> str:
    """A text with its secrets replaced."""
    pieces: list[str] = []
    end = 0
    for start, stop in sorted(_spans(text)):
        if start >= end and stop > start:
            pieces += (text[end:start], walk.replace(place, text[start:stop]))
            end = stop
    return "".join((*pieces, text[end:])) if pieces else text


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the secrets of a text stand: in addresses, after names, and those that look so."""
    kept = [found.span() for found in REFERENCE.finditer(text)]
    if (given := _GIVEN.fullmatch(text)) and is_secret_name(given[1]):
        found = [given.span(2)]
    else:
        found = [*_in_address(text), *_looking_so(text)]
    return [
        (start, stop)
        for start, stop in found
        if not any(start < end and begin < stop for begin, end in kept)
    ]


def _in_address(text: str) -> Iterator[tuple[int, int]]:
    if "=" in text:
        for part in _QUERY.finditer(text):
            if _IN_ADDRESS.search(_plain(part[1])):
                yield part.span(2)
    if "://" in text:
        yield from (found.span(1) for found in PASSWORD.finditer(text))
        yield from (found.span(1) for found in _USER.finditer(text))


def _looking_so(text: str) -> Iterator[tuple[int, int]]:
    data = text.encode(errors="surrogatepass")
    for one in search(data):
        start = len(data[: one.start].decode(errors="surrogatepass"))
        yield start, start + len(one.value.decode(errors="surrogatepass"))


def _given_values(value: JsonValue) -> Iterator[str]:
    """The values of variables and headers."""
    match value:
        case dict():
            for name, each in value.items():
                if name in _PRIVATE and isinstance(each, dict):
                    yield from (one for one in each.values() if isinstance(one, str))
                yield from _given_values(each)
        case list():
            for each in value:
                yield from _given_values(each)
        case _:
            pass


def _references(value: JsonValue, place: str) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _references(each, _below(place, name))
        case list():
            for each in value:
                yield from _references(each, place)
        case str():
            yield from ((place, found) for found in REFERENCE.findall(value))
        case _:
            pass


def _marked(value: JsonValue) -> JsonValue:
    return replace_references(value, lambda _place, _reference: MARK)

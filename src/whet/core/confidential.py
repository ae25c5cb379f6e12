"""Secrets inside options of engines: which values they are, and the options without them.

What a variable or a header is called says whether it is a secret. Nobody but the server that they
are for needs to know any of them, so none is shown.
"""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from pydantic import JsonValue

from whet.core.redaction import MARK

SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?|AUTHORIZATION)$")
PASSWORD = re.compile(r"://[^/\s:@]*:([^/\s]+)@")

_PRIVATE = frozenset({"env", "environment", "headers", "http_headers"})
_FLAG = re.compile(r"(--?[\w-]+)(=.*)?", re.DOTALL)
_SCHEMES = ("Bearer ", "Basic ", "Token ")


def is_secret_name(name: str) -> bool:
    """Whether a variable, a header or a flag of that name has a secret."""
    return SECRET_NAME.search(name.upper().replace("-", "_")) is not None


def without_secrets(value: JsonValue) -> JsonValue:
    """The same value to be shown: a mark in place of every variable and header that a server is
    given, of what is called a key or a token, and of passwords in addresses."""
    match value:
        case dict():
            return {name: _member(name, each) for name, each in value.items()}
        case list():
            return [_argument(value, at) for at in range(len(value))]
        case str():
            return PASSWORD.sub(lambda found: found[0].replace(found[1], MARK), value)
        case _:
            return value


def secrets_in(value: JsonValue) -> Sequence[str]:
    """The texts that must never be stored, whoever comes upon them."""
    return [*dict.fromkeys(_secrets(value))]


def _member(name: str, value: JsonValue) -> JsonValue:
    if name in _PRIVATE and isinstance(value, dict):
        return dict.fromkeys(value, MARK)
    is_secret = is_secret_name(name) and isinstance(value, str)
    return MARK if is_secret else without_secrets(value)


def _argument(values: list[JsonValue], at: int) -> JsonValue:
    """An argument of a program; ``--token=…``, and what comes after ``--token``, is a secret."""
    value = values[at]
    if _secret_of(values, at) is None:
        return without_secrets(value)
    name, mark, _ = cast("str", value).partition("=")
    return f"{name}={MARK}" if mark and _FLAG.fullmatch(name) else MARK


def _secret_of(values: list[JsonValue], at: int) -> str | None:
    """The secret that an argument has, if it has one."""
    value = values[at]
    if not isinstance(value, str):
        return None
    if (flag := _FLAG.fullmatch(value)) is not None:
        return flag[2][1:] if flag[2] and is_secret_name(flag[1]) else None
    before = values[at - 1] if at else None
    follows = isinstance(before, str) and before.startswith("-") and is_secret_name(before)
    return value if follows else None


def _secrets(value: JsonValue) -> Iterator[str]:
    match value:
        case dict():
            for name, each in value.items():
                if isinstance(each, str) and is_secret_name(name):
                    yield each
                    yield from (each.removeprefix(one) for one in _SCHEMES if each.startswith(one))
                yield from _secrets(each)
        case list():
            for at, each in enumerate(value):
                if (secret := _secret_of(value, at)) is not None:
                    yield secret
                yield from _secrets(each)
        case str():
            yield from PASSWORD.findall(value)
        case _:
            pass

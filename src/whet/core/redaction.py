"""Keeping secrets out of everything that is stored or shown."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TypeVar, cast
from urllib.parse import quote

from whet.core.sieve import Sieve
from whet.core.sized_cache import sized_cache
from whet.core.step import Step

MARK = "[redacted]"
SHORTEST = 8
"""A shorter value is no secret worth the name, and would turn up in innocent text."""

SHORTEST_LINE = 16
"""A line of a private key counts by itself from this length on."""

_BLANKS = b" \t\r\n"
# A line break, also as JSON writes it, with whatever the next line is indented by.
_GAP = rb"(?:\s|\\{1,8}[nrt])*"
_Json = TypeVar("_Json", bound=object)


class Redactor:
    """Replaces secrets by a mark: as they are, and in the forms in which they travel.

    Those are JSON, HTML and URL encoding, also one inside the other, hexadecimal, UTF-16 and
    base64; the last also inside a longer text and broken into lines. A secret that an agent
    disguises on purpose is beyond this.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted({part for secret in secrets for part in _parts(secret)})
        known = [_encoded(secret) for secret in self._secrets]
        encoded = [form for secret in known for form in _base64(secret)]
        plain = [form for secret in self._secrets for form in _anchors(secret)]
        self._anywhere = Sieve([*plain, *encoded])
        self._in_lines = Sieve(encoded)

    @property
    def secrets(self) -> Sequence[str]:
        """What it replaces."""
        return self._secrets

    @cached_property
    def _patterns(self) -> list[re.Pattern[bytes]]:
        return [
            re.compile(pattern)
            for secret in self._secrets
            for pattern in (_spelled(secret), *map(_broken, _base64(_encoded(secret))))
        ]

    @cached_property
    def _wide(self) -> list[re.Pattern[bytes]]:
        wide = (secret.encode("utf-16-le", "surrogatepass") for secret in self._secrets)
        return [re.compile(re.escape(form)) for form in wide]

    def text(self, text: str) -> str:
        """The text without secrets; the same one if there are none."""
        if not self._secrets:
            return text
        data = text.encode(errors="surrogatepass")
        if not self._suspects(data):
            return text
        cleaned = _without(data, self._patterns)
        return text if cleaned is data else cleaned.decode(errors="surrogatepass")

    def data(self, data: bytes) -> bytes:
        """A file without secrets; what is not text is searched all the same."""
        return _without(data, self._patterns + self._wide) if self._suspects(data) else data

    def json(self, value: _Json) -> _Json:
        """A JSON value without secrets, also in the names of its members."""
        return cast("_Json", self._json(value))

    def _json(self, value: object) -> object:
        match value:
            case str():
                return self.text(value)
            case Mapping():
                members = cast("Mapping[str, object]", value)
                return {self.text(name): self._json(item) for name, item in members.items()}
            case Sequence() if not isinstance(value, bytes):
                return [self._json(item) for item in cast("Sequence[object]", value)]
            case _:
                return value

    def step(self, step: Step) -> Step:
        """A step without secrets."""
        if not self._secrets:
            return step
        before = {field.name: getattr(step, field.name) for field in fields(step)}
        after = {name: self.json(value) for name, value in before.items()}
        changed = {name: value for name, value in after.items() if value != before[name]}
        return replace(step, **changed) if changed else step

    def _suspects(self, data: bytes) -> bool:
        """Whether a closer look is worth its time; never wrong when it says no."""
        if not self._secrets:
            return False
        if self._anywhere.catches(data):
            return True
        compact = data.translate(None, _BLANKS)
        if b"\\" in compact:
            compact = re.sub(rb"\\+[nrt]", b"", compact)
        return len(compact) < len(data) and self._in_lines.catches(compact)


def _without(data: bytes, patterns: Iterable[re.Pattern[bytes]]) -> bytes:
    """All that any pattern fits is replaced; secrets may overlap or contain each other."""
    spans = sorted(match.span() for pattern in patterns for match in pattern.finditer(data))
    if not spans:
        return data
    pieces: list[bytes] = []
    end = -1
    for start, stop in spans:
        if start > end:
            pieces += (data[max(end, 0) : start], MARK.encode())
        end = max(end, stop)
    return b"".join((*pieces, data[end:]))


def _parts(secret: str) -> Iterator[str]:
    """A secret and, of one in several lines such as a private key, the lines that say something."""
    trimmed = secret.strip()
    if len(trimmed) < SHORTEST or trimmed in MARK:
        return
    yield trimmed
    if "\n" in trimmed:
        words = (word for word in trimmed.split() if not word.startswith("-----"))
        yield from (word for word in words if len(word) >= SHORTEST_LINE)


def _encoded(text: str) -> bytes:
    """UTF-8; what the environment had that was not, as it was there."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def _anchors(secret: str) -> Iterator[bytes]:
    """What at least one of is in every form but base64."""
    encoded = _encoded(secret)
    yield encoded.hex().encode()
    yield encoded.hex().upper().encode()
    yield secret.encode("utf-16-le", "surrogatepass")
    longest = max(re.findall(rb"[A-Za-z0-9]*", encoded), key=len)
    if len(longest) >= SHORTEST:
        yield longest
        return
    in_json = json.dumps(secret)[1:-1]
    forms = {secret, in_json, json.dumps(secret, ensure_ascii=False)[1:-1], html.escape(secret)}
    forms |= {json.dumps(in_json)[1:-1]}
    for safe in ("", "/", "-._~/:=+", "-._~!*'()"):
        code = quote(encoded, safe=safe)
        forms |= {code, _lower_codes(code), code.replace("%20", "+"), quote(code)}
    yield from (form.encode(errors="surrogatepass") for form in forms)
    yield encoded


def _lower_codes(text: str) -> str:
    return re.sub("%..", lambda code: code[0].lower(), text)


def _spelled(secret: str) -> bytes:
    """A pattern for a secret with any of its characters escaped, and for its hexadecimal code."""
    code = _encoded(secret).hex().encode()
    return b"".join(map(_character, secret)) + b"|(?i:" + code + b")"


_LETTERS = {"\n": b"n", "\r": b"r", "\t": b"t", "\f": b"f", "\b": b"b"}


def _character(char: str) -> bytes:
    if char.isascii() and char.isalnum():
        return char.encode()
    if char == "\\":
        return rb"(?:\\{1,16}|%(?:25){0,2}5[Cc])"
    raw = _encoded(char)
    utf16 = char.encode("utf-16-be", "surrogatepass")
    units = [utf16[at : at + 2].hex().encode() for at in range(0, len(utf16), 2)]
    forms = [
        rb"\\{0,8}" + re.escape(raw),
        re.escape(char.encode(errors="surrogatepass")),
        b"(?i:" + b"".join(rb"\\{1,8}u" + unit for unit in units) + b")",
        b"(?i:" + b"".join(b"%%(?:25){0,2}%02x" % byte for byte in raw) + b")",
    ]
    if char in _LETTERS:
        forms.append(rb"\\{1,8}" + _LETTERS[char])
    if char == " ":
        forms.append(rb"\+")
    if (entity := html.escape(char)) != char:
        forms.append(entity.encode())
    return b"(?:" + b"|".join(forms) + b")"


def _base64(secret: bytes) -> set[bytes]:
    """What of the secret shows in base64, for each of the three places it may start at.

    The characters at the edges depend on the neighbours, so they are left out.
    """
    forms: set[bytes] = set()
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            data = b"\0" * before + secret
            start = -(-before * 8 // 6)
            forms.add(encode(data)[start : len(data) * 8 // 6])
    return forms


def _broken(form: bytes) -> bytes:
    """A pattern for base64 that may go over several lines."""
    return _GAP.join(re.escape(form[at : at + 1]) for at in range(len(form)))


NOTHING = Redactor(())
"""For where there are no secrets."""


@sized_cache(8 * 1024 * 1024, per_character=40)
def redactor(secrets: tuple[str, ...]) -> Redactor:
    """One for each set of secrets: making it takes longer than using it."""
    return Redactor(secrets)

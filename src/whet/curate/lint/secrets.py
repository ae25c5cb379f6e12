"""Rules for secrets. What is found is never repeated in a message."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal

from whet.core.secret_shapes import SHAPES
from whet.curate.lint.finding import Finding, Rule
from whet.curate.lint.folder import File, Skill

SECRET = Rule(
    "SK601",
    "secret",
    "error",
    "A file has what looks like a key, a token or a private key.",
    "Whoever gets the skill gets it, and so does every model that reads the file.",
    "Take it back at its provider, and read it from the environment instead.",
)
SECRET_FILE = Rule(
    "SK602",
    "secret-file",
    "error",
    "A file with a name under which secrets are kept, such as .env or id_rsa.",
    "Whoever gets the skill gets them. It is never packed.",
    "Move it out of the folder; describe what it needs in .env.example.",
)
PERHAPS = Rule(
    "SK603",
    "possible-secret",
    "warning",
    "A long random text is given to something called key, token, secret or password, or is the "
    "password in a web address.",
    "It may be a real one.",
    "Read it from the environment, or use an obvious stand-in such as YOUR_API_KEY.",
)
RULES = (SECRET, SECRET_FILE, PERHAPS)


_GIVEN = re.compile(
    rb"(?i)://[^\s/:@\"'`<>{}$]{1,64}:([^\s/:@\"'`<>{}$]{12,128})@"
    rb"|(?:api[_-]?key|secret|token|passw(?:or)?d)[a-z0-9_-]{0,20}[\"']?[ \t]{0,4}(?::=|=>|[:=])"
    rb"[ \t]{0,4}[\"']([A-Za-z0-9+/=_.-]{20,200})[\"']"
)
_STAND_IN = re.compile(
    rb"(?i)example|your|xxxx|placeholder|dummy|redacted|changeme|password|1234567|abcdef|\.\.\."
)
_FEWEST = 8
"""Different characters in a real secret; a stand-in has fewer."""

_LONGEST = 10_000
_RANDOM = 3.7
"""Bits in each character of what chance made; words and names have fewer."""

_FILES = re.compile(
    r"\.env(?:\..*)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets\.(?:json|ya?ml)"
    r"|.*\.(?:key|p12|pfx|jks|keystore|kdbx|ppk)"
)
_TEMPLATES = (".example", ".sample", ".template", ".dist")


def check(skill: Skill) -> Iterator[Finding]:
    """Secrets in any file, also in those of the skill's own tests."""
    for file in skill.files:
        if is_secret_file(file.path):
            yield SECRET_FILE.at(file.path, "secrets are kept under such a name")
            continue
        yield from _in(file)


def is_secret_file(path: str) -> bool:
    """Whether secrets are kept under such a name."""
    name = PurePosixPath(path).name.lower()
    return not name.endswith(_TEMPLATES) and _FILES.fullmatch(name) is not None


def why_secret(path: str, data: bytes) -> Literal["secret_file", "secret"] | None:
    """Why a file of a skill must not be given away: by its name or by what is in it; None for one
    that may be."""
    if is_secret_file(path):
        return "secret_file"
    return "secret" if secrets_in(data) else None


def secrets_in(data: bytes) -> list[tuple[str, int]]:
    """What each one looks like, and where it begins; stand-ins are none."""
    return sorted(
        (
            (kind.name, found.start())
            for kind in SHAPES
            if kind.anchor in data
            for found in kind.pattern.finditer(data)
            if not _is_stand_in(found[0])
        ),
        key=lambda one: one[1],
    )


def _is_stand_in(text: bytes) -> bool:
    return _STAND_IN.search(text) is not None or len(set(text[-20:])) < _FEWEST


def _is_random(text: bytes) -> bool:
    if (
        _STAND_IN.search(text)
        or not re.search(rb"[0-9]", text)
        or not re.search(rb"[a-zA-Z]", text)
    ):
        return False
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares) >= _RANDOM


def _in(file: File) -> Iterator[Finding]:
    sure = secrets_in(file.data)
    perhaps = [
        found.start(found.lastindex or 0)
        for found in _GIVEN.finditer(file.data)
        if _is_random(found[found.lastindex or 0])
    ]
    places = _places(file.data, sorted({*(start for _, start in sure), *perhaps}))
    for what, start in sure:
        yield SECRET.at(file.path, f"this looks like {what}", *places[start])
    lines = {places[start][0] for _, start in sure}
    for start in perhaps:
        if places[start][0] not in lines:
            yield PERHAPS.at(file.path, "this may be a secret", *places[start])


def _places(data: bytes, starts: list[int]) -> dict[int, tuple[int, int]]:
    """The line and column of each place; a line without end has no columns."""
    found: dict[int, tuple[int, int]] = {}
    line, before = 1, 0
    for start in starts:
        line += data.count(b"\n", before, start)
        before = start
        begin = data.rfind(b"\n", max(0, start - _LONGEST), start) + 1
        near = begin or start <= _LONGEST
        found[start] = (line, len(data[begin:start].decode(errors="replace")) + 1 if near else 1)
    return found

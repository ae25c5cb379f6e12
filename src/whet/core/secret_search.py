"""Secrets in any text, by how they look and by what they are called.

Meant for what leaves the house: it rather takes an innocent text for a secret than the other way
round. It has to be quick on many megabytes: a shape is looked for only where many letters stand
together, and names in lower case, each by a pattern that begins with fixed letters.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from whet.core.secret_shapes import SHAPES, shape
from whet.core.sized_cache import sized_cache

LONGEST_BLOCK = 20_000
"""Bytes of a private key that has an end; without one it ends with its lines."""

LONG = 20
"""What is so long is no word."""

_MARKED = (
    b"ATATT3 CFPAT- CLOJARS_ dckr_pat_ dop_v1_ dp.pt. dp.st. figd_ glptt- glrt- glsa_ GOCSPX- "
    b"gsk_ HRKU- hvs. lin_api_ lsv2_pt_ lsv2_sk_ NRAK- nvapi- pcsk_ PMAK- pplx- pscale_tkn_ "
    b"r8_ rdme_ rubygems_ sbp_ shippo_live_ shpat_ shpss_ sntrys_ sq0atp- sq0csp- tskey- tvly- "
    b"vercel_blob_rw_ whsec_ xai- xapp- ya29."
).split()
_RUN_OF = b"AKID dapi fm2_ jina_ key- nfp_ ntn_ pnu_ pul-".split()
"""Words may begin so, too; then no thirty letters and digits follow in one run."""

_SHAPES = (
    *(one for one in SHAPES if one.anchor != b"PRIVATE KEY"),
    shape("a web token", b"eyJ", rb"eyJ\w{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?"),
    shape("a key", b"_test_", rb"[rs]k_test_[A-Za-z0-9]{20,}", 2),
    shape("a key", b"AGE-SECRET-KEY-1", rb"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    shape("a token", b"SG.", rb"SG\.[\w-]{16,}\.[\w-]{16,}"),
    *(shape("a token", mark, re.escape(mark) + rb"[\w.-]{20,}") for mark in _MARKED),
    *(shape("a token", mark, re.escape(mark) + rb"[A-Za-z0-9]{30,}") for mark in _RUN_OF),
    shape("a key", b"LTAI", rb"LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    shape("a webhook", b"discord.com/api", rb"discord\.com/api/webhooks/[0-9]{15,}/[\w-]{40,}"),
)
_BY_ANCHOR = {
    anchor: [one for one in _SHAPES if one.anchor == anchor]
    for anchor in sorted({one.anchor for one in _SHAPES}, key=len, reverse=True)
}
_ANCHORS = re.compile(b"|".join(map(re.escape, _BY_ANCHOR)))
_REST = re.compile(rb"[A-Za-z0-9_-]*")
_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/:"
_IS_SIGN = bytes(sign in _SIGNS for sign in range(256))
# Written out, so that the engine may skip: a count in braces takes ten times as long.
_RUN = re.compile(b"\x01" * 20 + b"\x01*")

_BEGIN = re.compile(rb"-----begin [a-z0-9 ]{0,40}private key[a-z ]{0,9}-----")
_END = re.compile(rb"-----end [a-z0-9 ]{0,40}private key[a-z ]{0,9}-----")
# Lines of base64 and of headers, with a number in front where a tool has numbered them.
_LINES = re.compile(
    rb"(?:(?:\s|\\[nr])+(?:[0-9]{1,6}[^\w\s+/=]{1,4})?\s{0,8}"
    rb"(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{1,30}: ?[^\n\\]{0,100}))+"
)

_QUOTE = rb"\\{0,8}[\"'`]"
_GIVEN = rb"(?:" + _QUOTE + rb")?[ \t]{0,4}(?::=|=>|===?|[:=>])[ \t]{0,4}"
_QUOTED = _QUOTE + rb"(?P<quoted>[^\x00-\x20\"'`\\<>]{4,4096})" + _QUOTE
_BARE = rb"(?P<bare>[^\x00-\x20\"'`\\<>,;&|(){}\[\]]{4,4096})"
_VALUE = rb"(?:" + _QUOTED + rb"|" + _BARE + rb")"
_BLANK = rb"[ \t]{1,4}(?:" + _QUOTE + rb")?"
_PLAIN = rb"(?P<bare>[a-z0-9._~+/=@#$%^&*!-]{10,512})"
_SAID = "[ \t]{0,2}(?:是|为|：|:|=|=>|＝)?[ \t]{0,2}".encode() + rb"[\"'`]?"
_NAMED_VALUE = (
    _QUOTE + rb"\s{0,8},\s{0,80}" + _QUOTE + rb"value" + _QUOTE + rb"[ \t]{0,4}:[ \t]{0,4}"
)
"""Between the name of a variable and its value, where both are members of an object."""

_MEMBER = re.compile(
    r"(?i)(?:pass(?:w(?:or)?d|phrase|code|wd)?|pwd|secrets?|credentials?|(?P<token>tokens?|cookie)"
    r"|authorization|(?:api|access|account|auth|encryption|master|private|shared|signing)[_ -]?key)"
    r"(?:_?(?:value|base|hash|[0-9]{1,2}))?$"
)
_MORE = rb"(?P<more>[a-z0-9_]{0,20})"
_NUMBERED = re.compile(rb"(?:_?(?:value|base|hash|b64|base64|[0-9]{1,2}))?")
_KEY_OF = re.compile(
    rb"(?:api|access|account|app|auth|aws\w*|client|crypto?|deploy|encryption|licen[cs]e|master"
    rb"|private|secret|service|session|shared|signing|storage|subscription|webhook)[_ -]?$"
)
_REFERENCE = re.compile(
    rb"\$[\w{(]|\{|https?:|\[redacted|%[a-z_]+%|~?/|\.{1,2}/|\.\.\.|-+$|\*+$"
    rb"|(?:process|os|env|config|settings|self|this|ctx|args|options|request|req|props|state)[.\[]"
    rb"|(?:true|false|null|none|nil|undefined|string|str|bytes|text|int|any|required|optional|hidden"
    rb"|bearer|basic|password|passwd|token|secret|key|value|example|placeholder|redacted|x+)$"
)


class Secret(NamedTuple):
    """One that was found."""

    kind: str
    """``private-key``, ``key``, ``password``, ``token`` or ``secret``."""

    value: bytes
    start: int
    """Where it begins."""

    before: bytes = b""
    after: bytes = b""
    """What stands around it and gave it away."""


class _Clue(NamedTuple):
    kind: str
    pattern: re.Pattern[bytes]
    is_meant: Callable[[re.Match[bytes], bytes], bool]
    """Whether a match in lower case, with its value as it stands there, is no code or prose that
    only speaks of such a thing."""


def secrets_in(data: bytes) -> Iterator[Secret]:
    """What looks like a secret, or is called one. A text ends where there is a null byte."""
    lower = data.lower()
    yield from _private_keys(data, lower)
    yield from _shaped(data)
    for clue in _CLUES:
        for found in clue.pattern.finditer(lower):
            start, end = found.span(found.lastgroup or 0)
            whole = data[found.start() : found.end()]
            if not _REFERENCE.match(lower, start, end) and clue.is_meant(found, whole):
                value = data[start:end].rstrip(b".:")
                around = data[found.start() : start], data[start + len(value) : found.end()]
                yield Secret(clue.kind, value, start, *around)


def is_secret(name: str, value: str) -> bool:
    """Whether the member *name* of an object has a secret for its *value*."""
    called = _called(name)
    if called is None or not 4 <= len(value) <= LONGEST_BLOCK:
        return False
    data = value.encode(errors="surrogatepass").lower()
    is_word = called == "token" and len(data) < LONG and not is_random(data)
    return not is_word and not _REFERENCE.match(data)


@sized_cache(1024 * 1024)
def _called(name: str) -> str | None:
    found = _MEMBER.search(name)
    return found and (found.lastgroup or "secret")


def is_random(value: bytes, least: int = 8, bits: float = 2.5) -> bool:
    """Whether chance made it, rather than a person who wrote words."""
    if len(value) < least or not (re.search(rb"[0-9]", value) and re.search(rb"[A-Za-z]", value)):
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares) >= bits


def _private_keys(data: bytes, lower: bytes) -> Iterator[Secret]:
    place = 0
    while found := _BEGIN.search(lower, place):
        # The next one's beginning is no part of it, nor is another text.
        bound = min(len(data), found.end() + LONGEST_BLOCK)
        for other in (b"\x00", b"-----begin "):
            if (at := lower.find(other, found.end(), bound)) >= 0:
                bound = at
        end = _END.search(lower, found.end(), bound)
        lines = end or _LINES.match(data, found.end(), bound)
        place = lines.end() if lines else found.end()
        yield Secret("private-key", data[found.start() : place], found.start())


def _shaped(data: bytes) -> Iterator[Secret]:
    for run in _RUN.finditer(data.translate(_IS_SIGN)):
        end = run.start()
        for anchor in _ANCHORS.finditer(data, *run.span()):
            if anchor.start() < end:
                continue
            for one in _BY_ANCHOR[anchor[0]]:
                found = one.pattern.match(data, max(0, anchor.start() - one.lead), run.end())
                if found is not None:
                    rest = _REST.match(data, found.end())
                    end = rest.end() if rest else found.end()
                    yield Secret("key", data[found.start() : end], found.start())
                    break


def _value(found: re.Match[bytes]) -> bytes:
    return found[found.lastgroup or 0]


def _always(_found: re.Match[bytes], _whole: bytes) -> bool:
    return True


def _random(found: re.Match[bytes], _whole: bytes) -> bool:
    return is_random(_value(found), 8)


def _paired(found: re.Match[bytes], _whole: bytes) -> bool:
    return b"=" in _value(found)


def _given(found: re.Match[bytes], whole: bytes) -> bool:
    """A password may be any word where it is quoted, or given as in a shell or in ``.env``."""
    is_meant = found.lastgroup == "quoted" or _is_set(found, whole) or _is_bare(found)
    return is_meant and _is_named(found)


def _given_token(found: re.Match[bytes], whole: bytes) -> bool:
    """Programs that read text speak of tokens, too."""
    if found.lastgroup != "quoted":
        return _given(found, whole)
    return _is_named(found) and (len(_value(found)) >= LONG or is_random(_value(found)))


def _given_key(found: re.Match[bytes], whole: bytes) -> bool:
    """Most keys are those of tables; a secret one says what it opens."""
    is_secret = _KEY_OF.search(found.string, max(0, found.start() - 24), found.start())
    if is_secret is None:
        is_variable = found.string[found.start() - 1 : found.start()] == b"_"
        return is_variable and whole[:4] == b"KEY=" and is_random(_value(found), 16, 3.0)
    return _given(found, whole)


def _very_random(found: re.Match[bytes], _whole: bytes) -> bool:
    return is_random(_value(found), 10, 3.0)


def _set_in_capitals(_found: re.Match[bytes], whole: bytes) -> bool:
    """As in a shell or in ``.env``, where a value in quotes may have blanks."""
    name, sign, _ = whole.partition(b"=")
    return bool(sign) and name.isupper()


def _is_named(found: re.Match[bytes]) -> bool:
    """``TOKEN_URL`` is no token, unless it looks like one."""
    more = found.groupdict().get("more") or b""
    return _NUMBERED.fullmatch(more) is not None or is_random(_value(found), 12, 3.0)


def _is_set(found: re.Match[bytes], whole: bytes) -> bool:
    name, sign, value = whole.partition(b"=")
    return bool(sign) and name.isupper() and value.lower() == found["bare"]


def _is_bare(found: re.Match[bytes]) -> bool:
    is_call = found.string[found.end() : found.end() + 1] in (b"(", b"[")
    return is_random(_value(found)) and not is_call


def _clue(kind: str, pattern: bytes, is_meant: Callable[[re.Match[bytes], bytes], bool]) -> _Clue:
    return _Clue(kind, re.compile(pattern), is_meant)


_CLUES = (
    # The key of an AWS id, where people put it right beside the id and call it nothing.
    _clue(
        "key",
        rb"a[ks]ia[a-z0-9]{16}(?:[\s,;:|\"']|\\[nrt\"]){1,4}"
        rb"(?P<bare>[a-z0-9/+]{40})(?![a-z0-9/+=])",
        _random,
    ),
    _clue(
        "password",
        rb"://[^\x00-\x20/:@\"'`<>]{0,128}:(?P<bare>[^\x00-\x20/\"'`<>]{1,256})@",
        _always,
    ),
    _clue("password", rb"://(?P<bare>[^\x00-\x20/:@\"'`<>]{16,256})@", _random),
    _clue(
        "password", rb"-u[ \t]{1,8}(?:" + _QUOTE + rb")?[^\x00-\x20:\"']{1,64}:" + _BARE, _random
    ),
    _clue("password", rb"pass(?:w(?:or)?d|phrase|code|wd)?" + _MORE + _GIVEN + _VALUE, _given),
    _clue("password", rb"pwd" + _GIVEN + _VALUE, _given),
    _clue(
        "password",
        rb"pass[a-z]{0,6}=" + _QUOTE + rb"(?P<quoted>[^\x00-\x1f\"'`\\]{4,256})" + _QUOTE,
        _set_in_capitals,
    ),
    _clue("password", rb"passw(?:or)?d(?: is)?" + _BLANK + _PLAIN, _very_random),
    _clue("password", rb"sshpass[ \t]{1,4}-p[ \t]{0,4}(?:" + _QUOTE + rb")?" + _BARE, _always),
    _clue("password", rb"mysql[^\x00\r\n;|&]{1,200}? -p(?P<bare>[^\x00-\x20\"'`]{6,64})", _random),
    _clue("secret", rb"secret[a-z0-9_]{0,20}" + _BLANK + _PLAIN, _very_random),
    _clue("token", rb"token(?: is)?" + _BLANK + _PLAIN, _very_random),
    _clue("key", rb"api[_ -]?key(?: is)?" + _BLANK + _PLAIN, _very_random),
    _clue("token", rb"bot[0-9]{6,12}:(?P<bare>[a-z0-9_-]{30,64})", _random),
    *(
        _clue(kind, name.encode() + _SAID + rb"(?P<bare>[a-z0-9._~+/=@#$%^&*!-]{6,512})", _random)
        for kind, name in (
            ("password", "密码"),
            ("password", "口令"),
            ("key", "密钥"),
            ("token", "令牌"),
        )
    ),
    *(
        _clue("secret", name + _NAMED_VALUE + _QUOTED, _random)
        for name in (b"key", b"token", b"secret", b"password", b"passwd", b"credentials")
    ),
    _clue("token", rb"bearer[ \t]{1,8}(?P<bare>[a-z0-9._~+/=-]{8,4096})", _random),
    *(
        _clue(
            "token",
            name + rb"=(?<=[?&-]" + name + rb"=)(?P<bare>[^\x00-\x20\"'`&<>#]{12,4096})",
            _random,
        )
        for name in (b"sig", b"code", b"signature")
    ),
    _clue(
        "token",
        rb"cookie" + _GIVEN + rb"(?:" + _QUOTE + rb")?(?P<bare>[^\x00\r\n\"'`\\]{6,4096})",
        _paired,
    ),
    _clue(
        "token",
        rb"authorization"
        + _GIVEN
        + rb"(?:"
        + _QUOTE
        + rb")?(?:(?:bearer|basic|token|digest|negotiate) +)?"
        + _BARE,
        _random,
    ),
    _clue("token", rb"token" + _MORE + _GIVEN + _VALUE, _given_token),
    _clue("secret", rb"secret" + _MORE + _GIVEN + _VALUE, _given),
    _clue("secret", rb"credentials?" + _MORE + _GIVEN + _VALUE, _given),
    _clue("key", rb"key" + _MORE + _GIVEN + _VALUE, _given_key),
    _clue(
        "secret",
        rb"--(?<!---)[a-z-]{0,40}(?:token|password|passphrase|secret|api-key|access-key)"
        rb"(?:=|[ \t]{1,8}|" + _QUOTE + rb"[ \t]{0,4},\s{0,40}(?=\\{0,8}[\"']))" + _VALUE,
        _always,
    ),
)

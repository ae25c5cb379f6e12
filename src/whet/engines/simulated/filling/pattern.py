"""A text that a regular expression matches, and whether it is safe to try others.

A pattern comes with a stranger's package. Some take for ever on some texts, so only those of
plain shape are ever tried; a text for the others is made from the pattern itself.
"""

import re
from dataclasses import dataclass

from whet.core.sized_cache import sized_cache
from whet.core.untrusted_regex import compile_untrusted

_LONGEST = 2_000
"""Characters of a pattern that is looked into, and of a text that is made."""

_MOST_OPEN = 3
"""Repetitions without an end; with more of them trying takes too long."""

_LONG = 16
_MOST_EXAMPLES = 40
_EMPTY = frozenset("AZbBz")
_CODES = {"d": "0", "D": "a", "w": "a", "W": "-", "s": " ", "S": "a", "n": "\n", "t": "\t"}
_LETTERS = "aA0-_ ." + "".join(map(chr, range(33, 127))) + "\t\n中é"
_GROUP = re.compile(r"\?(?::|P?<[A-Za-z_]\w*>)")
_COUNT = re.compile(r"\{(?!\})(\d{0,6})(,(\d{0,6}))?\}")
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")


class Unknown(Exception):
    """A pattern that is beyond the agent."""


@dataclass(frozen=True, slots=True)
class _Repeat:
    body: "_Part"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class _Sequence:
    parts: tuple["_Part", ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: tuple["_Part", ...]


_Part = str | _Repeat | _Sequence | _Choice


def example(pattern: str, more: int = 0) -> str:
    """A text that should match, with *more* repetitions than are needed; raises ``Unknown``."""
    text = _made(_parsed(pattern), more)
    if len(text) > _LONGEST:
        raise Unknown
    return text


def matches(pattern: str, text: str) -> bool:
    """Whether it is known to match: by trying where that is safe, else only for an example."""
    if is_plain(pattern):
        return len(text) <= _LONGEST and compile_untrusted(pattern).search(text) is not None
    try:
        return any(example(pattern, more) == text for more in range(_MOST_EXAMPLES))
    except Unknown:
        return False


def is_plain(pattern: str) -> bool:
    """Whether trying it on a text takes next to no time."""
    try:
        part = _parsed(pattern)
    except Unknown:
        return False
    return _open_ends(part) <= _MOST_OPEN and _is_flat(part, inside=False)


@sized_cache(4 * 1024 * 1024, per_character=200)
def _parsed(pattern: str) -> _Part:
    if len(pattern) > _LONGEST:
        raise Unknown
    try:
        compile_untrusted(pattern, "error")
        return _Parser(pattern).choice()
    except (re.error, RecursionError):
        raise Unknown from None


def _made(part: _Part, more: int) -> str:
    match part:
        case str():
            return part
        case _Sequence():
            return "".join(_made(each, more) for each in part.parts)
        case _Choice():
            return _made(part.branches[0], more)
        case _Repeat():
            count = part.least + more if part.most is None else min(part.least + more, part.most)
            body = _made(part.body, more) if count else ""
            if len(body) * count > _LONGEST:
                raise Unknown
            return body * count


def _open_ends(part: _Part) -> int:
    match part:
        case str():
            return 0
        case _Sequence():
            return sum(map(_open_ends, part.parts))
        case _Choice():
            return sum(map(_open_ends, part.branches))
        case _Repeat():
            is_long = part.most is None or part.most > _LONG
            return is_long + _open_ends(part.body)


def _is_flat(part: _Part, *, inside: bool) -> bool:
    """Whether nothing that varies is repeated."""
    match part:
        case str():
            return True
        case _Sequence():
            return all(_is_flat(each, inside=inside) for each in part.parts)
        case _Choice():
            return not inside and all(_is_flat(each, inside=False) for each in part.branches)
        case _Repeat():
            varies = part.least != part.most
            deeper = inside or part.most is None or part.most > 1
            return not (inside and varies) and _is_flat(part.body, inside=deeper)


class _Parser:
    """Reads a pattern that Python has compiled, so what is here is whole."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def choice(self) -> _Part:
        branches = [self._sequence()]
        while self._next() == "|":
            self._at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else _Choice(tuple(branches))

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        while (char := self._next()) and char not in "|)":
            parts.append(self._repeated(self._atom()))
        return _Sequence(tuple(parts))

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _atom(self) -> _Part:
        char = self._next()
        self._at += 1
        match char:
            case "^" | "$":
                return ""
            case ".":
                return "a"
            case "\\":
                return self._escape()
            case "[":
                return self._set()
            case "(":
                return self._group()
            case _:
                return char

    def _escape(self) -> str:
        if found := _HEX.match(self._pattern, self._at):
            self._at = found.end()
            return chr(int(found[1] or found[2], 16))
        char = self._next()
        self._at += 1
        if char in _EMPTY:
            return ""
        if char in _CODES:
            return _CODES[char]
        if char.isalnum():  # a reference to a group, or something rarer
            raise Unknown
        return char

    def _set(self) -> str:
        start = self._at - 1
        self._at += self._next() == "^"
        self._at += self._next() == "]"  # which is never the end where it comes first
        while self._next() != "]":
            self._at += 2 if self._next() == "\\" else 1
            if self._at >= len(self._pattern):
                raise Unknown
        self._at += 1
        letters = compile_untrusted(self._pattern[start : self._at])
        found = next(filter(letters.fullmatch, _LETTERS), None)
        if found is None:
            raise Unknown
        return found

    def _group(self) -> _Part:
        if self._next() == "?":
            found = _GROUP.match(self._pattern, self._at)
            if found is None:  # looks ahead or back, or sets flags
                raise Unknown
            self._at = found.end()
        inner = self.choice()
        self._at += 1
        return inner

    def _repeated(self, part: _Part) -> _Part:
        found = _COUNT.match(self._pattern, self._at)
        match self._next():
            case "*":
                least, most, width = 0, None, 1
            case "+":
                least, most, width = 1, None, 1
            case "?":
                least, most, width = 0, 1, 1
            case "{" if found:
                least = int(found[1] or 0)
                most = least if found[2] is None else int(found[3]) if found[3] else None
                width = len(found[0])
            case _:
                return part
        self._at += width
        if self._next() == "+":  # takes what comes after it, too
            raise Unknown
        self._at += self._next() == "?"
        return _Repeat(part, least, most)

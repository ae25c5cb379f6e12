"""YAML on one line, or on several that mean one: quoted texts, and lists and maps in brackets."""

import re
from dataclasses import dataclass

DEEPEST = 32

_DOUBLE = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_SINGLE = re.compile(r"[^']*(?:''[^']*)*")
_SPACE = re.compile(r"(?:[ \n]|(?<=[ \n])#[^\n]*)*")
_BARE = re.compile(r"(?:[^\s,\[\]{}#:]|:(?![\s,\[\]{}]|\Z)|(?<!\s)#| +(?![\s#,\[\]{}:]|\Z))+")
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_LETTERS = dict(
    zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True)
)
# What a plain text means to those who read YAML 1.1: a number, a date, yes or no, nothing.
_NO_TEXT = re.compile(
    r"~|null|true|false|yes|no|on|off"
    r"|[-+]?(?:0b[01_]+|0x[0-9a-f_]+|0o?[0-7_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*)"
    r"|[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:e[-+]?[0-9]+)?|[-+]?\.inf|\.nan"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t \t].*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Text:
    """A value that is one text."""

    value: str
    is_quoted: bool = False
    is_cut: bool = False
    """Whether a comment follows it on its line."""

    @property
    def is_text(self) -> bool:
        """Whether every reader takes it for a text, and none for a number, a date or nothing."""
        return self.is_quoted or bool(self.value and not _NO_TEXT.fullmatch(self.value))


@dataclass(frozen=True)
class Items:
    """A list."""

    items: "tuple[Value, ...]"


@dataclass(frozen=True)
class Field:
    """A key with its value, and the lines that it takes: from *line* up to *end*."""

    key: str
    value: "Value"
    line: int
    end: int


@dataclass(frozen=True)
class Fields:
    """A map; a key may be there twice."""

    fields: tuple[Field, ...]


Value = Text | Items | Fields


class Unreadable(Exception):
    """What cannot be read, and how many characters into the text it is."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


def quoted_text(text: str, at: int) -> tuple[Text, int]:
    """The quoted text that begins at *at*, and where it ends."""
    mark = text[at]
    found = (_DOUBLE if mark == '"' else _SINGLE).match(text, at + 1)
    end = found.end() if found else at
    if text[end : end + 1] != mark:
        raise Unreadable(at, f"the text that begins with {mark} is never closed")
    raw = text[at + 1 : end]
    if mark == "'":
        return Text(folded(raw.split("\n")).replace("''", "'"), is_quoted=True), end + 1
    try:
        value = _ESCAPE.sub(_letter, _joined(raw))
    except KeyError as error:
        letter = error.args[0]
        raise Unreadable(at, f"\\{letter} means nothing between double quotes") from None
    return Text(value, is_quoted=True), end + 1


def bracketed(text: str, at: int, depth: int = 0) -> tuple[Value, int]:
    """The list or map that begins with the bracket at *at*, and where it ends."""
    if depth > DEEPEST:
        raise Unreadable(at, f"more than {DEEPEST} brackets inside one another")
    closing = "]" if text[at] == "[" else "}"
    items: list[Value] = []
    fields: list[Field] = []
    place = _after_space(text, at + 1)
    while text[place : place + 1] != closing:
        if place >= len(text):
            raise Unreadable(at, f"{text[at]} is never closed")
        value, place = _piece(text, place, depth)
        if closing == "}":
            field, place = _pair(text, place, value, depth)
            fields.append(field)
        else:
            items.append(value)
        place = _after_comma(text, place, closing)
    return (Items(tuple(items)) if closing == "]" else Fields(tuple(fields))), place + 1


def folded(lines: list[str]) -> str:
    """Lines as one text: a line break is a space, and an empty line a line break."""
    if len(lines) == 1:
        return lines[0]
    ends = (lines[0].rstrip(" \t"), *(line.strip(" \t") for line in lines[1:-1]))
    said, gap = ends[0], 0
    for line in (*ends[1:], lines[-1].lstrip(" \t")):
        if not line:
            gap += 1
            continue
        said += ("\n" * gap if gap else " ") + line
        gap = 0
    return said + ("\n" * (gap - 1) if gap > 1 else " " * gap)


def _joined(raw: str) -> str:
    """Double quotes: a backslash before a line break joins without a space."""
    whole = re.sub(r"(?<!\\)((?:\\\\)*)\\\n[ \t]*", r"\1", raw)
    return folded(whole.split("\n"))


def _letter(escape: "re.Match[str]") -> str:
    code = escape[1]
    if len(code) > 1:
        number = int(code[1:], 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise KeyError(code)
        return chr(number)
    return _LETTERS[code]


def _pair(text: str, place: int, key: Value, depth: int) -> tuple[Field, int]:
    if not isinstance(key, Text):
        raise Unreadable(place, "a key must be a text")
    at = _after_space(text, place)
    if text[at : at + 1] != ":":
        raise Unreadable(at, f"after the key {key.value[:40]!r} comes a colon")
    at = _after_space(text, at + 1)
    value: Value = Text("")
    if text[at : at + 1] not in (",", "}", ""):
        value, at = _piece(text, at, depth)
    return Field(key.value, value, 0, 0), at


def _piece(text: str, at: int, depth: int) -> tuple[Value, int]:
    mark = text[at]
    if mark in "[{":
        return bracketed(text, at, depth + 1)
    if mark in "\"'":
        return quoted_text(text, at)
    if mark in "&*!|>%@`":
        raise Unreadable(at, f"a value cannot begin with {mark}; put it in quotes")
    bare = _BARE.match(text, at)
    if bare is None or bare[0] in ("-", "?"):
        raise Unreadable(at, f"{mark!r} is out of place")
    return Text(bare[0]), bare.end()


def _after_comma(text: str, at: int, closing: str) -> int:
    place = _after_space(text, at)
    mark = text[place : place + 1]
    if mark == ",":
        return _after_space(text, place + 1)
    if mark and mark != closing:
        raise Unreadable(place, f"{mark!r} is out of place; a comma or {closing} comes here")
    return place


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at

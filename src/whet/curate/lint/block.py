"""The YAML of a front matter, read strictly: what one agent reads and another does not is told.

Read are maps and lists, by indentation or in brackets, texts that are plain, quoted or a block of
lines, and comments. Anchors, aliases, tags and keys that are no text are not: a SKILL.md has no
use for them, and not every agent knows them.
"""

import re
from typing import NamedTuple

from whet.curate.lint.flow import (
    DEEPEST,
    Field,
    Fields,
    Items,
    Text,
    Unreadable,
    Value,
    bracketed,
    folded,
    quoted_text,
)

_KEY_END = re.compile(r":(?=[ \t]|\Z)")
_HEADER = re.compile(r"([|>])(?:([1-9])[-+]?|[-+]([1-9])?)?(?: *| +#.*)\Z")
_COMMENT = re.compile(r"(?:\A|[ \t])#")
_AFTER = re.compile(r"[ \t]+#")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_NO_KEY = frozenset("#,[]{}&*!|>%@`")
_MOST_BROKEN = 20


class Broken(NamedTuple):
    """What cannot be read, and where; the key is the one of the first level it is below."""

    line: int
    column: int
    reason: str
    key: str | None = None


class _Stop(Exception):
    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(reason)
        self.where = (line, column, reason)


def read(lines: list[str]) -> tuple[Fields, tuple[Broken, ...]]:
    """What the lines say, with lines that count from 0, and what of it cannot be read."""
    broken = [
        Broken(number, control.start(), "a character that YAML does not allow")
        for number, line in enumerate(lines)
        if (control := _CONTROL.search(line))
    ]
    reader = _Reader([_CONTROL.sub("?", line) for line in lines])
    fields: list[Field] = []
    while reader.here < len(lines) and len(broken) < _MOST_BROKEN:
        try:
            fields += reader.mapping(0, 0, most=1).fields
        except _Stop as stop:
            start, key = reader.opened
            broken.append(Broken(*stop.where, key))
            reader.skip_to_key(start + 1)
    return Fields(tuple(fields)), tuple(broken)


class _Reader:
    """A place in the lines that only goes forward."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.here = 0
        self.opened: tuple[int, str | None] = (0, None)
        """Where the entry of the first level begins that is being read, and its key."""

    def mapping(self, indent: int, depth: int, most: int | None = None) -> Fields:
        """The entries at this indentation, at most *most* of them."""
        self._not_too_deep(depth)
        fields: list[Field] = []
        while len(fields) != most and (width := self._width(depth)) is not None:
            if width < indent:
                break
            if width > indent:
                raise _Stop(self.here, width, "this line is indented more than the one above")
            fields.append(self._field(indent, depth))
        return Fields(tuple(fields))

    def skip_to_key(self, line: int) -> None:
        """Go on where something at the left margin looks like a key."""
        self.here = line
        while self.here < len(self._lines):
            text = self._lines[self.here]
            if text[:1] not in ("", " ", "\t", "#", "-") and _KEY_END.search(text):
                return
            self.here += 1

    def _width(self, depth: int) -> int | None:
        """The indentation of the next line that says something; None at the end."""
        while self.here < len(self._lines):
            line = self._lines[self.here]
            if depth == 0:
                self.opened = (self.here, None)
            width = len(line) - len(line.lstrip(" "))
            self._without_tabs(width, width + 1)
            if line[width : width + 1] not in ("", "#"):
                return width
            self.here += 1
        return None

    def _field(self, indent: int, depth: int) -> Field:
        start = self.here
        line = self._lines[start]
        found = _key(line, indent)
        if found is None:
            raise _Stop(
                start, indent, "neither a key with a colon and a space, nor part of a value"
            )
        key, after = found
        self._without_tabs(indent, after)
        if depth == 0:
            self.opened = (start, key)
        value = self._value(after, indent, depth)
        return Field(key, value, start, self.here)

    def _value(self, column: int, indent: int, depth: int) -> Value:
        """The value that begins in this line at *column* or after it, or below."""
        line = self._lines[self.here]
        start = column
        column += len(line[column:]) - len(line[column:].lstrip(" \t"))
        self._without_tabs(start, column)
        mark = line[column : column + 1]
        if mark in ("", "#"):
            self.here += 1
            return self._below(indent, depth)
        if mark in "|>":
            return self._block(column, indent)
        if mark in "\"'[{":
            return self._joined(column, indent, depth)
        if mark in "&*!%@`,]}":
            raise _Stop(self.here, column, f"a value cannot begin with {mark}; put it in quotes")
        if mark in "-?" and line[column + 1 : column + 2] in ("", " ", "\t"):
            raise _Stop(self.here, column, "a list begins in a line of its own")
        return self._plain(column, indent)

    def _below(self, indent: int, depth: int, *, in_list: bool = False) -> Value:
        """The value in the lines below a key; nothing if they are not indented."""
        width = self._width(depth + 1)
        if width is None or width < indent or (width == indent and in_list):
            return Text("")
        line = self._lines[self.here]
        if _is_item(line, width):
            return self._sequence(width, depth + 1)
        if width == indent:
            return Text("")
        if _key(line, width) is not None:
            return self.mapping(width, depth + 1)
        return self._value(width, indent, depth)

    def _sequence(self, indent: int, depth: int) -> Items:
        self._not_too_deep(depth)
        items: list[Value] = []
        while (width := self._width(depth)) is not None:
            line = self._lines[self.here]
            if width < indent or (width == indent and not _is_item(line, width)):
                break
            if width > indent:
                raise _Stop(self.here, width, "this line is indented more than the one above")
            items.append(self._item(line, indent, depth))
        return Items(tuple(items))

    def _item(self, line: str, indent: int, depth: int) -> Value:
        column = indent + 1
        column += len(line[column:]) - len(line[column:].lstrip(" "))
        if line[column : column + 1] in ("", "#"):
            self.here += 1
            return self._below(indent, depth, in_list=True)
        if _is_item(line, column) or _key(line, column) is not None:
            self._lines[self.here] = " " * column + line[column:]
            if _is_item(line, column):
                return self._sequence(column, depth + 1)
            return self.mapping(column, depth + 1)
        return self._value(column, indent, depth)

    def _plain(self, column: int, indent: int) -> Text:
        """A text without quotes; it goes on in lines that are indented more."""
        pieces: list[str] = []
        is_cut = False
        while self.here < len(self._lines):
            line = self._lines[self.here]
            if pieces and line.strip(" \t"):
                column = len(line) - len(line.lstrip(" "))
                if column <= indent or line[column] == "#":
                    break
            comment = _COMMENT.search(line, column)
            text = line[column : comment.start() if comment else len(line)]
            if colon := _KEY_END.search(text.rstrip(" \t")):
                where = column + colon.start()
                reason = "a colon with a space after it needs quotes around the whole value"
                raise _Stop(self.here, where, reason)
            self._without_tabs(column if text else 0, comment.end() if comment else len(line))
            pieces.append(text)
            self.here += 1
            if comment:
                is_cut = True
                break
        while pieces and not pieces[-1].strip(" \t"):
            pieces.pop()
        return Text(folded([piece.strip(" \t") for piece in pieces]), is_cut=is_cut)

    def _joined(self, column: int, indent: int, depth: int) -> Value:
        """A quoted text, or a list or map in brackets, in one line or in several."""
        start = self.here
        text = "\n".join([self._lines[start][column:], *self._lines[start + 1 :]])
        try:
            value, end = quoted_text(text, 0) if text[0] in "\"'" else bracketed(text, 0, depth)
        except Unreadable as trouble:
            raise _Stop(*self._place(start, column, text, trouble.at), trouble.reason) from None
        line, after = self._place(start, column, text, end)
        if isinstance(value, Text):
            self._indented(start + 1, line, indent)
        self.here = line
        rest = self._lines[line][after:]
        self._without_tabs(after, after + len(rest) - len(rest.lstrip(" \t")))
        if rest.strip(" \t") and not _AFTER.match(rest):
            raise _Stop(line, after, "there is more after the closing mark")
        self.here = line + 1
        return value

    def _block(self, column: int, indent: int) -> Text:
        header = _HEADER.match(self._lines[self.here][column:])
        if header is None:
            raise _Stop(self.here, column, "a text that begins with | or > needs quotes")
        given = header[2] or header[3]
        margin = indent + int(given) if given else 0
        self.here += 1
        kept: list[str] = []
        while self.here < len(self._lines):
            line = self._lines[self.here]
            width = len(line) - len(line.lstrip(" "))
            if line.strip(" "):
                if not margin and any(len(blank) > width for blank in kept):
                    raise _Stop(self.here, width, "indented less than the empty line above")
                margin = margin or max(width, indent + 1)
                if width < margin:
                    if width > indent and line[width] != "#":
                        raise _Stop(self.here, width, "indented less than the block it is in")
                    break
            kept.append(line[margin:])
            self.here += 1
        text = folded(kept) if header[1] == ">" and kept else "\n".join(kept)
        return Text(text.strip("\n "), is_quoted=True)

    def _indented(self, first: int, last: int, indent: int) -> None:
        for number in range(first, last + 1):
            line = self._lines[number]
            if line.strip(" \t") and len(line) - len(line.lstrip(" \t")) <= indent:
                raise _Stop(number, 0, "a text in quotes goes on in lines that are indented")

    def _place(self, start: int, column: int, text: str, at: int) -> tuple[int, int]:
        before = text[:at]
        line = before.count("\n")
        return (start + line, at - before.rfind("\n") - 1) if line else (start, column + at)

    def _without_tabs(self, start: int, end: int) -> None:
        tab = self._lines[self.here].find("\t", start, end)
        if tab >= 0:
            raise _Stop(self.here, tab, "a tab; YAML takes only spaces outside of quotes")

    def _not_too_deep(self, depth: int) -> None:
        if depth > DEEPEST:
            raise _Stop(self.here, 0, f"more than {DEEPEST} levels inside one another")


def _is_item(line: str, column: int) -> bool:
    return line[column : column + 1] == "-" and line[column + 1 : column + 2] in ("", " ", "\t")


def _key(line: str, column: int) -> tuple[str, int] | None:
    """The key that begins there, and where its value may begin."""
    mark = line[column]
    if column == 0 and line.startswith(("--- ", "... ")):
        return None
    if mark in "\"'":
        try:
            text, end = quoted_text(line, column)
        except Unreadable:
            return None
        colon = _KEY_END.match(line, len(line) - len(line[end:].lstrip(" \t")))
        return (text.value, colon.end()) if colon else None
    if mark in _NO_KEY or (mark in "-?:" and line[column + 1 : column + 2] in ("", " ", "\t")):
        return None
    colon = _KEY_END.search(line, column)
    if colon is None:
        return None
    key = line[column : colon.start()].rstrip(" \t")
    return None if _COMMENT.search(key) else (key, colon.end())

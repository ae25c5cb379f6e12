"""A JSON text with another value, in which everything that stays the same looks the same.

People lay their suites out by hand. A file that is written anew for one more check would show a
change in every line.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import cast

from pydantic import JsonValue

_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\{[ \t]*\r?\n([ \t]+)")
_DECODER = json.JSONDecoder()

_Piece = tuple[str | None, str]
"""The space that stood before an item or a member, and its text."""


def rewritten(text: str, value: JsonValue) -> str:
    """*text*, which is JSON, changed so that it says *value*."""
    head = _space(text, 0)
    found = _INDENT.match(text, head)
    writer = _Writer(text, found[1] if found else "  ")
    old, end = _decoded(text, head)
    return text[:head] + writer.value(old, head, value, 0) + text[end:]


@dataclass(frozen=True)
class _Child:
    """An item of an array or a member of an object: where it lies and what it says."""

    name: str | None
    start: int
    """Of the item, or of the member's name."""

    at: int
    """Of the value."""

    end: int
    value: JsonValue


class _Writer:
    """Goes through a text and a value side by side."""

    def __init__(self, text: str, indent: str) -> None:
        self._text = text
        self._indent = indent
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def value(self, old: JsonValue, at: int, new: JsonValue, depth: int) -> str:
        """The text of *new*, which stands where *old* stood."""
        if _key(old) == _key(new):
            return self._text[at : _decoded(self._text, at)[1]]
        if isinstance(old, dict) and isinstance(new, dict):
            children = list(_children(self._text, at))
            return f"{{{self._joined(children, self._members(children, new, depth), depth)}}}"
        if isinstance(old, list) and isinstance(new, list):
            children = list(_children(self._text, at))
            return f"[{self._joined(children, self._items(children, new, depth), depth)}]"
        return self._fresh(new, depth)

    def _members(
        self, children: Sequence[_Child], new: Mapping[str, JsonValue], depth: int
    ) -> Iterator[_Piece]:
        known = {child.name: child for child in children}
        for name, value in new.items():
            if (child := known.get(name)) is None:
                yield None, f"{_key(name)}: {self._fresh(value, depth + 1)}"
            else:
                text = self.value(child.value, child.at, value, depth + 1)
                yield self._lead(child), self._text[child.start : child.at] + text

    def _items(
        self, children: Sequence[_Child], new: Sequence[JsonValue], depth: int
    ) -> Iterator[_Piece]:
        """What was changed is written over what it replaces."""
        before = [_key(child.value) for child in children]
        matcher = SequenceMatcher(None, before, [_key(item) for item in new], autojunk=False)
        for _, begin, end, first, last in matcher.get_opcodes():
            replaced = children[begin:end]
            for place, item in enumerate(new[first:last]):
                if place < len(replaced):
                    child = replaced[place]
                    yield self._lead(child), self.value(child.value, child.at, item, depth + 1)
                else:
                    yield None, self._fresh(item, depth + 1)

    def _joined(self, children: Sequence[_Child], pieces: Iterator[_Piece], depth: int) -> str:
        """The inside of an array or object out of its pieces."""
        every = list(pieces)
        if not every:
            return ""
        if children:
            first = self._lead(children[0])
            usual = self._lead(children[-1]) if len(children) > 1 else first or " "
            end = children[-1].end
            tail = self._text[end : _space(self._text, end)]
        else:
            first = usual = self._newline + self._indent * (depth + 1)
            tail = self._newline + self._indent * depth
        leads = [first, *(lead or usual for lead, _ in every[1:])]
        inner = ",".join(lead + piece for lead, (_, piece) in zip(leads, every, strict=True))
        return inner + tail

    def _lead(self, child: _Child) -> str:
        """The space before a child."""
        begin = child.start
        while begin > 0 and self._text[begin - 1] in " \t\r\n":
            begin -= 1
        return self._text[begin : child.start]

    def _fresh(self, value: JsonValue, depth: int) -> str:
        text = json.dumps(value, ensure_ascii=False, indent=self._indent)
        return text.replace("\n", self._newline + self._indent * depth)


def _children(text: str, at: int) -> Iterator[_Child]:
    """What lies in the array or object that begins at *at*."""
    is_object = text[at] == "{"
    place = _space(text, at + 1)
    while text[place] not in "]}":
        start, name = place, None
        if is_object:
            name, place = cast("tuple[str, int]", _decoded(text, place))
            place = _space(text, _space(text, place) + 1)
        value, end = _decoded(text, place)
        yield _Child(name, start, place, end, value)
        place = _space(text, end)
        if text[place] == ",":
            place = _space(text, place + 1)


def _decoded(text: str, at: int) -> tuple[JsonValue, int]:
    decode = cast("Callable[[str, int], tuple[JsonValue, int]]", _DECODER.raw_decode)
    return decode(text, at)


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _key(value: JsonValue) -> str:
    """The same for values that say the same; true is not 1."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)

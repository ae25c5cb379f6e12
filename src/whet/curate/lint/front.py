"""The front matter of a SKILL.md with the places of all that is in it."""

import re
from dataclasses import dataclass, field

from whet.core.front_matter import HEAD
from whet.curate.lint.block import Broken, read
from whet.curate.lint.flow import Field, Items, Text, Value

_OPEN = re.compile(r"---[ \t]*")


@dataclass(frozen=True)
class Front:
    """What a front matter says. Lines count from 1, in the whole text."""

    fields: dict[str, Field]
    """The first of each key."""

    duplicates: tuple[Field, ...]
    broken: tuple[Broken, ...]
    lines: tuple[str, ...]
    """The lines between the marks; the first one is line 2 of the text."""

    body: str = ""
    body_line: int = 1
    missing: str = ""
    """Why there is no front matter at all; empty if there is one."""

    unread: frozenset[str] = field(default_factory=frozenset[str])
    """Keys whose value cannot be read: nobody knows whether it is right."""

    def text(self, key: str) -> str | None:
        """The value of a key if it is a text, without blanks around it."""
        found = self.fields.get(key)
        return found.value.value.strip() if found and isinstance(found.value, Text) else None

    def line(self, key: str) -> int:
        """The line of a key; the first line if there is none."""
        found = self.fields.get(key)
        return found.line if found else 1


def front_of(text: str) -> Front:
    """The front matter of a text whose lines end with a line feed."""
    lines = text.split("\n")
    if not _OPEN.fullmatch(lines[0]):
        return _none(text, "the first line must be ---")
    end = _end(lines)
    if end is None:
        return _none(text, "no second line --- ends it")
    found, broken = read(lines[1:end])
    first: dict[str, Field] = {}
    for one in found.fields:
        first.setdefault(one.key, _moved(one))
    return Front(
        fields=first,
        duplicates=tuple(_moved(one) for one in _duplicates(found, 0)),
        broken=tuple(trouble._replace(line=trouble.line + 2) for trouble in broken),
        lines=tuple(lines[1:end]),
        body="\n".join(lines[end + 1 :]),
        body_line=end + 2,
        unread=frozenset(trouble.key for trouble in broken if trouble.key is not None),
    )


def _none(text: str, missing: str) -> Front:
    return Front({}, (), (), (), body=text, missing=missing)


def _end(lines: list[str]) -> int | None:
    left = HEAD
    for number, line in enumerate(lines):
        if number and _OPEN.fullmatch(line):
            return number
        left -= len(line) + 1
        if left < 0:
            break
    return None


def _moved(one: Field) -> Field:
    return Field(one.key, one.value, one.line + 2, one.end + 2)


def _duplicates(value: Value, line: int) -> list[Field]:
    """Keys that their own map has already, at any level; *line* is for those in brackets."""
    if isinstance(value, Text):
        return []
    if isinstance(value, Items):
        return [one for item in value.items for one in _duplicates(item, line)]
    seen: set[str] = set()
    found: list[Field] = []
    for one in value.fields:
        where = one.line if one.end else line
        if one.key in seen:
            found.append(Field(one.key, one.value, where, where + 1))
        seen.add(one.key)
        found += _duplicates(one.value, where)
    return found

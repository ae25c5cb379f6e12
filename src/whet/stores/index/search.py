"""Full-text search, and the piece of text that shows why something was found."""

import sqlite3
from collections.abc import Sequence

from whet.core.errors import UsageError
from whet.core.text import folded
from whet.ports.entry import BaselineEntry, Hit, Place, SkillEntry
from whet.ports.listing import TextQuery
from whet.stores.index.grams import BARRIER, Part, expression, parts
from whet.stores.index.query import entries, offset_of

LONGEST_QUERY = 1_000
_BEFORE, _AROUND = 40, 160

WEIGHTS = (16, 8, 4, 1)
"""Of a word in the name, in a tag, in the description, and in the content or the cases."""

_COLUMNS = ("name", "tags", "description", "body")
_WHERE = tuple(
    f"bm25(words, {', '.join('1' if other == column else '0' for other in _COLUMNS)}) < 0"
    for column in _COLUMNS
)
"""Whether a column has any part of the query: with all weight on it, the rank is not 0."""


def search(connection: sqlite3.Connection, query: TextQuery) -> tuple[list[Hit], int]:
    """One page of what is found, and how much there is."""
    offset = offset_of(query)
    if len(query.text) > LONGEST_QUERY:
        raise UsageError(f"a query has at most {LONGEST_QUERY} characters")
    wanted = parts(query.text)
    if not wanted or not query.kinds:
        return [], 0
    match = expression(wanted)
    numbers = _ranked(connection, match, query)
    page = numbers[offset : offset + query.page_size]
    return _hits(connection, match, wanted, page), len(numbers)


def _ranked(connection: sqlite3.Connection, match: str, query: TextQuery) -> list[int]:
    kinds = ", ".join("?" * len(query.kinds))
    rows = connection.execute(
        f"SELECT number FROM words JOIN assets ON number = words.rowid"
        f" WHERE words MATCH ? AND kind IN ({kinds}) AND status = coalesce(?, status)"
        f" ORDER BY bm25(words, {', '.join(map(str, WEIGHTS))}), id",
        (match, *query.kinds, query.status),
    )
    return [number for (number,) in rows]


def _hits(
    connection: sqlite3.Connection, match: str, wanted: Sequence[Part], page: Sequence[int]
) -> list[Hit]:
    if not page:
        return []
    chosen = ", ".join("?" * len(page))
    # With its plus the number is only compared: asked for by number, every single one would be
    # searched for again.
    rows = connection.execute(
        f"SELECT rowid, {', '.join(_WHERE)} FROM words"
        f" WHERE words MATCH ? AND +rowid IN ({chosen})",
        (match, *page),
    )
    columns = {
        number: [column for column, is_in in zip(_COLUMNS, flags, strict=True) if is_in]
        for number, *flags in rows
    }
    texts: dict[int, dict[str, str]] = {
        number: dict(zip(_COLUMNS, row, strict=True))
        for number, *row in connection.execute(
            f"SELECT asset, name, tags, description, body FROM shown WHERE asset IN ({chosen})",
            page,
        )
    }
    return [
        Hit(
            entry,
            _places(columns[number], entry),
            snippet(texts[number][columns[number][-1]], wanted),
        )
        for number, entry in zip(page, entries(connection, page), strict=True)
    ]


def _places(columns: Sequence[str], entry: SkillEntry | BaselineEntry) -> tuple[Place, ...]:
    body: Place = "content" if entry.case_count is None else "cases"
    named: dict[str, Place] = {"name": "name", "tags": "tags", "description": "description"}
    return tuple(named.get(column, body) for column in columns)


def snippet(text: str, wanted: Sequence[Part]) -> str:
    """A piece of *text* with the first line in which something is found; plain, on one line."""
    for line in text.replace(BARRIER, "\n").splitlines():
        form = folded(line)
        found = [match.start() for part in wanted if (match := part.needle.search(form))]
        if found:
            return cut(line, min(found))
    return cut(text, 0)


def cut(line: str, at: int) -> str:
    """A piece of *line* around a place."""
    start = max(0, min(at - _BEFORE, len(line) - _AROUND))
    piece = line[start : start + _AROUND]
    plain = "".join(character if character.isprintable() else " " for character in piece)
    before = "…" if start else ""
    after = "…" if start + _AROUND < len(line) else ""
    return before + " ".join(plain.split()) + after

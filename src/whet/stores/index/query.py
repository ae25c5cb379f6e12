"""Lists: which assets, in which order, one page of them."""

import json
import sqlite3
from collections.abc import Iterator, Sequence

from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE, AssetQuery, PackageQuery, SkillQuery
from whet.core.errors import NotFound, UsageError
from whet.core.text import folded, plain_name
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.ports.board import BoardQuery
from whet.ports.entry import BaselineEntry, Entry, SkillEntry, VersionEntry
from whet.ports.index import Broken
from whet.ports.listing import Kind, TextQuery
from whet.stores.index.schema import as_column

SHORTEST_PREFIX = 4
"""Characters of an id below which a beginning is rather a slip of the hand."""

_NAMED = 5
_MOST_TAGS = 100

_OBVIOUS = """
SELECT id, number, name, length(?2) >= ?4 AND substr(id, 1, length(?2)) = ?2 AS is_begun FROM assets
WHERE kind = ?1 AND (is_begun OR (status = 'active' AND folded_name = ?3))
"""
_EVER = """
SELECT assets.id, assets.number FROM versions JOIN assets USING (kind, id)
WHERE kind = ? AND versions.name = ? AND is_listed
"""

_BROKEN = """
SELECT path, problem FROM versions WHERE problem <> ''
UNION ALL
SELECT path, problem FROM projects WHERE problem <> ''
UNION ALL
SELECT path, 'the same project as ' || (
    SELECT min(path) FROM projects AS other WHERE other.id = projects.id AND other.has_results
)
FROM projects
WHERE has_results AND EXISTS (
    SELECT 1 FROM projects AS other
    WHERE other.id = projects.id AND other.has_results AND other.path < projects.path
)
UNION ALL
SELECT path, 'the same version as ' || first FROM twins
ORDER BY path
"""


def page_of(
    connection: sqlite3.Connection, kind: Kind, query: AssetQuery
) -> tuple[list[SkillEntry | BaselineEntry], int]:
    """One page of the assets that fit, and how many there are."""
    offset = offset_of(query)
    where, values = _conditions(kind, query)
    (total,) = connection.execute(f"SELECT count(*) FROM assets WHERE {where}", values).fetchone()
    column = {"name": "folded_name"}.get(query.sort, query.sort)
    numbers = connection.execute(
        f"SELECT number FROM assets WHERE {where} ORDER BY {column} {query.order}, id"
        " LIMIT ? OFFSET ?",
        (*values, query.page_size, offset),
    )
    return entries(connection, [number for (number,) in numbers]), total


def entries(
    connection: sqlite3.Connection, numbers: Sequence[int]
) -> list[SkillEntry | BaselineEntry]:
    """The assets with these numbers, in the same order."""
    rows = connection.execute(
        "SELECT number, kind, entry FROM assets JOIN shown ON asset = number"
        f" WHERE number IN ({', '.join('?' * len(numbers))})",
        numbers,
    )
    by_number = {number: _entry(kind, text) for number, kind, text in rows}
    return [by_number[number] for number in numbers]


def find(connection: sqlite3.Connection, kind: Kind, reference: str) -> SkillEntry | BaselineEntry:
    """The one asset that is meant."""
    found = next((rows for rows in _meant(connection, kind, as_column(reference)) if rows), None)
    if found is None:
        raise NotFound(f"no {kind} {reference[:200]!r} in the library")
    if len(found) > 1:
        ids = ", ".join(sorted(found)[:_NAMED])
        more = ", …" if len(found) > _NAMED else ""
        raise UsageError(f"{reference[:200]!r} is several {kind}s; use an id: {ids}{more}")
    return entries(connection, [*found.values()])[0]


def _meant(connection: sqlite3.Connection, kind: Kind, wanted: str) -> Iterator[dict[str, int]]:
    """Those that a reference may mean, by their ids: the most obvious ones, else others."""
    by_id = "SELECT id, number FROM assets WHERE kind = ? AND id = ?"
    yield dict(connection.execute(by_id, (kind, wanted)))
    name = plain_name(wanted)
    rows = connection.execute(_OBVIOUS, (kind, wanted, folded(name), SHORTEST_PREFIX))
    yield {
        identity: number
        for identity, number, called, is_begun in rows
        if is_begun or plain_name(called) == name
    }
    yield dict(connection.execute(_EVER, (kind, name)))


def broken(connection: sqlite3.Connection) -> list[Broken]:
    """What cannot be read, and what is there twice."""
    return [Broken(path, reason) for path, reason in connection.execute(_BROKEN)]


def offset_of(query: AssetQuery | TextQuery | BoardQuery) -> int:
    """How many come before the page; raises ``UsageError`` for a page that cannot be."""
    return offset(query.page, query.page_size)


def offset(page: int, page_size: int) -> int:
    """The same for a page of anything."""
    if not 1 <= page_size <= LARGEST_PAGE:
        raise UsageError(f"a page has 1 to {LARGEST_PAGE} entries, not {page_size}")
    if not 1 <= page <= LAST_PAGE:
        raise UsageError(f"pages are counted from 1, there is none {page}")
    return (page - 1) * page_size


def _conditions(kind: Kind, query: AssetQuery) -> tuple[str, list[str]]:
    found = ["kind = ?"]
    values: list[str] = [kind]
    narrowed: dict[str, str | None] = {
        "purpose": query.purpose,
        "provider": query.provider,
        "type": query.type if isinstance(query, SkillQuery) else None,
        "status": None if query.status == "all" else query.status,
    }
    for column, value in narrowed.items():
        if value is not None:
            found.append(f"{column} IN (?, ?)")
            values += [as_column(value), as_column(plain_name(value))]
    if isinstance(query, PackageQuery):
        found.append("package IS NOT NULL" if query.package is None else "package = ?")
        values += [] if query.package is None else [as_column(query.package)]
    if len(query.tag) > _MOST_TAGS:
        raise UsageError(f"a list can be narrowed by at most {_MOST_TAGS} tags")
    for tag in {folded(as_column(tag)) for tag in query.tag}:
        found.append("number IN (SELECT asset FROM tags WHERE folded = ?)")
        values.append(tag)
    if keyword := folded(as_column(query.keyword)).strip():
        found.append("(instr(folded_name, ?) OR instr(folded_description, ?))")
        values += [keyword, keyword]
    return " AND ".join(found), values


def _entry(kind: Kind, text: str) -> SkillEntry | BaselineEntry:
    data = json.loads(text)
    meta = data.pop("meta")
    data["tags"] = tuple(data["tags"])
    data["versions"] = tuple(VersionEntry(*version) for version in data["versions"])
    if kind == "skill":
        return Entry(meta=SkillMeta.parse(meta, "index.db"), **data)
    return Entry(meta=BaselineMeta.parse(meta, "index.db"), **data)

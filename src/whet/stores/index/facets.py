"""What assets can be chosen by: the values that active ones have, and how many have each."""

import sqlite3

from whet.ports.facets import Facet, Facets
from whet.ports.listing import Kind

MOST_FACETS = 500
"""Values of one sort that are told."""

_COLUMN = """
SELECT {0}, count(*) AS many FROM assets WHERE kind = ? AND status = 'active'
GROUP BY {0} ORDER BY many DESC, {0} LIMIT ?
"""
_TAGS = """
SELECT folded, value, count(*) FROM tags
WHERE +asset IN (SELECT number FROM assets WHERE kind = ? AND status = 'active')
GROUP BY folded, value ORDER BY folded, value
"""
"""With its plus the asset is only compared: the table is in the order of its groups."""


def facets(connection: sqlite3.Connection, kind: Kind) -> Facets:
    """The purposes, providers and tags of the active assets of a kind."""
    return Facets(
        _column(connection, kind, "purpose"),
        _column(connection, kind, "provider"),
        _tags(connection, kind),
    )


def _column(connection: sqlite3.Connection, kind: Kind, column: str) -> tuple[Facet, ...]:
    rows = connection.execute(_COLUMN.format(column), (kind, MOST_FACETS))
    return tuple(Facet(value, count) for value, count in rows)


def _tags(connection: sqlite3.Connection, kind: Kind) -> tuple[Facet, ...]:
    ways: dict[str, list[Facet]] = {}
    for key, value, count in connection.execute(_TAGS, (kind,)):
        ways.setdefault(key, []).append(Facet(value, count))
    totals = {key: sum(way.count for way in found) for key, found in ways.items()}
    keys = sorted(totals, key=lambda key: (-totals[key], key))[:MOST_FACETS]
    return tuple(
        Facet(max(ways[key], key=lambda way: way.count).value, totals[key]) for key in keys
    )

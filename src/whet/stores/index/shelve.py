"""What lists and search know of one asset, written anew from its newest version."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from pydantic import JsonValue

from whet.core.text import folded
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.ports.entry import VersionEntry
from whet.ports.listing import Kind
from whet.stores.index.folder import Found, read_folder
from whet.stores.index.grams import BARRIER, tokens
from whet.stores.index.schema import as_column, as_seconds

_VERSIONS = """
SELECT number, path, version, updated_at, digest IS NOT NULL AND digest <> first
FROM versions WHERE kind = ? AND id = ? AND is_listed
"""
_PUT_ASSET = """
INSERT INTO assets VALUES (
    :number, :kind, :id, :version, :case_count, :status, :type, :purpose, :provider,
    :created_at, :updated_at, :name, :folded_name, :folded_description, :package
)
"""
_AS_THEY_ARE = ("id", "version", "status", "purpose", "provider", "name")
_PUT_SHOWN = "INSERT INTO shown VALUES (?, ?, ?, ?, ?, ?)"
_PUT_WORDS = "INSERT INTO words (rowid, name, tags, description, body) VALUES (?, ?, ?, ?, ?)"
_DROP_WORDS = (
    "INSERT INTO words (words, rowid, name, tags, description, body)"
    " VALUES ('delete', ?, ?, ?, ?, ?)"
)


def shelve(
    connection: sqlite3.Connection,
    workspace: Path,
    asset: tuple[Kind, str],
    read: Mapping[str, Found],
) -> None:
    """Write the asset anew, or drop it where no version is left; *read* has what is fresh."""
    kind, identity = asset
    number = _take_off(connection, asset)
    versions = _versions(connection, asset)
    if not versions:
        return
    newest = versions[-1]
    path = newest.folder
    found = read.get(path) or read_folder(f"{workspace}/{path}", kind)
    if found.meta is None or found.meta.id != identity:
        return  # it changed since its row was written, which the next look will see
    entry: dict[str, JsonValue] = {
        "meta": found.meta.to_data(),
        "folder": path,
        "tags": [*found.tags.effective],
        "pending_tag_count": sum(tag.status == "pending" for tag in found.tags.auto),
        "content_preview": found.preview,
        "case_count": _case_count(found, kind),
        "is_package": found.is_package,
        "edited_outside": newest.edited_outside,
        "versions": [[*astuple(version)] for version in versions],
    }
    _put(connection, kind, number, found, entry)


def _versions(connection: sqlite3.Connection, asset: tuple[Kind, str]) -> list[VersionEntry]:
    """The oldest first. Where one version lies in two folders, the first by name counts."""
    rows = sorted(connection.execute(_VERSIONS, asset), key=lambda row: row[1].split("/"))
    by_number: dict[int, VersionEntry] = {}
    connection.execute("DELETE FROM twins WHERE kind = ? AND id = ?", asset)
    for number, path, version, updated_at, is_edited in rows:
        one = VersionEntry(version, path, updated_at, bool(is_edited))
        first = by_number.setdefault(number, one)
        if first is not one:
            twin = (path, *asset, first.folder)
            connection.execute("INSERT INTO twins VALUES (?, ?, ?, ?)", twin)
    return [by_number[number] for number in sorted(by_number)]


def _take_off(connection: sqlite3.Connection, asset: tuple[Kind, str]) -> int | None:
    """Forget the asset; returns its number, if it had one, to be used again."""
    row = connection.execute(
        "SELECT number FROM assets WHERE kind = ? AND id = ?", asset
    ).fetchone()
    if row is None:
        return None
    (number,) = row
    texts = connection.execute(
        "SELECT name, tags, description, body FROM shown WHERE asset = ?", row
    ).fetchone()
    connection.execute(_DROP_WORDS, (number, *map(tokens, texts)))
    connection.execute("DELETE FROM shown WHERE asset = ?", row)
    connection.execute("DELETE FROM tags WHERE asset = ?", row)
    connection.execute("DELETE FROM assets WHERE number = ?", row)
    return number


def _put(
    connection: sqlite3.Connection,
    kind: Kind,
    number: int | None,
    found: Found,
    entry: dict[str, JsonValue],
) -> None:
    meta = found.meta
    assert meta is not None
    row = {
        "number": number,
        "kind": kind,
        "case_count": None if found.cases is None else len(found.cases),
        "type": getattr(meta, "type", None),
        "created_at": as_seconds(meta.created_at),
        "updated_at": as_seconds(meta.updated_at),
        "folded_name": folded(as_column(meta.name)),
        "folded_description": folded(as_column(meta.description)),
        "package": _package(meta),
    }
    row |= {key: as_column(getattr(meta, key)) for key in _AS_THEY_ARE}
    asset = connection.execute(_PUT_ASSET, row).lastrowid
    tags = found.tags.effective
    named = {folded(as_column(tag)): as_column(tag) for tag in reversed(tags)}
    rows = [(key, tag, asset) for key, tag in named.items()]
    connection.executemany("INSERT INTO tags VALUES (?, ?, ?)", rows)
    texts = [
        as_column(text) for text in (meta.name, BARRIER.join(tags), meta.description, found.body)
    ]
    connection.execute(_PUT_SHOWN, (asset, json.dumps(entry), *texts))
    connection.execute(_PUT_WORDS, (asset, *map(tokens, texts)))


def _package(meta: SkillMeta | BaselineMeta) -> str | None:
    """What an installed job package calls itself; what has a version only is called as it is."""
    if isinstance(meta, BaselineMeta) or meta.package_version is None:
        return None
    return as_column(meta.package_id or meta.name)


def _case_count(found: Found, kind: Kind) -> int | None:
    if kind == "skill":
        return None
    return len(found.cases) if found.cases is not None else getattr(found.meta, "case_count", None)

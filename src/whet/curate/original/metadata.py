"""Metadata of an asset, made whole from whatever is left of it."""

import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.naming import short, slug
from whet.curate.original.report import Notebook
from whet.curate.segments import segment
from whet.documents.assets import HistoryRecord

AssetKind = Literal["skill", "baseline"]

_VERSION = re.compile(r"v[1-9][0-9]{0,8}")
_UNFIT = re.compile(r"[/\\\x00-\x1f\ud800-\udfff]")
_LONGEST_ID = 200


@dataclass(frozen=True)
class Place:
    """What is known of an asset beside its metadata."""

    kind: AssetKind
    folder: Path
    now: str
    records: tuple[HistoryRecord, ...] = ()
    known: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Full id and name by short id, as projects tell them."""

    case_count: int | None = None


def number_of(version: str) -> int:
    """The number in ``v3``; 0 where there is none."""
    return int(version[1:]) if _VERSION.fullmatch(version) else 0


def mended(raw: Mapping[str, JsonValue], place: Place, notebook: Notebook) -> dict[str, JsonValue]:
    """*raw* with every field as the format wants it; each change is noted."""
    fixed: dict[str, JsonValue] = dict(raw)
    for name, is_right, instead in _rules(raw, place):
        if not is_right(raw.get(name)):
            fixed[name] = instead
            notebook.changed(place.folder / "meta.json", name, raw.get(name), instead)
    return fixed


def fit_segment(value: JsonValue, fallback: str) -> str:
    """*value* as a purpose or provider: itself, else in plain letters, else the *fallback*."""
    for candidate in (value, slug(value, "") if isinstance(value, str) else "", fallback):
        if isinstance(candidate, str) and is_segment(candidate):
            return candidate
    return "general"


def is_segment(value: JsonValue) -> bool:
    """Whether a folder can be called so."""
    try:
        return isinstance(value, str) and segment(value, "it") == value
    except UsageError:
        return False


Rule = tuple[str, Callable[[JsonValue], bool], JsonValue]


def _rules(raw: Mapping[str, JsonValue], place: Place) -> Iterator[Rule]:
    """Field by field: what is right, and what to put instead of what is not."""
    folder = place.folder
    id8 = folder.name.removeprefix(f"{place.kind}_").rpartition("_")[0]
    own = f"{place.kind}/{folder.parent.parent.name}/{folder.parent.name}/{folder.name}"
    identity, name = place.known.get(id8, (str(uuid.uuid5(uuid.NAMESPACE_URL, own)), folder.name))
    yield "id", _is_id, identity
    yield "name", _is_filled, name
    for text in ("description", "author", "source"):
        yield text, _is_text_or_missing(text, raw), ""
    purpose, provider = folder.parent.parent.name, folder.parent.name
    yield "purpose", is_segment, fit_segment(raw.get("purpose"), purpose)
    yield "provider", is_segment, fit_segment(raw.get("provider"), provider)
    if place.kind == "skill":
        yield "type", lambda value: value in ("skill", "agent") or "type" not in raw, "skill"
    newest = max((number_of(record.to_version) for record in place.records), default=0) or 1
    yield "version", _is_version, f"v{newest}"
    version = raw.get("version")
    number = number_of(version) if isinstance(version, str) and _is_version(version) else newest
    yield "version_count", _is(number), number
    if place.kind == "skill":
        yield "content_file", _is("content.txt"), "content.txt"
    else:
        yield "case_count", _is(place.case_count), place.case_count
    yield "status", lambda value: value in ("active", "archived"), "active"
    times = sorted(record.timestamp for record in place.records if record.timestamp)
    said = [raw[key] for key in ("created_at", "updated_at") if _is_filled(raw.get(key))]
    moments: list[JsonValue] = [*times, *said, place.now]
    yield "created_at", _is_filled, moments[0]
    yield "updated_at", _is_filled, times[-1] if times else moments[0]


def _is_id(value: JsonValue) -> bool:
    return (
        isinstance(value, str)
        and value.strip() not in ("", ".", "..")
        and len(value.encode(errors="replace")) <= _LONGEST_ID
        and not _UNFIT.search(value)
        and is_segment(f"id_{short(value)}_v1")
    )


def _is_filled(value: JsonValue) -> bool:
    return isinstance(value, str) and value != ""


def _is_version(value: JsonValue) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def _is_text_or_missing(name: str, raw: Mapping[str, JsonValue]) -> Callable[[JsonValue], bool]:
    return lambda value: isinstance(value, str) or name not in raw


def _is(wanted: JsonValue) -> Callable[[JsonValue], bool]:
    return lambda value: value == wanted and type(value) is type(wanted)

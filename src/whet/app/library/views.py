"""Assets as HTTP and the command line show them."""

import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue

from whet.app.library.library import Library
from whet.app.library.requests import SearchRequest
from whet.app.library.tags import Labels, labelled
from whet.core.asset_query import AssetQuery
from whet.core.errors import WhetError
from whet.core.value import Value
from whet.curate import snapshot, tags
from whet.curate.holding import Holding
from whet.curate.snapshot import AnyAsset, BaselineSnapshot, SkillSnapshot
from whet.curate.versions import history_of
from whet.documents.assets import Provenance
from whet.documents.base import Document
from whet.ports.entry import BaselineEntry, Hit, Place, SkillEntry
from whet.ports.index import Broken
from whet.ports.listing import Page, TextQuery


class AssetItem(Value):
    """An asset in a list."""

    id: str
    name: str
    purpose: str
    provider: str
    type: Literal["skill", "agent", "baseline"]
    version: str
    status: Literal["active", "archived"]
    description: str
    author: str
    source: str
    tags: tuple[str, ...]
    """Those in force."""

    pending_tag_count: int
    created_at: str
    updated_at: str
    content_preview: str
    case_count: int | None
    """None for a skill."""

    is_package: bool
    edited_outside: bool
    path: str
    """Of the newest version's folder."""

    test_summary: dict[str, JsonValue] | None = Field(serialization_alias="testSummary")
    """How the skill did in projects; None without any, and for a baseline."""


class AssetPage(Value):
    """Some of *total* assets, in order; pages begin with 1."""

    items: tuple[AssetItem, ...]
    total: int
    page: int
    page_size: int
    broken_count: int
    """Folders of this kind with something in them that cannot be read."""


class HitItem(Value):
    """An asset in which something was found."""

    asset: AssetItem
    matched_in: tuple[Place, ...]
    snippet: str


class HitPage(Value):
    """Some of *total* assets in which something was found, the best first."""

    items: tuple[HitItem, ...]
    total: int
    page: int
    page_size: int


class VersionItem(Value):
    """One version of an asset."""

    version: str
    updated_at: str
    path: str
    changed_fields: tuple[str, ...]
    """Since the version before; empty for the first."""

    edited_outside: bool


class PackageFile(Value):
    """A file of a package."""

    path: str
    size: int
    is_executable: bool


class AssetDetail(Value):
    """A version of an asset, with all that belongs to it."""

    asset: AssetItem
    version: str
    """The one that is shown here."""

    path: str
    meta: dict[str, JsonValue]
    content: str | None
    """Of a skill; of a package the text of its SKILL.md."""

    files: tuple[PackageFile, ...] | None
    """Of a package."""

    cases: tuple[dict[str, JsonValue], ...] | None
    """Of a baseline."""

    rubric: JsonValue
    labels: Labels
    versions: tuple[VersionItem, ...]
    provenance: dict[str, JsonValue] | None
    """Of a skill that was recomposed from others."""

    problems: tuple[str, ...]
    """Versions and records that cannot be read, and why."""


class BrokenList(Value):
    """Folders of the library with something in them that cannot be read."""

    broken: tuple[Broken, ...]


class VersionList(Value):
    """Every version of an asset, the newest first."""

    versions: tuple[VersionItem, ...]
    problems: tuple[str, ...]
    """What cannot be read, and why."""


def page(library: Library, query: AssetQuery) -> AssetPage:
    """One page of assets."""
    index = library.index
    found: Page[SkillEntry] | Page[BaselineEntry] = (
        index.skills(query) if library.kind == "skill" else index.baselines(query)
    )
    return AssetPage(
        items=_items(library, found.items),
        total=found.total,
        page=found.page,
        page_size=found.page_size,
        broken_count=len(broken(library).broken),
    )


def broken(library: Library) -> BrokenList:
    """What of this kind cannot be read, and why."""
    folder = f"{library.kind}s"
    found = (one for one in library.index.broken() if one.path.split("/")[0] == folder)
    return BrokenList(broken=tuple(found))


def hits(library: Library, wanted: SearchRequest) -> HitPage:
    """One page of what is found in any text of the assets."""
    query = TextQuery(wanted.q, (library.kind,), page=wanted.page, page_size=wanted.page_size)
    found: Page[Hit] = library.index.search(query)
    items = _items(library, [hit.entry for hit in found.items])
    return HitPage(
        items=tuple(
            HitItem(asset=item, matched_in=hit.matched_in, snippet=hit.snippet)
            for item, hit in zip(items, found.items, strict=True)
        ),
        total=found.total,
        page=found.page,
        page_size=found.page_size,
    )


def detail(library: Library, reference: str, version: str | None = None) -> AssetDetail:
    """A version of an asset, the newest unless *version* says which."""
    entry, held = _known(library, reference)
    asset = held.version(version) if version else held.newest
    shown = snapshot.read(asset)
    listed = _versions(library, entry, held)
    provenance, unread = _provenance(asset)
    is_skill = isinstance(shown, SkillSnapshot)
    document = shown.document if isinstance(shown, BaselineSnapshot) else None
    return AssetDetail(
        asset=_items(library, [entry])[0],
        version=asset.meta.version,
        path=str(asset.folder),
        meta=_data(asset.meta),
        content=shown.content.decode(errors="replace") if is_skill else None,
        files=_files(shown) if is_skill and shown.package is not None else None,
        cases=tuple(map(_data, document.cases)) if document else None,
        rubric=_data(document).get("rubric") if document else None,
        labels=labelled(entry.meta, tags.load(held.versions[-1].folder)),
        versions=listed.versions,
        provenance=provenance,
        problems=(*held.problems, *listed.problems, *unread),
    )


def versions(library: Library, reference: str) -> VersionList:
    """Every version, the newest first, and what could not be read."""
    return _versions(library, *_known(library, reference))


def _known(library: Library, reference: str) -> tuple[SkillEntry | BaselineEntry, Holding]:
    """An asset as the index and the files have it; where another program wrote a version, the
    index may not know it yet."""
    entry = library.entry(reference)
    held = library.holding(entry.meta.id)
    if held.versions[-1].meta.version != entry.meta.version:
        library.index.refresh()
        entry = library.entry(entry.meta.id)
    return entry, held


def _versions(library: Library, entry: SkillEntry | BaselineEntry, held: Holding) -> VersionList:
    history = history_of(held)
    changed = {record.to_version: record.changed_fields for record in history.records}
    items = tuple(
        VersionItem(
            version=one.version,
            updated_at=one.updated_at,
            path=str(library.workspace / one.folder),
            changed_fields=changed.get(one.version, ()),
            edited_outside=one.edited_outside,
        )
        for one in reversed(entry.versions)
    )
    return VersionList(versions=items, problems=history.problems)


def _items(
    library: Library, entries: Sequence[SkillEntry | BaselineEntry]
) -> tuple[AssetItem, ...]:
    tested: Mapping[str, Document] = {}
    if library.kind == "skill":
        tested = library.index.test_summaries([entry.meta.id for entry in entries])
    return tuple(_item(library.workspace, entry, tested.get(entry.meta.id)) for entry in entries)


def _item(workspace: Path, entry: SkillEntry | BaselineEntry, tested: Document | None) -> AssetItem:
    meta = entry.meta
    kind: Literal["skill", "agent", "baseline"] = getattr(meta, "type", "baseline")
    return AssetItem(
        id=meta.id,
        name=meta.name,
        purpose=meta.purpose,
        provider=meta.provider,
        type=kind,
        version=meta.version,
        status=meta.status,
        description=meta.description,
        author=meta.author,
        source=meta.source,
        tags=entry.tags,
        pending_tag_count=entry.pending_tag_count,
        created_at=meta.created_at,
        updated_at=meta.updated_at,
        content_preview=entry.content_preview,
        case_count=entry.case_count,
        is_package=entry.is_package,
        edited_outside=entry.edited_outside,
        path=str(workspace / entry.folder),
        test_summary=_data(tested) if tested else None,
    )


def _files(shown: SkillSnapshot) -> tuple[PackageFile, ...]:
    return tuple(
        PackageFile(path=path, size=len(data), is_executable=path in shown.executables)
        for path, data in (shown.package or {}).items()
    )


def _provenance(asset: AnyAsset) -> tuple[dict[str, JsonValue] | None, tuple[str, ...]]:
    """What is on record, and why it cannot be read: that hides nothing else."""
    path = asset.folder / "provenance.json"
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None, ()
        return _data(Provenance.load(path)), ()
    except OSError:
        return None, ()
    except WhetError as error:
        return None, (str(error),)


def _data(document: Document) -> dict[str, JsonValue]:
    data = document.to_data()
    return data if isinstance(data, dict) else {}

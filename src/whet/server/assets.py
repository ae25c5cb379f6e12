"""What skills and baselines have in common: search, look, go back, put away."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import JsonValue

from whet.app.library import views
from whet.app.library.library import Shelved
from whet.app.library.requests import SearchRequest
from whet.app.library.views import AssetDetail, BrokenList, HitPage, VersionList
from whet.core.text_patterns import VersionName
from whet.core.value import RequestModel, Value
from whet.curate.difference import Difference
from whet.ports.facets import Facets
from whet.server.shelves import AtShelf, Expected, Reference, Version

router = APIRouter()


class RecordList(Value):
    """What each edit of an asset changed, the oldest first."""

    records: tuple[dict[str, JsonValue], ...]
    problems: tuple[str, ...]
    """What cannot be read, and why."""


class Rollback(RequestModel):
    """Which version is to come back."""

    version: VersionName
    expected_version: Expected


@router.get("/search")
def search(words: Annotated[SearchRequest, Query()], shelf: AtShelf) -> HitPage:
    """Find words in names, tags, descriptions, contents and cases; the best hits come first."""
    return views.hits(shelf, words)


@router.get("/facets")
def facets(shelf: AtShelf) -> Facets:
    """Tell the purposes, providers and tags that there are, each with how many assets have it."""
    return shelf.index.facets(shelf.kind)


@router.get("/broken")
def broken(shelf: AtShelf) -> BrokenList:
    """List what cannot be read, and why."""
    return views.broken(shelf)


@router.get("/{reference}")
def one(reference: Reference, shelf: AtShelf, version: Version = None) -> AssetDetail:
    """Show a version of one, with all that belongs to it."""
    return views.detail(shelf, reference, version)


@router.get("/{reference}/versions")
def versions(reference: Reference, shelf: AtShelf) -> VersionList:
    """List the versions of one."""
    return views.versions(shelf, reference)


@router.get("/{reference}/diff")
def diff(
    reference: Reference,
    shelf: AtShelf,
    left: Annotated[VersionName, Query(description="A version, such as v1.")],
    right: Annotated[VersionName, Query(description="Another one.")],
) -> Difference:
    """Compare any two versions of one."""
    return shelf.difference(reference, left, right)


@router.get("/{reference}/history")
def history(reference: Reference, shelf: AtShelf) -> RecordList:
    """Tell what each edit changed, with what was there before and after."""
    found = shelf.history(reference)
    records = (record.to_data() for record in found.records)
    return RecordList(
        records=tuple(record for record in records if isinstance(record, dict)),
        problems=found.problems,
    )


@router.post("/{reference}/rollback")
def rollback(reference: Reference, wanted: Rollback, shelf: AtShelf) -> Shelved:
    """Make what an older version said the next one."""
    return shelf.rollback(reference, wanted.version, wanted.expected_version)


@router.post("/{reference}/adopt")
def adopt(reference: Reference, shelf: AtShelf) -> Shelved:
    """Make what somebody wrote into the newest version's folder the next version."""
    return shelf.adopt(reference)


@router.post("/{reference}/archive")
def archive(reference: Reference, shelf: AtShelf) -> Shelved:
    """Put one out of the way; nothing is deleted."""
    return shelf.set_status(reference, "archived")


@router.post("/{reference}/restore")
def restore(reference: Reference, shelf: AtShelf) -> Shelved:
    """Take an archived one back."""
    return shelf.set_status(reference, "active")

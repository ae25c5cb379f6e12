"""``…/{reference}/tags`` of skills and baselines."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from whet.app.library import tags
from whet.app.library.tags import Labels, TagReview
from whet.core.text_patterns import LINE, fits
from whet.core.value import RequestModel
from whet.server.shelves import AtShelf, Reference

router = APIRouter(prefix="/{reference}/tags")

# A tag may have a slash in it.
_TAG = "/{tag:path}"
Tag = Annotated[str, Path(description="The tag's id, the beginning of that, or its wording.")]


class Wording(RequestModel):
    """A tag in words."""

    value: Annotated[str, fits(LINE)]


class Reviews(RequestModel):
    """What a person says to proposed tags."""

    reviews: tuple[TagReview, ...] = Field(min_length=1)


@router.get("")
def every(reference: Reference, shelf: AtShelf) -> Labels:
    """List all tags, those that wait for a review and rejected ones included."""
    return tags.labels(shelf, reference)


@router.post("")
def add(reference: Reference, tag: Wording, shelf: AtShelf) -> Labels:
    """Add a tag."""
    return tags.add(shelf, reference, [tag.value])


@router.post("/review")
def review(reference: Reference, said: Reviews, shelf: AtShelf) -> Labels:
    """Approve, reject or put better what a model proposed; all of it or, where one cannot be,
    none."""
    return tags.review(shelf, reference, said.reviews)


@router.patch(_TAG)
def rename(reference: Reference, tag: Tag, wording: Wording, shelf: AtShelf) -> Labels:
    """Put a tag that holds into other words."""
    return tags.rename(shelf, reference, tag, wording.value)


@router.delete(_TAG)
def remove(reference: Reference, tag: Tag, shelf: AtShelf) -> Labels:
    """Take a tag away; one that a model proposed is rejected and stays on record."""
    return tags.remove(shelf, reference, tag)

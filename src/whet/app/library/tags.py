"""The tags of an asset: a person's own, and what a person says to proposed ones."""

from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from whet.app.library.library import Library
from whet.core.errors import NotFound, UsageError
from whet.core.text import folded
from whet.core.value import Value
from whet.curate import tags
from whet.curate.segments import shown
from whet.curate.tags import Review
from whet.documents.assets import AutoTag, BaselineMeta, ManualTag, SkillMeta, Tags


class Labels(Value):
    """All tags of an asset."""

    id: str
    name: str
    tags: tuple[str, ...]
    """Those in force."""

    manual: tuple[dict[str, JsonValue], ...]
    auto: tuple[dict[str, JsonValue], ...]


class TagReview(Value):
    """What a person says to a proposed tag, which is named by its id, the beginning of that, or
    its wording."""

    tag: str
    action: Literal["approve", "reject", "modify"]
    value: str | None = None
    """The better wording of ``modify``, which approves it."""

    again: bool = False
    """Also where it was approved or rejected before."""


def labels(library: Library, reference: str) -> Labels:
    """Every tag, whatever was said to it."""
    meta = library.entry(reference).meta
    return labelled(meta, tags.tags_of(library.workspace, meta.id))


def labelled(meta: SkillMeta | BaselineMeta, found: Tags) -> Labels:
    """The tags of an asset, as they were found."""
    return Labels(
        id=meta.id,
        name=meta.name,
        tags=found.effective,
        manual=tuple(_data(tag) for tag in found.manual),
        auto=tuple(_data(tag) for tag in found.auto),
    )


def add(library: Library, reference: str, values: Sequence[str]) -> Labels:
    """Add tags of a person; all of them or, where one cannot be, none."""
    identity, now = library.id_of(reference), library.clock.now()
    if not values:
        raise UsageError("no tag was given")

    def work(present: Tags) -> Tags:
        for value in values:
            present = tags.added(present, value, now)
        return present

    return _changed(library, identity, tags.change(library.workspace, identity, work))


def rename(library: Library, reference: str, tag: str, value: str) -> Labels:
    """Put a tag that holds into other words."""
    identity = library.id_of(reference)
    tag_id = _holding(tags.tags_of(library.workspace, identity), tag)
    return _changed(library, identity, tags.rename(library.workspace, identity, tag_id, value))


def remove(library: Library, reference: str, *wanted: str) -> Labels:
    """Take tags of a person away; an approved one is rejected instead, and stays on record.
    All of them or, where one is not there, none."""
    identity, now = library.id_of(reference), library.clock.now()

    def work(present: Tags) -> Tags:
        proposed = {tag.id for tag in present.auto}
        for tag_id in dict.fromkeys([_holding(present, tag) for tag in wanted]):
            if tag_id in proposed:
                present = tags.reviewed(present, [Review(tag_id, "reject", again=True)], now)
            else:
                present = tags.removed(present, tag_id)
        return present

    return _changed(library, identity, tags.change(library.workspace, identity, work))


def review(
    library: Library,
    reference: str,
    reviews: Sequence[TagReview],
    others: Literal["approve", "reject"] | None = None,
) -> Labels:
    """Approve, reject or put better what a model proposed, and say the same to all *others* that
    wait; all of it or, where one cannot be, none."""
    identity = library.id_of(reference)
    present = tags.tags_of(library.workspace, identity)
    said = [
        Review(_found(present.auto, one.tag, "proposed tag"), one.action, one.value, one.again)
        for one in reviews
    ]
    if others is not None:
        known = {one.tag_id for one in said}
        rest = [tag.id for tag in present.auto if tag.status == "pending" and tag.id not in known]
        said += [Review(tag_id, others) for tag_id in rest]
    after = tags.review(library.workspace, identity, said, library.clock.now())
    return _changed(library, identity, after)


def _changed(library: Library, identity: str, after: Tags) -> Labels:
    newest = library.version(identity)
    library.followed(newest.folder)
    return labelled(newest.meta, after)


def _data(tag: ManualTag | AutoTag) -> dict[str, JsonValue]:
    data = tag.to_data()
    return data if isinstance(data, dict) else {}


def _holding(present: Tags, wanted: str) -> str:
    approved = tuple(tag for tag in present.auto if tag.status == "approved")
    return _found((*present.manual, *approved), wanted, "tag")


def _found(among: Sequence[ManualTag | AutoTag], wanted: str, what: str) -> str:
    """The id of the tag that is meant by its id, its wording or the beginning of its id."""
    for fitting in (
        [tag for tag in among if tag.id == wanted],
        [tag for tag in among if folded(tag.value) == folded(wanted.strip())],
        [tag for tag in among if len(wanted) >= 4 and tag.id.startswith(wanted)],
    ):
        # The same may have been proposed again after it was rejected: what waits is meant.
        waiting = [tag for tag in fitting if isinstance(tag, AutoTag) and tag.status == "pending"]
        if found := waiting or fitting:
            if len({tag.id for tag in found}) > 1:
                ids = ", ".join(tag.id for tag in found)
                raise UsageError(f"several tags fit {shown(wanted)}; use an id: {ids}")
            return found[0].id
    raise NotFound(f"no {what} {shown(wanted)}")

"""Tags: given by people, or proposed by a model and then approved, rejected or put better.

The functions on ``Tags`` are pure. Those on a workspace do the same to the newest version of an
asset, under its lock.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from whet.core.errors import Conflict, NotFound, UsageError
from whet.core.instant import iso_seconds
from whet.core.text import folded
from whet.curate import tag_logs
from whet.curate.holding import held, holding
from whet.curate.places import no_link
from whet.curate.segments import asset_name, shown
from whet.documents.assets import AutoTag, AutoTagLog, ManualTag, Tags
from whet.documents.files import write_atomic

LONGEST_TAG = 100
MOST_TAGS = 1000

NONE = Tags(manual=(), auto=())


@dataclass(frozen=True)
class Review:
    """What a person says to a proposed tag."""

    tag_id: str
    action: Literal["approve", "reject", "modify"]
    value: str | None = None
    """The better wording of ``modify``, which approves it."""

    again: bool = False
    """Also where it was approved or rejected before."""


def added(tags: Tags, value: str, now: datetime) -> Tags:
    """With one more tag of a person."""
    clean = _new(tags, value)
    tag = ManualTag(id=str(uuid.uuid4()), value=clean, created_at=iso_seconds(now))
    return tags.model_copy(update={"manual": (*tags.manual, tag)})


def renamed(tags: Tags, tag_id: str, value: str) -> Tags:
    """With another wording of a tag that holds."""
    old = _holding(tags, tag_id)
    clean = _new(tags, value, instead_of=old.value)
    return _replaced(tags, old.model_copy(update={"value": clean}))


def removed(tags: Tags, tag_id: str) -> Tags:
    """Without a tag of a person. A proposed one is rejected instead, which stays on record."""
    if any(tag.id == tag_id for tag in tags.auto):
        raise UsageError(f"tag {shown(tag_id)} was proposed by a model: reject it instead")
    kept = tuple(tag for tag in tags.manual if tag.id != tag_id)
    if len(kept) == len(tags.manual):
        raise NotFound(f"no tag {shown(tag_id)}")
    return tags.model_copy(update={"manual": kept})


def proposed(tags: Tags, new: Sequence[AutoTag]) -> Tags:
    """With the proposals of a model, but for those that hold or wait already."""
    known = {folded(value) for value in tags.effective}
    known |= {folded(tag.value) for tag in tags.auto if tag.status == "pending"}
    auto = list(tags.auto)
    for tag in new:
        value = _clean(tag.value)
        if folded(value) not in known:
            auto.append(tag.model_copy(update={"value": value}))
            known.add(folded(value))
    _count(len(tags.manual) + len(auto))
    return tags.model_copy(update={"auto": tuple(auto)})


def reviewed(tags: Tags, reviews: Sequence[Review], now: datetime) -> Tags:
    """With what a person said to proposals; all of it or, where one cannot be, none."""
    for review in reviews:
        tags = _reviewed(tags, review, now)
    return tags


def _reviewed(tags: Tags, review: Review, now: datetime) -> Tags:
    tag = next((tag for tag in tags.auto if tag.id == review.tag_id), None)
    if tag is None:
        raise NotFound(f"no proposed tag {shown(review.tag_id)}")
    if (review.action == "modify") != (review.value is not None):
        raise UsageError("a new wording belongs to modify, and to nothing else")
    if tag.status != "pending" and not review.again:
        raise Conflict(f"tag {tag.value!r}", "pending", tag.status)
    moment = iso_seconds(now)
    if review.action == "reject":
        change = {"status": "rejected", "approved_at": None, "rejected_at": moment}
    else:
        held_now = tag.value if tag.status == "approved" else None
        wording = tag.value if review.value is None else review.value
        value = _new(tags, wording, instead_of=held_now)
        change = {
            "value": value,
            "status": "approved",
            "approved_at": moment,
            "rejected_at": None,
        }
    return _replaced(tags, tag.model_copy(update=change))


def load(folder: Path) -> Tags:
    """The tags of a version; none where it has no such file."""
    path = no_link(folder / "tags.json")
    return Tags.load(path) if path.exists() else NONE


def tags_of(workspace: Path, identity: str) -> Tags:
    """The tags of an asset."""
    return load(holding(workspace, identity).versions[-1].folder)


def change(workspace: Path, identity: str, work: Callable[[Tags], Tags]) -> Tags:
    """What *work* makes of the tags of an asset, all of it or, where that raises, nothing."""
    with held(workspace, identity) as present:
        folder = present.newest.folder
        tags = load(folder)
        return _saved(folder, tags, work(tags))


def add(workspace: Path, identity: str, value: str, now: datetime) -> Tags:
    """See ``added``."""
    return change(workspace, identity, lambda tags: added(tags, value, now))


def rename(workspace: Path, identity: str, tag_id: str, value: str) -> Tags:
    """See ``renamed``."""
    return change(workspace, identity, lambda tags: renamed(tags, tag_id, value))


def remove(workspace: Path, identity: str, tag_id: str) -> Tags:
    """See ``removed``."""
    return change(workspace, identity, lambda tags: removed(tags, tag_id))


def review(workspace: Path, identity: str, reviews: Sequence[Review], now: datetime) -> Tags:
    """See ``reviewed``."""
    return change(workspace, identity, lambda tags: reviewed(tags, reviews, now))


def keep_log(workspace: Path, identity: str, name: str, log: AutoTagLog) -> None:
    """Keep the log of a call to a model that begins, or that has failed; *name* is its path in the
    folder of a version. What is over stays as it is."""
    with held(workspace, identity) as present:
        folder = present.newest.folder
        if not tag_logs.is_over(folder, name, log):
            tag_logs.write(present, tag_logs.name_for(folder, name, log), log)


def propose(
    workspace: Path, identity: str, name: str, log: AutoTagLog, new: Sequence[AutoTag]
) -> tuple[AutoTag, ...]:
    """Keep the log of a call to a model, and what it proposed with a reference to that log;
    returns what of it is new.

    Until the tags are written the log says that it runs: whoever finds it so, and its process
    gone, can tell by the tags how it ended.
    """
    with held(workspace, identity) as present:
        folder = present.newest.folder
        tags = load(folder)
        name = tag_logs.name_for(folder, name, log)
        after = proposed(tags, [tag.model_copy(update={"log_ref": name}) for tag in new])
        tag_logs.write(present, name, log.model_copy(update={"status": "running"}))
        _saved(folder, tags, after)
        tag_logs.write(present, name, log)
        return after.auto[len(tags.auto) :]


def end_log(workspace: Path, identity: str, session_id: str) -> None:
    """Complete the log of a call whose process is gone."""
    with held(workspace, identity) as present:
        folder = present.newest.folder
        for name, log in tag_logs.begun(folder):
            if (log.target_id, log.session_id) == (identity, session_id):
                tag_logs.write(present, name, tag_logs.ended(name, log, load(folder)))


def _saved(folder: Path, before: Tags, after: Tags) -> Tags:
    if after != before:
        write_atomic(folder / "tags.json", after.to_json(), durable=True)
    return after


def _holding(tags: Tags, tag_id: str) -> ManualTag | AutoTag:
    for tag in (*tags.manual, *tags.auto):
        if tag.id == tag_id:
            if isinstance(tag, AutoTag) and tag.status != "approved":
                raise UsageError(f"tag {tag.value!r} is {tag.status}: review it instead")
            return tag
    raise NotFound(f"no tag {shown(tag_id)}")


def _replaced(tags: Tags, new: ManualTag | AutoTag) -> Tags:
    if isinstance(new, ManualTag):
        manual = tuple(new if tag.id == new.id else tag for tag in tags.manual)
        return tags.model_copy(update={"manual": manual})
    auto = tuple(new if tag.id == new.id else tag for tag in tags.auto)
    return tags.model_copy(update={"auto": auto})


def _new(tags: Tags, value: str, instead_of: str | None = None) -> str:
    """*value* cleaned, if it is none of those that hold, the one it replaces left out."""
    clean = _clean(value)
    known = {folded(one) for one in tags.effective}
    if instead_of is None:
        _count(len(tags.manual) + len(tags.auto) + 1)
    else:
        known.discard(folded(instead_of))
    if folded(clean) in known:
        raise UsageError(f"tag {clean!r} is there already")
    return clean


def _clean(value: str) -> str:
    return asset_name(value, "tag", LONGEST_TAG)


def _count(many: int) -> None:
    if many > MOST_TAGS:
        raise UsageError(f"an asset has at most {MOST_TAGS} tags")

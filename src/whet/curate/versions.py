"""Versions of skills and baselines: made, edited, rolled back, listed.

Every version is a folder of its own, and what it says never changes but for its status. Whoever
writes holds the lock of the asset and looks its newest version up inside, so of two edits of one
version one is made and the other raises ``Conflict``.
"""

import contextlib
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, overload

from whet.core.errors import Conflict, UsageError, WhetError
from whet.core.instant import iso_seconds
from whet.curate import changes, library
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.holding import Holding, held, holding, number
from whet.curate.library import Asset
from whet.curate.locks import locked
from whet.curate.places import no_link
from whet.curate.revise import new_baseline, new_skill, revised_baseline, revised_skill
from whet.curate.segments import shown
from whet.curate.shelving import is_taken, refuse_twin, shelve
from whet.curate.snapshot import AnyAsset, BaselineSnapshot, Facts, SkillSnapshot, Snapshot, read
from whet.documents.assets import BaselineMeta, Diff, HistoryRecord, SkillMeta
from whet.documents.files import write_atomic

_VERSION = re.compile(r"v[0-9]{1,9}")


@dataclass(frozen=True)
class History:
    """The records of all versions of an asset, oldest first, and what could not be read."""

    records: tuple[HistoryRecord, ...]
    problems: tuple[str, ...]


@overload
def create(workspace: Path, draft: SkillDraft, now: datetime) -> Asset[SkillMeta]: ...
@overload
def create(workspace: Path, draft: BaselineDraft, now: datetime) -> Asset[BaselineMeta]: ...
def create(workspace: Path, draft: SkillDraft | BaselineDraft, now: datetime) -> AnyAsset:
    """A new asset, with a new id, in its first version."""
    kind = "skill" if isinstance(draft, SkillDraft) else "baseline"
    identity = str(uuid.uuid4())
    while is_taken(workspace, kind, identity):
        identity = str(uuid.uuid4())
    if isinstance(draft, SkillDraft):
        first: Snapshot = new_skill(draft, identity, now)
    else:
        first = new_baseline(draft, identity, now)
    refuse_twin(workspace, first)
    with locked(workspace, identity):
        return _asset(shelve(workspace, first), first)


@overload
def edit(
    workspace: Path, identity: str, expected: str, change: SkillChange, now: datetime
) -> Asset[SkillMeta]: ...
@overload
def edit(
    workspace: Path, identity: str, expected: str, change: BaselineChange, now: datetime
) -> Asset[BaselineMeta]: ...
def edit(
    workspace: Path,
    identity: str,
    expected: str,
    change: SkillChange | BaselineChange,
    now: datetime,
) -> AnyAsset:
    """The next version, with *change* in it; the present one where nothing changes.

    Raises ``Conflict`` unless *expected*, ``v3``, is the newest version.
    """
    with held(workspace, identity) as present:
        newest = _expected(present, expected)
        before = read(newest)
        if isinstance(before, SkillSnapshot) and isinstance(change, SkillChange):
            after: Snapshot = revised_skill(before, change)
            return _next(workspace, newest, _told(before, after), after, now)
        if isinstance(before, BaselineSnapshot) and isinstance(change, BaselineChange):
            after = revised_baseline(before, change, _used_ids(present, change), now)
            return _next(workspace, newest, _told(before, after), after, now)
        raise UsageError(
            f"{identity} is no {'skill' if isinstance(change, SkillChange) else 'baseline'}"
        )


def rollback(
    workspace: Path, identity: str, to_version: str, expected: str, now: datetime
) -> AnyAsset:
    """What *to_version* said, metadata included, as the next version.

    The status and the tags stay. Where the newest version says the same already, it is returned.
    """
    with held(workspace, identity) as present:
        newest = _expected(present, expected)
        after = read(present.version(to_version))
        return _next(workspace, newest, _told(read(newest), after), after, now)


def adopt(workspace: Path, identity: str, expected: str, now: datetime) -> AnyAsset:
    """What somebody wrote into the newest version's folder, by hand say, as the next version.

    The record tells what that changed where the history knows what was there. It does not for a
    first version: its content is taken to be new, so adopt only what was seen to have changed.
    The old folder stays as it is found.
    """
    with held(workspace, identity) as present:
        newest = _expected(present, expected)
        after = read(newest)
        difference = changes.diff(_recorded(present, after), after.facts())
        return _next(workspace, newest, difference, after, now)


def archive(workspace: Path, identity: str) -> AnyAsset:
    """Put an asset out of the way; nothing is deleted."""
    return _with_status(workspace, identity, "archived")


def restore(workspace: Path, identity: str) -> AnyAsset:
    """Take an archived asset back."""
    return _with_status(workspace, identity, "active")


def versions(workspace: Path, identity: str) -> Holding:
    """Every version, oldest first; ``.version("v2")`` and ``.newest`` are among them."""
    return holding(workspace, identity)


def history(workspace: Path, identity: str) -> History:
    """What each edit changed, whichever version's folder tells it."""
    return history_of(holding(workspace, identity))


def history_of(present: Holding) -> History:
    """The same of an asset that was looked up already."""
    records: list[HistoryRecord] = []
    problems: list[str] = []
    for folder in (asset.folder for asset in present.versions):
        for told in _records(folder):
            if isinstance(told, str):
                problems.append(told)
            elif told not in records:
                records.append(told)
    return History(tuple(sorted(records, key=_when)), tuple(problems))


def _records(folder: Path) -> Iterator[HistoryRecord | str]:
    """What the folder of a version tells of edits; of what cannot be read, why."""
    place = folder / "history"
    if place.is_symlink():
        yield f"{place} is a link, which is not followed"
        return
    for path in sorted(place.glob("*.json")):
        try:
            yield HistoryRecord.load(no_link(path))
        except WhetError as error:
            yield str(error)


def _when(record: HistoryRecord) -> tuple[int, str]:
    digits = record.to_version.removeprefix("v")
    return (int(digits) if digits.isdecimal() and len(digits) < 10 else 0, record.timestamp)


def _expected(present: Holding, expected: str) -> AnyAsset:
    newest = present.newest
    if not _VERSION.fullmatch(expected):
        raise UsageError(f"{shown(expected)} is no version; v1, v2 and so on are")
    if newest.meta.version != expected:
        raise Conflict(repr(newest.meta.name), expected, newest.meta.version)
    return newest


def _told(before: Snapshot, after: Snapshot) -> Diff:
    return changes.diff(before.facts(), after.facts())


def _recorded(present: Holding, found: Snapshot) -> Facts:
    """What the newest version said when it was made, as far as that is known."""
    newest = present.versions[-1].meta.version
    by_version = {asset.meta.version: asset for asset in present.versions[:-1]}
    for told in _records(present.versions[-1].folder):
        if isinstance(told, str) or told.to_version != newest:
            continue
        if before := by_version.get(told.from_version):
            with contextlib.suppress(WhetError):
                return changes.redone(read(before).facts(), told.diff)
    return Facts(meta=found.facts().meta)


def _next(
    workspace: Path, newest: AnyAsset, difference: Diff, after: Snapshot, now: datetime
) -> AnyAsset:
    """*after* as the version that follows *newest*, unless nothing is different."""
    if not changes.changed_fields(difference):
        return newest
    count = number(newest) + 1
    ours: dict[str, object] = {
        "id": newest.meta.id,
        "version": f"v{count}",
        "version_count": count,
        "status": newest.meta.status,
        "created_at": newest.meta.created_at,
        "updated_at": iso_seconds(now),
    }
    if isinstance(after, BaselineSnapshot):
        ours["case_count"] = len(after.cases)
        named = {"baseline_id": newest.meta.id, "version": f"v{count}"}
        document = after.document.model_copy(update=named)
        after = replace(after, meta=after.meta.model_copy(update=ours), document=document)
    else:
        after = replace(after, meta=after.meta.model_copy(update=ours))
    if (after.meta.purpose, after.meta.provider) != (newest.meta.purpose, newest.meta.provider):
        refuse_twin(workspace, after)
    record = changes.record(difference, (newest.meta.version, f"v{count}"), now)
    return _asset(shelve(workspace, after, record, newest.folder), after)


def _asset(folder: Path, snapshot: Snapshot) -> AnyAsset:
    if isinstance(snapshot, SkillSnapshot):
        return Asset(folder, snapshot.meta)
    return Asset(folder, snapshot.meta)


def _with_status(workspace: Path, identity: str, status: Literal["active", "archived"]) -> AnyAsset:
    with held(workspace, identity) as present:
        newest = present.newest
        if newest.meta.status == status:
            return newest
        if isinstance(newest.meta, SkillMeta):
            changed: AnyAsset = Asset(
                newest.folder, newest.meta.model_copy(update={"status": status})
            )
        else:
            changed = Asset(newest.folder, newest.meta.model_copy(update={"status": status}))
        write_atomic(changed.folder / "meta.json", changed.meta.to_json(), durable=True)
        return changed


def _used_ids(present: Holding, change: BaselineChange) -> Iterable[str]:
    """Every case id there ever was, if a new one is asked for."""
    if change.cases is None or all(case.id for case in change.cases):
        return ()
    return set(_ids(present))


def _ids(present: Holding) -> Iterator[str]:
    for asset in present.versions:
        with contextlib.suppress(WhetError):
            yield from (case.id for case in library.cases(asset.folder).cases)
        for told in _records(asset.folder):
            cases = None if isinstance(told, str) else told.diff.cases
            yield from cases if isinstance(cases, dict) else ()

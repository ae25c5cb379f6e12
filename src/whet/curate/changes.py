"""What changed between two versions, and the way back.

A diff names only what changed. Metadata and cases stand in it by field and by id, files of a
package as ``package/<path>`` by digest. A SKILL.md is the content and is not named again, except
where a text became a package or a package a text.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import JsonValue

from whet.core.address import canonical, digest_bytes
from whet.core.instant import iso_seconds
from whet.curate.snapshot import ENTRY, Facts
from whet.documents.assets import Change, Diff, HistoryRecord

_PACKAGE = "package/"
_ORDER = "case_order"


def diff(before: Facts, after: Facts) -> Diff:
    """Only what changed."""
    content = Change(before=before.content, after=after.content)
    beside = _beside(before, after)
    cases = _by_key(before.cases, after.cases)
    if _ORDER not in beside:
        cases = _with_positions(cases, list(before.cases))
    found: dict[str, object] = {
        "content": content if before.content != after.content else None,
        "meta": _by_key(before.meta, after.meta) or None,
        "cases": cases or None,
    }
    return Diff.model_validate(found | beside).lean()


def changed_fields(changes: Diff) -> tuple[str, ...]:
    """What a diff is about: ``content``, ``meta.name``, ``cases.case_001``, ``package/a.py``."""
    named = ["content"] if changes.content else []
    named += [f"meta.{field}" for field in changes.meta or {}]
    if isinstance(changes.cases, dict):
        named += [f"cases.{case}" for case in changes.cases]
    elif changes.cases:
        named.append("cases")
    return (*named, *(changes.model_extra or {}))


def record(changes: Diff, versions: tuple[str, str], now: datetime) -> HistoryRecord:
    """The history of one edit, from the first of *versions* to the second."""
    before, after = versions
    return HistoryRecord(
        from_version=before,
        to_version=after,
        timestamp=iso_seconds(now),
        changed_fields=changed_fields(changes),
        diff=changes,
    )


def undone(after: Facts, changes: Diff) -> Facts:
    """What there was before the change.

    Of a file that an edit changed or removed only the digest comes back. Where an older program
    recorded no more than how many cases there were, the cases stay as they are.
    """
    beside = _besides(changes)
    content = changes.content.before if changes.content else after.content
    text = content if isinstance(content, str) else None
    order = beside[_ORDER].before if _ORDER in beside else None
    by_case = changes.cases if isinstance(changes.cases, dict) else {}
    return Facts(
        meta=_restored(after.meta, changes.meta or {}),
        content=text,
        package=_package_before(after.package, beside, text),
        executables=_strings(beside["executables"].before)
        if "executables" in beside
        else after.executables,
        cases=_ordered(_put_back(after.cases, by_case), _strings(order)),
        rubric=beside["rubric"].before if "rubric" in beside else after.rubric,
    )


def same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are one; Python takes 1, 1.0 and true for equal, a document does not."""
    return one is other or (one == other and canonical(one) == canonical(other))


def redone(before: Facts, changes: Diff) -> Facts:
    """What there was after the change."""
    return undone(before, _turned(changes))


def _turned(changes: Diff) -> Diff:
    """The change in the other direction."""
    turned: dict[str, object] = {
        key: _swapped(change).to_data() for key, change in _besides(changes).items()
    }
    if changes.content:
        turned["content"] = _swapped(changes.content)
    if changes.meta:
        turned["meta"] = {key: _swapped(change) for key, change in changes.meta.items()}
    if isinstance(changes.cases, dict):
        turned["cases"] = {key: _swapped(change) for key, change in changes.cases.items()}
    return Diff.model_validate(turned)


def _besides(changes: Diff) -> dict[str, Change]:
    """What stands beside content, metadata and cases; what others wrote there is left out."""
    return {
        key: Change.parse(value, key)
        for key, value in (changes.model_extra or {}).items()
        if key.startswith(_PACKAGE) or key in ("executables", "rubric", _ORDER)
    }


def _swapped(change: Change) -> Change:
    return Change(before=change.after, after=change.before)


def _beside(before: Facts, after: Facts) -> dict[str, object]:
    """What changed beside content, metadata and cases."""
    found: dict[str, Change] = {}
    if not same(before.rubric, after.rubric):
        found["rubric"] = Change(before=before.rubric, after=after.rubric)
    first, second = list(before.cases), list(after.cases)
    kept = [case for case in first if case in after.cases]
    if second[: len(kept)] != kept:
        found[_ORDER] = Change(before=[*first], after=[*second])
    for path, change in _by_key(before.package, after.package).items():
        if path != ENTRY or None in (change.before, change.after):
            found[_PACKAGE + path] = change
    if before.executables != after.executables:
        found["executables"] = Change(before=[*before.executables], after=[*after.executables])
    return {key: change.to_data() for key, change in found.items()}


def _with_positions(changes: Mapping[str, Change], order: list[str]) -> dict[str, Change]:
    """The same, where a removed case says its place: the order of the others is not written."""
    return {
        key: change.model_copy(update={"position": order.index(key)})
        if change.after is None
        else change
        for key, change in changes.items()
    }


def _put_back(
    after: Mapping[str, JsonValue], changes: Mapping[str, Change]
) -> dict[str, JsonValue]:
    """The cases before *changes*, those that were removed at their places."""
    restored = _restored(after, changes)
    places = {
        key: change.position
        for key, change in changes.items()
        if change.position is not None and change.after is None
    }
    order = [key for key in restored if key not in places]
    for key, place in sorted(places.items(), key=lambda one: one[1]):
        order.insert(place, key)
    return {key: restored[key] for key in order}


def _by_key(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> dict[str, Change]:
    return {
        key: Change(before=before.get(key), after=after.get(key))
        for key in (*before, *(key for key in after if key not in before))
        if not same(before.get(key), after.get(key))
    }


def _restored(
    after: Mapping[str, JsonValue], changes: Mapping[str, Change]
) -> dict[str, JsonValue]:
    whole = {**after, **{key: change.before for key, change in changes.items()}}
    return {key: value for key, value in whole.items() if value is not None}


def _package_before(
    after: Mapping[str, str], beside: Mapping[str, Change], content: str | None
) -> dict[str, str]:
    files = {
        key.removeprefix(_PACKAGE): change
        for key, change in beside.items()
        if key.startswith(_PACKAGE)
    }
    before = {path: str(value) for path, value in _restored(after, files).items()}
    if ENTRY in before and content is not None:
        before[ENTRY] = digest_bytes(content.encode(errors="surrogateescape"))
    return dict(sorted(before.items()))


def _ordered(cases: dict[str, JsonValue], order: Iterable[str]) -> dict[str, JsonValue]:
    return {key: cases[key] for key in (*order, *cases) if key in cases}


def _strings(value: JsonValue) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()

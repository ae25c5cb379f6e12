"""Earlier versions of an asset, rebuilt from what its history says was before.

The original program keeps one folder for all versions. Its records tell the text of a skill
before each edit. Of cases they tell what was changed or added, but not what was deleted: there
the way back ends.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from whet.curate.original.metadata import fit_segment, is_segment, number_of
from whet.curate.snapshot import BaselineSnapshot, SkillSnapshot, Snapshot
from whet.documents.assets import Change, HistoryRecord
from whet.documents.cases import BaselineCases

_COUNT = re.compile(r"([0-9]{1,9}) cases")
_TEXTS = ("name", "description", "author", "source")


def mended_record(raw: JsonValue) -> JsonValue:
    """*raw* with a null for whatever was before or after and is not there."""
    if isinstance(raw, list):
        return [mended_record(each) for each in raw]
    if not isinstance(raw, dict):
        return raw
    fixed = {key: mended_record(value) for key, value in raw.items()}
    if set(fixed) in ({"before"}, {"after"}):
        return {"before": fixed.get("before"), "after": fixed.get("after")}
    return fixed


def step_to(
    number: int, records: Sequence[HistoryRecord], content: bytes | None
) -> HistoryRecord | None:
    """The record of the edit that made version *number*: of several the one that fits its
    *content*, else the last."""
    fitting = [
        record
        for record in records
        if number_of(record.to_version) == number and number_of(record.from_version) == number - 1
    ]
    exact = [record for record in fitting if content is not None and fits(record, content)]
    return max(exact or fitting, key=lambda record: record.timestamp, default=None)


def fits(record: HistoryRecord, content: bytes) -> bool:
    """Whether *content* is what the record says came out."""
    change = record.diff.content
    return change is None or change.after == content.decode(errors="surrogateescape")


def before(snapshot: Snapshot, record: HistoryRecord, updated_at: str) -> Snapshot | None:
    """The version that the record's edit started from; None where it cannot be known."""
    version = record.from_version
    ours: dict[str, object] = {
        "version": version,
        "version_count": number_of(version),
        "status": "active",
        "updated_at": updated_at,
        **_metadata(record.diff.meta or {}),
    }
    if isinstance(snapshot, SkillSnapshot):
        return _skill_before(snapshot, record, ours)
    cases = _cases_before(snapshot, record)
    if cases is None:
        return None
    data: dict[str, JsonValue] = _fields(snapshot.document.to_data())
    data |= {"version": version, "cases": cases}
    if BaselineCases.mistakes(data):
        return None
    meta = snapshot.meta.model_copy(update={**ours, "case_count": len(cases)})
    return BaselineSnapshot(meta, BaselineCases.parse(data, version))


def _skill_before(
    snapshot: SkillSnapshot, record: HistoryRecord, ours: Mapping[str, object]
) -> SkillSnapshot | None:
    meta = snapshot.meta.model_copy(update=dict(ours))
    change = record.diff.content
    if change is None:
        told = "content" in record.changed_fields or snapshot.package is not None
        return None if told else replace(snapshot, meta=meta)
    if not isinstance(change.before, str) or snapshot.package is not None:
        return None
    return SkillSnapshot(meta, change.before.encode(errors="surrogateescape"))


def _metadata(changes: Mapping[str, Change]) -> dict[str, object]:
    """Those fields that a person may set, as they were."""
    found: dict[str, object] = {}
    for name, change in changes.items():
        value = change.before
        if name in _TEXTS and (isinstance(value, str) or value is None):
            found[name] = value or ("" if name != "name" else change.after)
        if name in ("purpose", "provider") and isinstance(value, str):
            found[name] = value if is_segment(value) else fit_segment(value, "general")
        if name == "type" and value in ("skill", "agent"):
            found[name] = value
    return found


def _cases_before(snapshot: BaselineSnapshot, record: HistoryRecord) -> list[JsonValue] | None:
    cases = [case.to_data() for case in snapshot.cases]
    told = record.diff.cases
    more = record.diff.model_extra or {}
    if isinstance(told, Change):
        return _without_added(cases, told)
    if isinstance(told, dict):
        return _each_before(cases, told)
    if isinstance(more.get("case"), dict):
        return _one_before(cases, _fields(more["case"]), record.changed_fields)
    only_metadata = all(name.startswith("meta.") for name in record.changed_fields)
    return cases if "rollback" in more or (only_metadata and record.changed_fields) else None


def _without_added(cases: list[JsonValue], told: Change) -> list[JsonValue] | None:
    """Added cases stand at the end, and the record says how many there were before."""
    counts = [
        _COUNT.fullmatch(side) if isinstance(side, str) else None
        for side in (told.before, told.after)
    ]
    old, new = counts
    if old is None or new is None or int(new[1]) != len(cases) or int(old[1]) > len(cases):
        return None
    return cases[: int(old[1])]


def _each_before(cases: list[JsonValue], told: Mapping[str, Change]) -> list[JsonValue]:
    """The present form: every case that changed, by its id."""
    kept: list[JsonValue] = []
    for case in cases:
        change = told.get(str(_fields(case).get("id")))
        if change is None or change.before is not None:
            kept.append(case if change is None else change.before)
    present = {str(_fields(case).get("id")) for case in cases}
    deleted = [change.before for name, change in told.items() if name not in present]
    return [*kept, *(case for case in deleted if case is not None)]


def _one_before(
    cases: list[JsonValue], told: Mapping[str, JsonValue], changed: Sequence[str]
) -> list[JsonValue] | None:
    """One case was edited, field by field; a record of a deletion tells no fields."""
    identity = next(
        (
            name.removeprefix("cases.").removesuffix(f".{key}")
            for name in changed
            for key in told
            if name.startswith("cases.") and name.endswith(f".{key}")
        ),
        None,
    )
    sides = {key: _fields(value) for key, value in told.items()}
    edited = [case for case in cases if _fields(case).get("id") == identity]
    if len(edited) != 1 or not all("before" in side for side in sides.values()):
        return None
    old = {**_fields(edited[0]), **{key: side["before"] for key, side in sides.items()}}
    whole: JsonValue = {key: value for key, value in old.items() if value is not None}
    return [whole if case is edited[0] else case for case in cases]


def _fields(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}

"""Any two versions side by side: text, metadata, cases, files."""

import json

from whet.curate import changes
from whet.curate.snapshot import SkillSnapshot, Snapshot
from whet.curate.text_difference import TextDifference, between_texts
from whet.documents.assets import Change


class Difference(TextDifference):
    """What two versions do not have in common.

    The text is the content; of a baseline, its cases as JSON.
    """

    left: str
    right: str
    changed_fields: tuple[str, ...]
    meta: dict[str, Change]
    cases: dict[str, Change]
    files: dict[str, Change]
    """Of a package, by path: the digests."""

    rubric: Change | None = None
    case_order: Change | None = None
    """Of a baseline; the order is that of the ids."""

    executables: Change | None = None
    """Of a package: the files that may be executed."""


def between(left: Snapshot, right: Snapshot) -> Difference:
    """What changed from *left* to *right*."""
    diff = changes.diff(left.facts(), right.facts())
    versions = left.meta.version, right.meta.version
    told = between_texts(_text(left), _text(right), versions)
    beside = {key: Change.parse(value, key) for key, value in (diff.model_extra or {}).items()}
    return Difference(
        unified=told.unified,
        rows=told.rows,
        is_cut=told.is_cut,
        left=versions[0],
        right=versions[1],
        changed_fields=changes.changed_fields(diff),
        meta=diff.meta or {},
        cases=diff.cases if isinstance(diff.cases, dict) else {},
        files={
            key.removeprefix("package/"): change
            for key, change in beside.items()
            if key.startswith("package/")
        },
        rubric=beside.get("rubric"),
        case_order=beside.get("case_order"),
        executables=beside.get("executables"),
    )


def _text(snapshot: Snapshot) -> str:
    if isinstance(snapshot, SkillSnapshot):
        return snapshot.content.decode(errors="replace")
    cases = [case.to_data() for case in snapshot.cases]
    return json.dumps(cases, indent=2, ensure_ascii=False) + "\n"

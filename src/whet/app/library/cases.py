"""Single cases of a baseline: each change is the next version of the whole."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from whet.app.library.library import Library, Shelved
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate import snapshot
from whet.curate.change import BaselineChange
from whet.curate.intake.case_rows import read_cases
from whet.curate.segments import shown
from whet.curate.snapshot import BaselineSnapshot
from whet.documents.cases import BaselineCase

_OURS = ("id", "case_id", "created_at", "updated_at")


class ShelvedCases(Shelved):
    """A baseline some cases of which were added, changed or removed."""

    case_ids: tuple[str, ...]
    """Which."""


def add_cases(
    library: Library, reference: str, cases: Sequence[JsonValue], expected: str | None = None
) -> ShelvedCases:
    """Add cases at the end; those without an ``id`` get a new one, that was never used before."""
    if not cases:
        raise UsageError("no case was given")
    before = _present(library, reference, expected)
    parsed, notes = read_cases(cases, "the cases", library.clock.now())
    added = [_as_given(case, row) for case, row in zip(parsed, cases, strict=True)]
    taken = {case.id for case in before.cases}
    if twice := [case.id for case in added if case.id in taken]:
        raise UsageError(f"case {shown(twice[0])} is there already; edit it, or leave its id out")
    done = _changed(library, before, (*before.cases, *added))
    made = _present(library, done.id, done.version)
    ids = tuple(case.id for case in made.cases[-len(added) :])
    return _told(done, ids, notes)


def edit_case(
    library: Library,
    reference: str,
    case_id: str,
    fields: Mapping[str, JsonValue],
    expected: str | None = None,
) -> ShelvedCases:
    """Change fields of a case; null takes an optional one away."""
    before = _present(library, reference, expected)
    old = _case(before, case_id)
    if ours := [name for name in fields if name in _OURS]:
        raise UsageError(f"{ours[0]!r} of a case cannot be set")
    data = old.to_data()
    merged = {**(data if isinstance(data, dict) else {}), **fields}
    row: JsonValue = {name: value for name, value in merged.items() if value is not None}
    if "name" in fields and not str(fields["name"] or "").strip():
        raise UsageError("name: must not be empty")
    (new,), notes = read_cases([row], f"case {shown(case_id)}", library.clock.now())
    cases = tuple(new if case.id == case_id else case for case in before.cases)
    return _told(_changed(library, before, cases), (case_id,), notes)


def remove_case(
    library: Library, reference: str, case_id: str, expected: str | None = None
) -> ShelvedCases:
    """Take a case out; older versions keep it, and its id never comes back."""
    before = _present(library, reference, expected)
    _case(before, case_id)
    cases = tuple(case for case in before.cases if case.id != case_id)
    return _told(_changed(library, before, cases), (case_id,))


def _present(library: Library, reference: str, expected: str | None) -> BaselineSnapshot:
    found = snapshot.read(library.version(reference))
    if not isinstance(found, BaselineSnapshot):
        raise UsageError(f"{reference!r} is no baseline")
    if expected not in (None, found.meta.version):
        raise Conflict(repr(found.meta.name), expected, found.meta.version)
    return found


def _as_given(case: BaselineCase, row: JsonValue) -> BaselineCase:
    """Without the id that the reader gave it, which may have been used before."""
    match row:
        case {"id": str() | int() as identity} | {"case_id": str() | int() as identity} if identity:
            return case
        case {"name": str(name)} if name:
            return case.model_copy(update={"id": ""})
        case _:
            return case.model_copy(update={"id": "", "name": ""})


def _case(baseline: BaselineSnapshot, case_id: str) -> BaselineCase:
    for case in baseline.cases:
        if case.id == case_id:
            return case
    raise NotFound(f"{baseline.meta.name!r} has no case {shown(case_id)}")


def _changed(
    library: Library, before: BaselineSnapshot, cases: tuple[BaselineCase, ...]
) -> Shelved:
    """Meant for the version that was read, so that nobody's case is lost."""
    return library.change(before.meta.id, BaselineChange(cases=cases), before.meta.version)


def _told(done: Shelved, ids: tuple[str, ...], notes: tuple[str, ...] = ()) -> ShelvedCases:
    return ShelvedCases.model_validate(
        {**done.model_dump(), "case_ids": ids, "notes": (*done.notes, *notes)}
    )

"""Cases of a baseline, one by one or all at once: each change is the next version of the whole."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from whet.app.library.library import Library, Shelved, baseline_change
from whet.core.errors import Conflict, NotFound, UsageError
from whet.core.value import Value
from whet.curate import snapshot
from whet.curate.change import BaselineChange
from whet.curate.intake.baseline_files import Found
from whet.curate.intake.case_rows import as_given, has_id, id_problem, read_cases, silent
from whet.curate.segments import shown
from whet.curate.snapshot import BaselineSnapshot
from whet.documents.cases import BaselineCase

_OURS = ("id", "case_id", "created_at", "updated_at")

SETTABLE = tuple(name for name in BaselineCase.model_fields if name not in _OURS)
"""Fields of a case that a person may set."""


class ShelvedCases(Shelved):
    """A baseline some cases of which were added, changed or removed."""

    case_ids: tuple[str, ...]
    """Which."""


class CaseList(Value):
    """The cases of one version of a baseline."""

    id: str
    """Of the baseline."""

    version: str
    cases: tuple[dict[str, JsonValue], ...]


def list_cases(library: Library, reference: str, version: str | None = None) -> CaseList:
    """The cases of a version, the newest unless one is named."""
    found = _read(library, reference, version)
    cases = tuple(_fields(case) for case in found.cases)
    return CaseList(id=found.meta.id, version=found.meta.version, cases=cases)


def show_case(
    library: Library, reference: str, case_id: str, version: str | None = None
) -> dict[str, JsonValue]:
    """One case of a version; raises ``NotFound``."""
    return _fields(_case(_read(library, reference, version), case_id))


def add_cases(
    library: Library, reference: str, cases: Sequence[JsonValue], expected: str | None = None
) -> ShelvedCases:
    """Add cases at the end; those without an ``id`` get a new one, that was never used before."""
    if not cases:
        raise UsageError("no case was given")
    before = _present(library, reference, expected)
    parsed, _ = read_cases(cases, "the list of cases", library.clock.now())
    added = [as_given(case, row) for case, row in zip(parsed, cases, strict=True)]
    taken = {case.id for case in before.cases}
    if twice := [case.id for case in added if case.id in taken]:
        raise UsageError(f"case {shown(twice[0])} is there already; edit it, or leave its id out")
    done = _changed(library, before, (*before.cases, *added))
    new = _cases_of(library, done)[-len(added) :]
    return _told(done, tuple(case.id for case in new), silent(new))


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
    present = _fields(old)
    _settable(fields, present)
    merged = {**present, **fields}
    row: dict[str, JsonValue] = {name: one for name, one in merged.items() if one is not None}
    # An id that other programs gave may be none that we would give, and stays all the same.
    row["id"] = "case" if id_problem(case_id) else case_id
    (new,), _ = read_cases([row], f"case {shown(case_id)}", library.clock.now())
    new = new.model_copy(update={"id": case_id})
    cases = tuple(new if case.id == case_id else case for case in before.cases)
    return _told(_changed(library, before, cases), (case_id,), silent([new]))


def remove_case(
    library: Library, reference: str, case_id: str, expected: str | None = None
) -> ShelvedCases:
    """Take a case out; older versions keep it, and no new case gets its id."""
    before = _present(library, reference, expected)
    _case(before, case_id)
    cases = tuple(case for case in before.cases if case.id != case_id)
    return _told(_changed(library, before, cases), (case_id,))


def rewrite(
    library: Library,
    reference: str,
    found: Found,
    fields: Mapping[str, JsonValue],
    expected: str | None = None,
    *,
    whole: bool = False,
) -> Shelved:
    """All cases anew, as a file has them; *fields* are those of ``Library.edit``.

    Beside others that have an id, a case without gets a new one; where none has, its place
    counts. A file that says no rubric takes it away only if it is the *whole* of the baseline.
    """
    rows, rubric = found.file.cases, found.file.rubric
    now = library.clock.now()
    cases, _ = read_cases(rows, "the cases", now)
    if any(map(has_id, rows)):
        cases = tuple(as_given(case, row) for case, row in zip(cases, rows, strict=True))
    change = replace(baseline_change(fields, now), cases=cases)
    if "rubric" not in fields and (whole or rubric is not None):
        change = replace(change, rubric=rubric)
    done = library.change(reference, change, expected)
    notes = (*done.notes, *found.notes, *silent(_cases_of(library, done)))
    return done.model_copy(update={"notes": notes})


def _read(library: Library, reference: str, version: str | None = None) -> BaselineSnapshot:
    found = snapshot.read(library.version(reference, version))
    if not isinstance(found, BaselineSnapshot):
        raise UsageError(f"{reference!r} is no baseline")
    return found


def _fields(case: BaselineCase) -> dict[str, JsonValue]:
    data = case.to_data()
    return data if isinstance(data, dict) else {}


def _present(library: Library, reference: str, expected: str | None) -> BaselineSnapshot:
    found = _read(library, reference)
    if expected not in (None, found.meta.version):
        raise Conflict(repr(found.meta.name), expected, found.meta.version)
    return found


def _cases_of(library: Library, done: Shelved) -> tuple[BaselineCase, ...]:
    made = snapshot.read(library.version(done.id, done.version))
    return made.cases if isinstance(made, BaselineSnapshot) else ()


def _settable(fields: Mapping[str, JsonValue], present: Mapping[str, JsonValue]) -> None:
    """Raises ``UsageError`` for what is the library's, and for a slip of the hand."""
    for name in fields:
        if name in _OURS:
            raise UsageError(f"{name!r} of a case cannot be set")
        if name not in SETTABLE and name not in present:
            known = ", ".join(SETTABLE)
            raise UsageError(f"{shown(name)} is no field of a case; these are: {known}")
    if "name" in fields and not str(fields["name"] or "").strip():
        raise UsageError("name: must not be empty")


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

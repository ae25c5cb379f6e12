"""The ids and dates of cases in a baseline."""

import itertools
import re
from collections.abc import Iterable, Sequence

from whet.core.errors import UsageError
from whet.curate.changes import same
from whet.curate.segments import alike, segment, shown
from whet.documents.cases import BaselineCase

_NUMBERED = re.compile(r"case_([0-9]{1,9})")
_REPEAT = re.compile(r"\.run-[0-9]+$")


def numbered(cases: Sequence[BaselineCase], used: Iterable[str]) -> tuple[BaselineCase, ...]:
    """*cases*, with a new id for each that has none: no id that was *used* ever comes back. It is
    the name too where there is no other."""
    taken = {*used, *(case.id for case in cases)}
    numbers = [int(found[1]) for one in taken if (found := _NUMBERED.fullmatch(one))]
    last = max(numbers, default=0)
    result: list[BaselineCase] = []
    for case in cases:
        if not case.id:
            last = next(each for each in itertools.count(last + 1) if _name(each) not in taken)
            identity = _name(last)
            case = case.model_copy(update={"id": identity, "name": case.name or identity})
        result.append(case)
    return tuple(result)


def _name(number: int) -> str:
    return f"case_{number:03}"


def dated(
    cases: Sequence[BaselineCase], present: Sequence[BaselineCase], moment: str
) -> tuple[BaselineCase, ...]:
    """*cases* as of *moment*: one that says the same as before stays what it was."""
    known = {case.id: case for case in present}
    return tuple(_dated(case, known.get(case.id), moment) for case in cases)


def checked(cases: Sequence[BaselineCase], known: frozenset[str]) -> None:
    """Refuse what cannot be the name of a result, and what is there twice, be it in other case.

    Ids that the baseline already has are *known*, and stay whatever they are.
    """
    seen: set[str] = set()
    written: dict[str, str] = {}
    for case in cases:
        if case.id in seen:
            raise UsageError(f"case id {shown(case.id)} is there twice")
        seen.add(case.id)
        twin = written.setdefault(alike(case.id), case.id)
        if twin != case.id and not {twin, case.id} <= known:
            raise UsageError(f"case ids {shown(twin)} and {shown(case.id)} differ in case only")
        if case.id in known:
            continue
        if segment(case.id, "case id") != case.id:
            raise UsageError(f"case id {shown(case.id)} is not in Unicode normal form C")
        if _REPEAT.search(case.id):
            raise UsageError(f"case id {shown(case.id)} names the result of a repeat")


def _dated(case: BaselineCase, before: BaselineCase | None, moment: str) -> BaselineCase:
    if before is None:
        created = case.created_at or moment
        updated = case.updated_at or created
        return case.model_copy(update={"created_at": created, "updated_at": updated})
    dates = {"created_at": before.created_at, "updated_at": before.updated_at}
    undated = case.model_copy(update=dates)
    if undated == before and same(undated.lean().to_data(), before.lean().to_data()):
        return before
    return case.model_copy(update={**dates, "updated_at": moment})

"""Cases as other people write them, made whole: what may be missing is filled in, and every
mistake in any of them is told at once."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from whet.core.errors import InvalidImport, UsageError
from whet.core.instant import iso_seconds
from whet.curate.segments import segment, shown
from whet.documents.cases import BaselineCase
from whet.documents.shapes import renamed
from whet.documents.text import MOST_ROWS, rows_problem

MOST_CASES = MOST_ROWS
DEEPEST = 100
"""Levels of nesting: what is deeper can be read and not be written."""

CATEGORIES = ("standard", "boundary", "exception")

_HINTS = {
    "standard": ("normal", "basic", "happy", "positive", "typical", "标准", "正常"),
    "boundary": ("edge", "limit", "corner", "边界"),
    "exception": ("error", "negative", "failure", "invalid", "exceptional", "异常"),
}
_REPEAT = ".run-"


def read_cases(
    given: Sequence[JsonValue], source: str, now: datetime, *, checks_ids: bool = True
) -> tuple[tuple[BaselineCase, ...], tuple[str, ...]]:
    """The cases and what is to be told about them; raises ``InvalidImport`` with every mistake.

    Ids are not checked for whoever knows which of them a baseline has already.
    """
    if problem := rows_problem([*given], "cases"):
        raise InvalidImport(source, [problem])
    rows = _numbered([_plain(row) for row in given])
    problems = [
        problem
        for number, row in enumerate(rows, 1)
        for problem in _problems(row, number, checks_id=checks_ids)
    ]
    if checks_ids:
        problems += _twins(rows)
    if problems:
        raise InvalidImport(source, problems)
    filled = [_filled(row, iso_seconds(now)) for row in rows if isinstance(row, dict)]
    cases = tuple(BaselineCase.parse(row, source) for row in filled)
    return cases, silent(cases)


def has_id(row: JsonValue) -> bool:
    """Whether a case says an id of its own."""
    match row:
        case {"id": str() | int() as identity} | {"case_id": str() | int() as identity}:
            return identity != ""
        case _:
            return False


def as_given(case: BaselineCase, row: JsonValue) -> BaselineCase:
    """*case* without the id that the reader gave it, which may have been used before."""
    if has_id(row):
        return case
    match row:
        case {"name": str(name)} if name:
            return case.model_copy(update={"id": ""})
        case _:
            return case.model_copy(update={"id": "", "name": ""})


def silent(cases: Sequence[BaselineCase]) -> tuple[str, ...]:
    """A note that names the cases of which nothing is expected."""
    ids = [case.id for case in cases if not case.expected_output]
    return (f"nothing is expected of {', '.join(ids[:10])}",) if ids else ()


def _plain(row: JsonValue) -> JsonValue:
    """*row* with its id under the present name, and as the string that it has to be."""
    row = renamed(row, "case_id", "id")
    match row:
        case {"id": bool()}:
            return row
        case {"id": int(number)}:
            return {**row, "id": str(number)}
        case {"id": None} | {"id": ""}:
            return {key: value for key, value in row.items() if key != "id"}
        case _:
            return row


def _numbered(rows: Sequence[JsonValue]) -> list[JsonValue]:
    """*rows* with an id for those that have none: ``case_`` and the first number that is free."""
    taken = {str(row.get("id")) for row in rows if isinstance(row, dict)}
    free = (name for number in range(1, 10**9) if (name := f"case_{number:03}") not in taken)
    return [
        {"id": next(free), **row} if isinstance(row, dict) and "id" not in row else row
        for row in rows
    ]


def _filled(row: Mapping[str, JsonValue], now: str) -> dict[str, JsonValue]:
    defaults: dict[str, JsonValue] = {
        "id": row["id"],
        "name": row["id"],
        "category": "standard",
        "input": "",
        "expected_output": "",
        "description": "",
        "created_at": now,
        "updated_at": row.get("created_at") or now,
    }
    given = {key: value for key, value in row.items() if not _is_blank(key, value)}
    return {**defaults, **given}


def _is_blank(key: str, value: JsonValue) -> bool:
    """Whether it says as much as a key that is not there."""
    return value is None or (
        value == "" and key in ("name", "category", "created_at", "updated_at")
    )


def _problems(row: JsonValue, number: int, *, checks_id: bool) -> Iterator[str]:
    if not isinstance(row, dict):
        yield f"case {number}: must be an object"
        return
    where = f"case {number}"
    if isinstance(identity := row.get("id"), str):
        where = f"case {number} ({shown(identity)})"
        if checks_id and (problem := id_problem(identity)):
            yield f"{where}: {problem}"
    if is_deeper(row, DEEPEST):
        yield f"{where}: is nested more than {DEEPEST} levels deep"
        return
    if not is_storable(row):
        yield f"{where}: has a NUL or half a character in it"
    if not str(row.get("input") or "").strip():
        yield f"{where}: input: must not be empty"
        row = {**row, "input": "?"}
    yield from (f"{where}: {problem}" for problem in number_problems(row))
    for mistake in BaselineCase.mistakes(_filled(row, "?")):
        hint = _hint(row.get("category")) if mistake.startswith("category:") else ""
        yield f"{where}: {mistake}{hint}"


def number_problems(row: Mapping[str, JsonValue]) -> Iterator[str]:
    """Numbers that say nothing: nobody has less than no time, and no case takes points away."""
    for name in ("weight", "timeout_seconds"):
        if isinstance(value := row.get(name), int | float) and value < 0:
            yield f"{name}: must not be negative, found {value}"


def id_problem(identity: str) -> str | None:
    """Why a case cannot have this id, which becomes the name of files."""
    try:
        if segment(identity, "id") != identity:
            return f"id {shown(identity)} is not in Unicode normal form C"
    except UsageError as error:
        return str(error)
    head, _, number = identity.rpartition(_REPEAT)
    return "id: names a repeat's result" if head and number.isdigit() else None


def is_deeper(value: JsonValue, levels: int) -> bool:
    """Whether *value* is nested more than that."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(one, levels - 1) for one in inner)


def is_storable(value: JsonValue) -> bool:
    """Whether there is neither a NUL nor half a character in any text of it."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return all(is_storable(key) and is_storable(inner) for key, inner in value.items())
    return all(map(is_storable, value)) if isinstance(value, list) else True


def _twins(rows: Sequence[JsonValue]) -> Iterator[str]:
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        identity = row.get("id") if isinstance(row, dict) else None
        if isinstance(identity, str):
            if identity.casefold() in seen:
                yield f"case {number} ({shown(identity)}): another case has the same id"
            seen.add(identity.casefold())


def _hint(category: JsonValue) -> str:
    wanted = str(category).strip().casefold()
    for known, others in _HINTS.items():
        if wanted == known or any(other in wanted for other in others):
            return f"; did you mean {known}?"
    return ""

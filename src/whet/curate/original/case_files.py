"""The cases of a baseline, made whole."""

import re
from pathlib import Path

from pydantic import JsonValue

from whet.core.naming import slug
from whet.curate.intake.case_rows import CATEGORIES, id_problem
from whet.curate.original.report import Notebook
from whet.documents.cases import BaselineCase, BaselineCases
from whet.documents.shapes import renamed

_TEXTS = ("name", "input", "expected_output")


def mended_cases(
    raw: JsonValue, owner: tuple[str, str], now: str, place: Path, notebook: Notebook
) -> BaselineCases:
    """The document of baseline and version *owner*, with every change noted."""
    document, rows = _parts(raw)
    taken: set[str] = set()
    cases: list[JsonValue] = []
    for index, row in enumerate(rows):
        if isinstance(row, dict):
            cases.append(_mended(row, taken, now, place, notebook))
        else:
            notebook.not_repaired(place, f"cases[{index}] is no object", row)
    identity, version = owner
    fixed: dict[str, JsonValue] = {
        **document,
        "baseline_id": identity,
        "version": version,
        "cases": cases,
    }
    kept = _valid(fixed, place, notebook)
    notebook.compared(place, _headed(raw), {k: v for k, v in kept.items() if k != "cases"})
    return BaselineCases.parse(kept, str(place))


def _parts(raw: JsonValue) -> tuple[dict[str, JsonValue], list[JsonValue]]:
    match raw:
        case list():
            return {}, raw
        case {"cases": [*rows]}:
            return raw, rows
        case dict():
            return raw, []
        case _:
            return {}, []


def _headed(raw: JsonValue) -> JsonValue:
    """What stands beside the cases; a bare list has nothing there."""
    return {k: v for k, v in raw.items() if k != "cases"} if isinstance(raw, dict) else {}


def _mended(
    row: dict[str, JsonValue], taken: set[str], now: str, place: Path, notebook: Notebook
) -> JsonValue:
    modern = renamed(row, "case_id", "id")
    fixed: dict[str, JsonValue] = dict(modern) if isinstance(modern, dict) else {}
    fixed["id"] = _identity(fixed.get("id"), taken)
    for name in _TEXTS:
        value = fixed.get(name)
        if not isinstance(value, str):
            fallback = str(fixed["id"]) if name == "name" else ""
            fixed[name] = fallback if value is None else str(value)
    if not isinstance(fixed.get("description", ""), str):
        fixed["description"] = str(fixed["description"] or "")
    if fixed.get("category") not in CATEGORIES:
        fixed["category"] = "standard"
    for name in ("created_at", "updated_at"):
        if not isinstance(fixed.get(name), str) or not fixed[name]:
            fixed[name] = now
    for what, old, new in _changes(row, fixed):
        notebook.changed(place, f"case {fixed['id']}: {what}", old, new)
    return fixed


def _changes(
    row: dict[str, JsonValue], fixed: dict[str, JsonValue]
) -> list[tuple[str, JsonValue, JsonValue]]:
    found: list[tuple[str, JsonValue, JsonValue]] = []
    if "case_id" in row and "id" not in row:
        found.append(("case_id is called id now", row["case_id"], fixed["id"]))
        row = {**row, "id": fixed["id"]}
    found += [(k, row.get(k), fixed[k]) for k in fixed if row.get(k) != fixed[k]]
    return found


def _identity(value: JsonValue, taken: set[str]) -> str:
    """An id that can be the name of a file and is nobody else's."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text or id_problem(text):
        text = slug(text, "") or f"case_{len(taken) + 1:03}"
    found, number = text, 1
    while found in taken:
        number += 1
        found = f"{text}_{number}"
    taken.add(found)
    return found


def _valid(document: dict[str, JsonValue], place: Path, notebook: Notebook) -> dict[str, JsonValue]:
    """*document* without those optional parts that are no such parts."""
    cases = document["cases"]
    kept: list[JsonValue] = []
    for case in cases if isinstance(cases, list) else []:
        alone: dict[str, JsonValue] = dict(case) if isinstance(case, dict) else {}
        for name in _broken_parts(alone):
            notebook.not_repaired(place, f"case {alone['id']}: {name} is left out", alone[name])
            del alone[name]
        kept.append(alone)
    fixed: dict[str, JsonValue] = {**document, "cases": kept}
    if BaselineCases.mistakes(fixed):
        notebook.not_repaired(place, "rubric is left out", fixed.pop("rubric", None))
    return fixed


def _broken_parts(case: dict[str, JsonValue]) -> list[str]:
    places = [re.split(r"[:.\[]", mistake)[0] for mistake in BaselineCase.mistakes(case)]
    return [name for name in dict.fromkeys(places) if name in case]

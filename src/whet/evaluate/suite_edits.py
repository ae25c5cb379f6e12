"""Edits of a suite: what they are, what they would change, and the change itself.

An edit changes what it says and nothing else: order, unknown keys and the layout of the file
stay. An edit that is done already changes nothing.
"""

import difflib
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Literal, cast

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.text import storable
from whet.core.value import Value
from whet.documents.files import write_atomic
from whet.evaluate.suite import FILE
from whet.evaluate.suite_text import rewritten

Kind = Literal["add_expectation", "add_check", "replace_check", "remove_check", "mark_critical"]
Raw = dict[str, JsonValue]

_BESIDES = ("id", "description", "critical", "weight")
"""What two checks for the same thing may differ in."""


class SuiteEdit(Value):
    """One change of a suite that somebody proposes."""

    kind: Kind
    eval_ids: tuple[int | str, ...]
    reason: str
    text: str = ""
    """The expectation that is added."""

    check: Raw | None = None
    """The check that is added, or put in the place of another."""

    target: str | None = None
    """The id of the check concerned; a check that is added goes before it."""

    source: Literal["runs", "model"] = "runs"
    """Whether it follows from the runs by rule, or a model was asked."""

    frequency: int | None = None
    """How many runs asked for it."""


def edited(data: JsonValue, edits: Iterable[SuiteEdit]) -> JsonValue:
    """The suite after *edits*, all of which speak of *data* as it is."""
    suite = deepcopy(data)
    evals = {str(raw.get("id")): _Edited(raw) for raw in raw_evals(suite)}
    for edit in edits:
        for eval_id in edit.eval_ids:
            if (each := evals.get(str(eval_id))) is not None:
                each.apply(edit)
    for each in evals.values():
        each.write()
    return suite


def is_done(data: JsonValue, edit: SuiteEdit) -> bool:
    """Whether the edit would change nothing."""
    return edited(data, [edit]) == data


def difference(before: str, after: str) -> str:
    """The change of the suite's text as a unified diff; empty when there is none."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{FILE}", f"b/{FILE}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def edited_text(text: str, data: JsonValue, edits: Iterable[SuiteEdit]) -> str:
    """The text of the suite after *edits*; *data* is what the text says."""
    return rewritten(text, edited(data, edits))


def write_suite(folder: Path, text: str) -> None:
    """Put the suite of the skill in *folder* in its place."""
    path = folder / FILE
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{path.parent} leads out of the skill's folder")
    mode = path.stat().st_mode if path.is_file() else None
    write_atomic(path, text, durable=True)
    if mode is not None:
        path.chmod(mode & 0o777)


def raw_evals(data: JsonValue) -> list[Raw]:
    """The evals as they are written."""
    match data:
        case {"evals": [*evals]}:
            return [raw for raw in evals if isinstance(raw, dict)]
        case _:
            return []


def raw_checks(raw: Raw) -> list[tuple[str, Raw]]:
    """The checks of an eval as they are written, by the ids that reports call them by."""
    given = raw.get("structural_expectations")
    checks = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    return [(_id(one, number), one) for number, one in enumerate(checks, start=1)]


def is_same_check(first: Raw, second: Raw) -> bool:
    """Whether two checks look at the same thing in the same way."""
    return _core(first) == _core(second)


class _Edited:
    """One eval while it is edited. A check that is called by its place keeps its name."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._checks = raw_checks(raw)
        self._before = list(self._checks)

    def apply(self, edit: SuiteEdit) -> None:
        """Do it, unless it is done."""
        match edit.kind:
            case "add_expectation":
                self._add_expectation(storable(edit.text))
            case "add_check":
                self._add_check(edit.check or {}, edit.target)
            case "replace_check":
                self._change(edit.target, lambda old: _replaced(old, edit.check or {}))
            case "mark_critical":
                self._change(edit.target, _critical)
            case "remove_check":
                self._checks = [each for each in self._checks if each[0] != edit.target]

    def write(self) -> None:
        """Put the checks back, if they are others now."""
        if self._checks == self._before:
            return
        named = [
            raw if _id(raw, number) == name else {"id": name, **raw}
            for number, (name, raw) in enumerate(self._checks, start=1)
        ]
        self._raw["structural_expectations"] = cast("JsonValue", named)

    def _add_expectation(self, text: str) -> None:
        is_old = "assertions" in self._raw and "expectations" not in self._raw
        name = "assertions" if is_old else "expectations"
        given = self._raw.get(name)
        texts = given if isinstance(given, list) else []
        if text and all(_plain(text) != _plain(str(one)) for one in texts):
            self._raw[name] = [*texts, text]

    def _add_check(self, check: Raw, target: str | None) -> None:
        for place, (name, raw) in enumerate(self._checks):
            if is_same_check(raw, check):
                if check.get("critical"):
                    self._checks[place] = name, _critical(raw)
                return
        names = [name for name, _ in self._checks]
        new = _free([*names, *(name for name, _ in self._before)])
        numbered: Raw = {"id": new, **{key: one for key, one in check.items() if key != "id"}}
        self._checks.insert(names.index(target) if target in names else len(names), (new, numbered))

    def _change(self, target: str | None, change: Callable[[Raw], Raw]) -> None:
        self._checks = [
            (name, change(raw) if name == target else raw) for name, raw in self._checks
        ]


def _replaced(old: Raw, new: Raw) -> Raw:
    """*new* in the place of *old*: its id stays, and its importance unless *new* has another."""
    kept = {name: old[name] for name in ("id", "critical", "weight") if name in old}
    wanted: Raw = {name: one for name, one in new.items() if name != "id"}
    first: Raw = {"id": kept.pop("id")} if "id" in kept else {}
    return {**first, **wanted, **{name: one for name, one in kept.items() if name not in wanted}}


def _critical(check: Raw) -> Raw:
    return {**check, "critical": True}


def _core(check: Raw) -> Raw:
    return {name: one for name, one in check.items() if name not in _BESIDES and one is not None}


def _id(check: Raw, number: int) -> str:
    given = check.get("id")
    return f"S{number}" if given is None else str(given)


def _free(names: Iterable[str]) -> str:
    """An id that nobody has or just had."""
    taken = set(names)
    return next(name for number in count(1) if (name := f"S{number}") not in taken)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()

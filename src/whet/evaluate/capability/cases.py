"""Cases of capability sets as cases of the core: every way to write a rule becomes a check.

A rule stands beside what it expects (``checker`` and ``expected``), has it inside (an object, in
the present or in the older form), or is one of several with weights.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import cast

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.check import CheckSpec
from whet.core.files import FileRef, inside
from whet.core.tools import SKILL
from whet.documents.capability import MOST_SECONDS, MOST_WEIGHT, CapabilityCase, Checker
from whet.evaluate.capability.ids import mistake
from whet.evaluate.check import Reading, read_checks
from whet.ports.blobs import Blobs
from whet.ports.checker import Checker as Rule

MOST_FILE = 4 * 1024 * 1024
"""Bytes of one fixture."""

ORIGINAL_ROOT = "eval/{run_id}"
ORIGINAL_FILES: Mapping[str, str] = {
    f"{ORIGINAL_ROOT}/fixtures/alpha.txt": "alpha beta gamma",
    f"{ORIGINAL_ROOT}/fixtures/list/a.txt": "a",
    f"{ORIGINAL_ROOT}/fixtures/list/b.txt": "b",
    f"{ORIGINAL_ROOT}/outputs/replace.txt": "hello world",
    f"{ORIGINAL_ROOT}/outputs/edit.txt": "line1\nline2",
}
"""What the original program laid into the folder of every run, before its sets could say so."""

_SPREAD = ("file_count", "file_not_contains", "no_errors")
"""Types whose fields stand by themselves: an object that is expected holds them."""

_ALONE = {
    "choice": "answer",
    "exact": "answer",
    "contains": "text",
    "regex": "pattern",
    "tool_called": "tool",
    "file_exists": "path",
}
_TOGETHER: Mapping[str, Mapping[str, str]] = {
    "tool_args": {"tool": "tool", "required": "args"},
    "file_contains": {"path": "path", "text": "text"},
    "json_contains": {"path": "path", "required": "required"},
    "json_schema": {"path": "path", "schema": "schema"},
}
"""Where the older form has what is expected."""


@dataclass(frozen=True, slots=True)
class Names:
    """What ``{run_id}`` and ``{user_id}`` stand for."""

    run_id: str
    user_id: str

    def text(self, text: str) -> str:
        """*text* with the names in it."""
        if "{" not in text:
            return text
        return text.replace("{run_id}", self.run_id).replace("{user_id}", self.user_id)

    def value(self, value: JsonValue) -> JsonValue:
        """The same of every text in a value, keys included."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(one) for one in value]
            case dict():
                return {self.text(key): self.value(one) for key, one in value.items()}
            case _:
                return value


def rules(case: CapabilityCase) -> list[dict[str, JsonValue]]:
    """The rules of *case*, each as a check is written."""
    match case.checker:
        case str() as type_:
            return [_with_fields(type_, case.expected)]
        case Checker() as single:
            return [_rule(single, case.expected)]
        case several:
            return [_rule(one, None) for one in several]


def tools_of(case: CapabilityCase) -> tuple[str, ...]:
    """What the agent must have: what the case says, and whatever tools its rules look for."""
    return tuple(dict.fromkeys([*case.prerequisites, *checked_tools(case)]))


def checked_tools(case: CapabilityCase) -> Iterator[str]:
    """The tools and skills that the rules of *case* look for."""
    for rule in rules(case):
        match rule:
            case {"type": "tool_called", "expected": str(tool)}:
                yield tool
            case {"type": "tool_args", "expected": {"tool": str(tool)}}:
                yield tool
            case {"type": "skill_triggered", "expected": str(skill)}:
                yield SKILL + skill
            case _:
                pass


def fixtures(case: CapabilityCase) -> Mapping[str, str]:
    """The files that lie there at the start."""
    if case.files is None and ORIGINAL_ROOT in f"{case.prompt}{rules(case)}":
        return ORIGINAL_FILES
    return case.files or {}


def checks_of(case: CapabilityCase, checkers: Mapping[str, Rule], names: Names) -> Reading:
    """The rules of *case* as checks, and every mistake in it, in whatever place."""
    where = f"case {case.id!r}"
    given = [names.value(rule) for rule in rules(case)]
    reading = read_checks(given, where, checkers)
    found = [f"{where}: {wrong}" for wrong in _wrong(case, names)]
    return Reading(reading.specs, (*found, *reading.problems))


def core_case(
    case: CapabilityCase, set_name: str, checks: Sequence[CheckSpec], names: Names, timeout_s: float
) -> tuple[Case, Sequence[bytes]]:
    """*case*, which has no mistakes, with its checks, and the content of its files."""
    texts = {names.text(path): names.text(text) for path, text in fixtures(case).items()}
    content = {path: text.encode(errors="replace") for path, text in sorted(texts.items())}
    made = Case(
        id=case.id,
        set=set_name,
        name=case.id,
        category=case.dimension,
        stimulus=Stimulus(
            prompt=names.text(case.prompt),
            files=tuple(
                FileRef(path=path, digest=digest_bytes(data), size=len(data))
                for path, data in content.items()
            ),
            limits=Limits(timeout_seconds=case.timeout_s or timeout_s),
        ),
        standard=Standard(weight=1 if case.weight is None else case.weight, checks=tuple(checks)),
    )
    return made, tuple(content.values())


def keep_files(content: Sequence[bytes], blobs: Blobs) -> None:
    """Put the files of a case where trials look for them."""
    for data in content:
        blobs.put(data)


def _rule(checker: Checker, expected: JsonValue) -> dict[str, JsonValue]:
    given = cast("dict[str, JsonValue]", checker.to_data())
    given = {name: value for name, value in given.items() if value is not None}
    shared = {name: given.pop(name) for name in ("id", "description", "weight") if name in given}
    type_ = cast("str", given.pop("type"))
    if "expected" in given:
        spelled = _with_fields(type_, given.pop("expected"))
        return {**spelled, **given, **shared}
    fields = _older(type_, given)
    if not fields and expected is not None:
        fields = _with_fields(type_, expected)
    return {"type": type_, **fields, **shared}


def _with_fields(type_: str, expected: JsonValue) -> dict[str, JsonValue]:
    if type_ in _SPREAD and isinstance(expected, dict):
        return {**expected, "type": type_}
    return {"type": type_} if expected is None else {"type": type_, "expected": expected}


def _older(type_: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a check, from those that stand beside its type."""
    if (name := _ALONE.get(type_)) in given and name is not None:
        rest = {key: value for key, value in given.items() if key != name}
        return {"expected": given[name], **rest}
    if (names := _TOGETHER.get(type_)) and not names.keys().isdisjoint(given):
        if type_ == "file_contains" and "pattern" in given:
            return dict(given)
        inner: dict[str, JsonValue] = {
            new: given[old] for old, new in names.items() if old in given
        }
        return {"expected": inner, **{key: given[key] for key in given if key not in names}}
    return dict(given)


def _wrong(case: CapabilityCase, names: Names) -> Iterator[str]:
    """What is wrong with a case apart from its rules."""
    if wrong := mistake(case.id):
        yield f"id: {wrong}"
    if not case.prompt.strip():
        yield "prompt: must not be empty"
    if case.weight is not None and not 0 < case.weight <= MOST_WEIGHT:
        yield f"weight: must be more than 0 and at most {MOST_WEIGHT}"
    if case.timeout_s is not None and not 0 < case.timeout_s <= MOST_SECONDS:
        yield f"timeout_s: must be more than 0 and at most {MOST_SECONDS}"
    if case.checker == ():
        yield "checker: there is none"
    yield from _wrong_files(case, names)


def _wrong_files(case: CapabilityCase, names: Names) -> Iterator[str]:
    paths = [names.text(path) for path in fixtures(case)]
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    for path, text in zip(paths, fixtures(case).values(), strict=True):
        try:
            inside(path)
        except ValueError:
            yield f"files: {path!r} must be a relative path inside the working folder"
        if len(text) > MOST_FILE:
            yield f"files: {path!r} has more than {MOST_FILE} characters"
        if path in folders:
            yield f"files: {path!r} is a file and a folder"

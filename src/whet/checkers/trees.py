"""Checks of the working folder as the agent left it, and of what it did to it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields
from whet.checkers.search import MOST_BYTES, as_text
from whet.checkers.verdict import failed, listed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.core.files import inside
from whet.core.untrusted_regex import matches_file
from whet.ports.checker import Subject

_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class _Wish:
    """One thing that should be so."""

    met: bool
    told: str
    """What is so instead."""


class DirectoryStructure:
    """The folder has these files and folders, has others not, or has exactly these.

    The folder is what the agent got, without what it removed, and with what it made. The score is
    the share of what should be so.
    """

    name = "directory_structure"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": _structure}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = _as_structure(spec.fields["expected"])
        root = cast("str", expected.get("root", ""))
        there = list(_below(root, _left(subject)))
        wanted = cast("list[str]", expected.get("paths", []))
        absent = cast("list[str]", expected.get("absent", []))
        wishes = [_present(pattern, there) for pattern in wanted]
        wishes += [_missing(pattern, there) for pattern in absent]
        if expected.get("exact"):
            wishes.append(_nothing_else(wanted, there))
        where = f" in {shown(root)}" if root else ""
        return _decided(spec, wishes, f"{len(there)} files{where}: {listed(there) or 'none'}")


class FileDiff:
    """A file lost and gained these lines, and nothing else happened where nothing else should.

    A file that is as it was scores 0: what did not happen cannot have happened rightly.
    """

    name = "file_diff"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        found = fields.problems(spec, {"expected": _difference}, {})
        match spec.fields.get("expected"):
            case dict() as expected if not expected.get("removed") and not expected.get("added"):
                found.append("expected: removed or added is missing")
            case _:
                pass
        return found

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = cast("dict[str, JsonValue]", spec.fields["expected"])
        path = cast("str", expected["path"])
        if path not in subject.outputs:
            gone = path in subject.record.deleted
            state = (
                "is gone"
                if gone
                else "was not changed"
                if path in subject.inputs
                else "is not there"
            )
            return failed(spec, f"{shown(path)} {state}")
        before, after = subject.inputs.get(path, b""), subject.outputs[path]
        if max(len(before), len(after)) > MOST_BYTES:
            reason = f"{shown(path)} is too large to be compared"
            return failed(spec, reason, error=reason)
        wishes = list(_changes(expected, _lines(before), _lines(after)))
        wishes += [_same(other, subject) for other in _texts(expected, "same")]
        return _decided(spec, wishes, f"{shown(path)} has changed as it should")


def _decided(spec: CheckSpec, wishes: Sequence[_Wish], good: str) -> CheckResult:
    unmet = [wish.told for wish in wishes if not wish.met]
    if not unmet:
        return passed(spec, good)
    more = f" and {len(unmet) - _MOST_TOLD} more" if len(unmet) > _MOST_TOLD else ""
    share = 1 - len(unmet) / len(wishes)
    return failed(spec, "; ".join(unmet[:_MOST_TOLD]) + more, score=share)


def _left(subject: Subject) -> list[str]:
    """The paths of all files that are there in the end."""
    paths = {*subject.inputs} - {*subject.record.deleted} | {*subject.outputs}
    return sorted(paths)


def _below(root: str, paths: Iterable[str]) -> Iterator[str]:
    prefix = f"{root.rstrip('/')}/" if root else ""
    return (path.removeprefix(prefix) for path in paths if path.startswith(prefix))


def _present(pattern: str, there: Sequence[str]) -> _Wish:
    kind = "folder with files" if pattern.endswith("/") else "file"
    return _Wish(
        any(_matches(pattern, path) for path in there), f"no {kind} is at {shown(pattern)}"
    )


def _missing(pattern: str, there: Sequence[str]) -> _Wish:
    found = [path for path in there if _matches(pattern, path)]
    return _Wish(not found, f"should not be there: {listed(found)}")


def _nothing_else(wanted: Sequence[str], there: Sequence[str]) -> _Wish:
    others = [path for path in there if not any(_matches(pattern, path) for pattern in wanted)]
    return _Wish(not others, f"is there besides: {listed(others)}")


def _matches(pattern: str, path: str) -> bool:
    """Whether a pattern that begins at the root is *path*; one with ``/`` at its end is a folder
    and means all that lies below."""
    parts, names = pattern.rstrip("/").split("/"), path.split("/")
    enough = len(names) > len(parts) if pattern.endswith("/") else len(names) == len(parts)
    pairs = zip(parts, names, strict=False)
    return enough and all(matches_file(name, part) for part, name in pairs)


def _changes(
    expected: Mapping[str, JsonValue], before: Sequence[str], after: Sequence[str]
) -> Iterator[_Wish]:
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    removed, added = Counter(_texts(expected, "removed")), Counter(_texts(expected, "added"))
    for line in removed:
        yield _Wish(lost[line] >= removed[line], f"the line {shown(line)!r} should be gone")
    for line in added:
        yield _Wish(gained[line] >= added[line], f"the line {shown(line)!r} should be new")
    if expected.get("only"):
        yield _only(lost - removed, gained - added)
        yield _in_order(before, after, {*removed, *added})


def _only(lost: Counter[str], gained: Counter[str]) -> _Wish:
    told = [f"-{line}" for line in lost] + [f"+{line}" for line in gained]
    return _Wish(not told, f"changed besides: {listed(told)}")


def _in_order(before: Sequence[str], after: Sequence[str], changed: set[str]) -> _Wish:
    rest = [[line for line in lines if line not in changed] for lines in (before, after)]
    moved = Counter(rest[0]) == Counter(rest[1]) and rest[0] != rest[1]
    return _Wish(not moved, "lines that should stay are in another order")


def _same(path: str, subject: Subject) -> _Wish:
    touched = path in subject.outputs or path in subject.record.deleted
    return _Wish(not touched, f"{shown(path)} should be as it was")


def _lines(data: bytes) -> list[str]:
    lines = as_text(data).removeprefix("\ufeff").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _texts(expected: Mapping[str, JsonValue], name: str) -> list[str]:
    return cast("list[str]", expected.get(name, []))


def _as_structure(value: JsonValue) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", value if isinstance(value, dict) else {"paths": value})


def _structure(value: JsonValue) -> str | None:
    if isinstance(value, list):
        return _patterns(value)
    if wrong := _RULE(value):
        return wrong
    given = cast("dict[str, JsonValue]", value)
    return None if {"paths", "absent"} & given.keys() else "must have paths or absent"


def _patterns(value: JsonValue) -> str | None:
    if wrong := fields.texts(value):
        return wrong
    for one in cast("list[str]", value):
        try:
            inside(one.removesuffix("/"))
        except ValueError:
            return f"must stay inside the folder, found {one!r}"
        if "**" in one:
            return f"knows no '**', found {one!r}; a '/' at the end means all below"
    return None


def _flag(value: JsonValue) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


def _paths(value: JsonValue) -> str | None:
    several = cast("list[JsonValue]", value) if isinstance(value, list) else []
    return fields.texts(value) or next(filter(None, map(fields.path, several)), None)


def _line_list(value: JsonValue) -> str | None:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return "must be a list of lines"
    broken = any("\n" in cast("str", one) for one in value)
    return "must be a list of single lines, without line breaks" if broken else None


_RULE = fields.members(
    {}, {"root": fields.path, "paths": _patterns, "absent": _patterns, "exact": _flag}
)
_difference = fields.members(
    {"path": fields.path},
    {"removed": _line_list, "added": _line_list, "only": _flag, "same": _paths},
)

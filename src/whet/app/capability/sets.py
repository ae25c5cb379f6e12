"""The case sets that there are: those that ship with whet, and those of the workspace.

One file is one part of a set: a set may be split over several, by language or by dimension. A
file of the workspace goes before a bundled one of the same name and language.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import JsonValue

from whet.core.address import digest
from whet.core.errors import InvalidSuite, NotFound, WhetError
from whet.core.text import shortened_path
from whet.documents.capability import CapabilityCaseSet, CaseSetSummary
from whet.documents.text import parse_json, parse_untrusted, read_json, rows_problem
from whet.evaluate.capability.lint import Part
from whet.evaluate.capability.select import plain

FOLDER = "evaluation/cases"
"""In the workspace."""

DEFAULT = "default"
BUNDLED = "bundled"
MOST_BYTES = 64 * 1024 * 1024

_CASE_SET = re.compile(rb'"case_set"\s*:\s*"([^"\\]+)"')
_LANGUAGE = re.compile(r"\.[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,8})?$")


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A file with cases, or why it is none."""

    name: str
    """What the set says it is called, else the name of its file without the language."""

    source: str
    """``bundled`` and the file's name, or the path in the workspace."""

    case_set: CapabilityCaseSet | None
    digest: str | None
    problem: str | None = None

    @property
    def language(self) -> str | None:
        """The language of its cases, as far as the set says."""
        return self.case_set.language if self.case_set else None

    @property
    def version(self) -> int | str | None:
        """The version that the set says it has."""
        return self.case_set.version if self.case_set else None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the set."""
        return self.case_set.tags if self.case_set else ()

    def summary(self) -> CaseSetSummary:
        """The set in a line."""
        cases = self.case_set.cases if self.case_set else ()
        return CaseSetSummary(
            case_set=self.name,
            language=self.language,
            version=self.version,
            case_count=len(cases),
            dimensions=dict(Counter(case.dimension for case in cases)),
            tags=self.tags,
            source=self.source,
            digest=self.digest,
            problem=self.problem,
        ).lean()


def case_sets(workspace: Path) -> Sequence[FoundSet]:
    """Every file with cases, broken ones too: bundled ones first, each group by file name."""
    own = _of_workspace(workspace)
    taken = {(found.name, plain(found.language or "")) for found in own if found.case_set}
    bundled = [
        found for found in _bundled() if (found.name, plain(found.language or "")) not in taken
    ]
    return [*bundled, *own]


def named(found: Sequence[FoundSet], name: str = DEFAULT) -> tuple[CapabilityCaseSet, ...]:
    """All parts of the set of that name; raises ``NotFound``, or ``InvalidSuite`` where a part
    cannot be read: a run must not be a part of what somebody thinks it is."""
    parts = [one for one in found if one.name == name]
    broken = [f"{one.source}: {one.problem}" for one in parts if one.problem]
    if broken:
        raise InvalidSuite(f"case set {name}", broken)
    if not parts:
        known = sorted({one.name for one in found if one.case_set})
        raise NotFound(f"no case set {name!r}; there are: {', '.join(known) or 'none'}")
    return tuple(one.case_set for one in parts if one.case_set)


def no_set_or_file(workspace: Path, reference: str) -> NotFound:
    """The error where *reference* is neither a set nor a file."""
    known = ", ".join(sorted({one.name for one in case_sets(workspace)}))
    return NotFound(f"no case set and no file {shortened_path(reference, 200)!r}; sets: {known}")


def together(sets: Sequence[CapabilityCaseSet]) -> CapabilityCaseSet:
    """All parts of a set as one, each case with its language: what a run keeps."""
    cases: list[JsonValue] = []
    for one in sets:
        for case in one.cases:
            data = case.to_data()
            spoken = case.language or one.language
            if spoken and isinstance(data, dict):
                data = {**data, "language": spoken}
            cases.append(data)
    shared = {one.language for one in sets}
    content: dict[str, JsonValue] = {
        "version": next((one.version for one in sets if one.version is not None), None),
        "case_set": next((one.case_set for one in sets if one.case_set), None),
        "language": shared.pop() if len(shared) == 1 else None,
        "tags": list(dict.fromkeys(tag for one in sets for tag in one.tags)),
        "cases": cases,
    }
    return CapabilityCaseSet.parse(content, "case set")


def parts(workspace: Path, name: str | None = None) -> list[Part]:
    """The files of a set, or of all, as lint takes them: those that cannot be read too."""
    found = [one for one in case_sets(workspace) if name is None or one.name == name]
    return [_part(workspace, one) for one in found]


def part(path: Path) -> Part:
    """A file from anywhere, as lint takes it; raises ``WhetError`` where it is no JSON."""
    data = read_json(path, MOST_BYTES)
    return Part(str(path), _said(data) or _stem(path.name), data)


def _part(workspace: Path, found: FoundSet) -> Part:
    if found.source.startswith(f"{BUNDLED}/"):
        return Part(found.source, found.name, found.case_set.to_data() if found.case_set else None)
    try:
        return Part(found.source, found.name, read_json(workspace / found.source, MOST_BYTES))
    except (WhetError, RecursionError):
        return Part(found.source, found.name, None, found.problem)


def digest_of(case_set: CapabilityCaseSet) -> str:
    """The identity of a set: what it says."""
    return digest(case_set.to_data())


def load(path: Path) -> CapabilityCaseSet:
    """The set in a file; raises ``WhetError``. Where it does not say its name, that is the
    file's."""
    return _set(read_json(path, MOST_BYTES), path.name, str(path))


def _of_workspace(workspace: Path) -> list[FoundSet]:
    folder = workspace / FOLDER
    try:
        paths = sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))
    except OSError:
        paths = []
    found: list[FoundSet] = []
    for path in paths:
        source = f"{FOLDER}/{path.name}"
        try:
            if not path.is_file():
                raise InvalidSuite(path, ["is not a file"])
            found.append(_found(load(path), source))
        except (WhetError, RecursionError) as error:
            found.append(FoundSet(_belonging(path), source, None, None, _told(error, path)))
    return found


def _belonging(path: Path) -> str:
    """The set that a file belongs to of which something is wrong: what it says, as far as that can
    be made out, else its name. A set must not be taken for whole without it."""
    data, said = b"", None
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                data = file.read(MOST_BYTES)
    try:
        said = _said(parse_untrusted(data, path.name))
    except (WhetError, RecursionError):
        if match := _CASE_SET.search(data):
            said = match.group(1).decode(errors="replace")
    return said or _stem(path.name)


def _said(data: JsonValue) -> str | None:
    said = data.get("case_set") if isinstance(data, dict) else None
    return said if isinstance(said, str) else None


@cache
def _bundled() -> tuple[FoundSet, ...]:
    folder = files("whet.app").joinpath("case_sets")
    entries = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    found: list[FoundSet] = []
    for name in entries:
        data = parse_json(folder.joinpath(name).read_bytes(), name)
        found.append(_found(_set(data, name, name), f"{BUNDLED}/{name}"))
    return tuple(found)


def _found(case_set: CapabilityCaseSet, source: str) -> FoundSet:
    return FoundSet(case_set.case_set or "", source, case_set, digest_of(case_set))


def _set(data: JsonValue, file: str, source: str) -> CapabilityCaseSet:
    if problem := rows_problem(_object(data).get("cases"), "cases"):
        raise InvalidSuite(source, [problem])
    read = CapabilityCaseSet.parse(data, source)
    if read.case_set:
        return read
    return CapabilityCaseSet.parse({**_object(read.to_data()), "case_set": _stem(file)}, source)


def _object(data: JsonValue) -> dict[str, JsonValue]:
    return data if isinstance(data, dict) else {}


def _stem(file: str) -> str:
    return _LANGUAGE.sub("", file.removesuffix(".json")) or file


def _told(error: Exception, path: Path) -> str:
    """Why a file is no set; that it is this file stands elsewhere."""
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return str(error).removeprefix(f"{path}").lstrip(": ")

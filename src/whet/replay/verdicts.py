"""Where a verdict comes from: the calls that a check or a judge's evidence speaks of.

Nothing is linked without evidence, and each link says what it is:

- ``tool`` and ``arguments``: a check of tools names the tool, and the arguments it was given;
- ``failure``: a check that wants no errors failed, and the call did too;
- ``skill``: a check of skills, and the call that took one up;
- ``file``: the check or the evidence names a file, and the call wrote it, or read it if none wrote
  it. A name alone is no evidence if several files have it;
- ``quote``: the evidence quotes words of at least twelve characters that the call was given or gave
  back.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, cast

from pydantic import JsonValue

from whet.core.check import CheckSpec
from whet.core.grade import Grade
from whet.core.tools import PATHS, canonical, canonical_arguments
from whet.documents.grading import Grading
from whet.documents.session_timeline import VerdictLink
from whet.replay.acts import Act, Acts, output_of, same_file
from whet.replay.files import FileUse, file_uses
from whet.replay.skills import skill_uses
from whet.replay.subjects import one_line, plain_path

MOST = 20
"""Links of one verdict; the first calls count."""

MOST_QUOTES = 30
"""Quotes of all verdicts together that are looked for."""

_SHORTEST, _LONGEST = 12, 200
_MOST_HITS = 5
_QUOTE = re.compile(
    r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|「([^」\n]+)」|(?<!\w)'([^'\n]+)'(?!\w)"
)
_PIECES = re.compile(r"…|\.\.\.|\[…\]")
_MAGIC = re.compile(r"[*?\[]")

_OF_FILES = frozenset(
    {
        "file_exists",
        "file_contains",
        "file_count",
        "file_diff",
        "file_not_contains",
        "directory_structure",
        "json_contains",
        "json_schema",
    }
)


class Hit(NamedTuple):
    """A call, and why it is linked."""

    place: int
    reason: Literal["file", "tool", "arguments", "quote", "failure", "skill"]
    because: str


@dataclass(frozen=True)
class Verdict:
    """Something that was decided about a session, by rule or by a judge."""

    name: str
    text: str
    passed: bool | None
    evidence: str
    score: float | None = None
    type: str = ""
    fields: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


def verdicts_of(grade: Grade, specs: Iterable[CheckSpec] = ()) -> list[Verdict]:
    """What checks and judges made of a record; *specs* are its checks as they were written."""
    fields = {spec.id: spec.fields for spec in specs}
    found = [
        Verdict(
            f"check:{one.id}",
            one.text,
            one.passed,
            one.evidence,
            one.score,
            one.type,
            fields.get(one.id, {}),
        )
        for one in grade.checks
        if not one.skipped
    ]
    found += [
        Verdict(f"expectation:{number}", one.text, one.passed, one.evidence)
        for number, one in enumerate(grade.expectations, start=1)
    ]
    found += [
        Verdict(f"dimension:{name}", name, None, one.evidence, one.score)
        for name, one in grade.dimensions.items()
    ]
    return found


def verdicts_in(grading: Grading, specs: Iterable[CheckSpec] = ()) -> list[Verdict]:
    """The same, of a ``grading.json``."""
    fields = {spec.id: spec.fields for spec in specs}
    found: list[Verdict] = []
    judged = 0
    for one in grading.expectations:
        judged += one.id is None
        name = f"expectation:{judged}" if one.id is None else f"check:{one.id}"
        given = fields.get(one.id or "", {})
        found.append(Verdict(name, one.text, one.passed, one.evidence, None, one.type or "", given))
    for name, one in (grading.rubric_scores or {}).items():
        found.append(Verdict(f"dimension:{name}", name, None, one.evidence, one.score))
    return found


def links(acts: Acts, verdicts: Sequence[Verdict]) -> list[VerdictLink]:
    """The calls that each verdict speaks of, in the order of verdicts and calls."""
    linking = _Linking(acts)
    found: list[VerdictLink] = []
    for verdict in verdicts:
        hits: dict[int, Hit] = {}
        for hit in linking.of(verdict):
            hits.setdefault(hit.place, hit)
        found += [_link(acts, verdict, hits[place]) for place in sorted(hits)[:MOST]]
    return found


def _link(acts: Acts, verdict: Verdict, hit: Hit) -> VerdictLink:
    return VerdictLink(
        verdict=verdict.name,
        text=one_line(verdict.text, _LONGEST),
        passed=verdict.passed,
        score=verdict.score,
        index=hit.place,
        call_id=acts[hit.place].call_id,
        reason=hit.reason,
        because=one_line(hit.because, _LONGEST),
    )


class _Linking:
    """Looks for the calls; what several verdicts need is worked out once."""

    def __init__(self, acts: Acts) -> None:
        self._acts = acts
        self._quotes = MOST_QUOTES

    def of(self, verdict: Verdict) -> Iterator[Hit]:
        """The calls of one verdict, the strongest reasons first."""
        match verdict.type:
            case "tool_called":
                yield from self._tool(verdict.fields.get("expected"))
            case "tool_args":
                yield from self._arguments(verdict.fields.get("expected"))
            case "no_errors" if not verdict.passed:
                yield from (Hit(a.index, "failure", a.tool) for a in self._acts if a.failed)
            case "skill_triggered":
                for use in skill_uses(self._acts):
                    if use.place is not None:
                        yield Hit(use.place, "skill", use.skill)
            case kind if kind in _OF_FILES:
                yield from self._checked(verdict.fields)
            case _:
                pass
        yield from self._named(verdict.evidence)
        yield from self._quoted(verdict.evidence)

    def _tool(self, expected: JsonValue) -> Iterator[Hit]:
        if isinstance(expected, str):
            name = canonical(expected)
            yield from (Hit(act.index, "tool", name) for act in self._acts if act.tool == name)

    def _arguments(self, expected: JsonValue) -> Iterator[Hit]:
        match expected:
            case {"tool": str(tool), "args": dict(args)}:
                name = canonical(tool)
            case _:
                return
        wanted = canonical_arguments(name, args)
        calls = [act for act in self._acts if act.tool == name]
        fitting = [act for act in calls if _fits(act, wanted)]
        told = ", ".join(f"{key}={value}" for key, value in wanted.items())
        yield from (Hit(act.index, "arguments", f"{name} {told}") for act in fitting)
        if not fitting:
            yield from (Hit(act.index, "tool", name) for act in calls)

    def _checked(self, fields: Mapping[str, JsonValue]) -> Iterator[Hit]:
        """By the files that the fields of a check name."""
        for pattern in _patterns(fields):
            for path, use in self._files.items():
                if use.writes and _is_meant(pattern, path):
                    yield from (Hit(place, "file", path) for place in use.writes)

    def _named(self, evidence: str) -> Iterator[Hit]:
        """By the files that the evidence names."""
        for name, own in self._by_name.items():
            if name not in evidence:
                continue
            said = [_mentioned(evidence, use.path) for use in own]
            likely = [use for use, much in zip(own, said, strict=True) if much == max(said) > 0]
            if not likely and "." in name and len(own) == 1 and _has_word(evidence, name):
                likely = own
            if len(likely) == 1:
                use = likely[0]
                yield from (Hit(place, "file", use.path) for place in use.writes or use.reads)

    def _quoted(self, evidence: str) -> Iterator[Hit]:
        for quote in _quotes(evidence):
            if self._quotes <= 0:
                return
            self._quotes -= 1
            yield from (Hit(place, "quote", quote) for place in self._having(quote))

    def _having(self, quote: str) -> list[int]:
        """The first calls that have these words."""
        text, starts = self._said
        found: dict[int, None] = {}
        at = text.find(quote)
        while at >= 0 and len(found) < _MOST_HITS:
            place = bisect_right(starts, at) - 1
            found[place] = None
            following = starts[place + 1] if place + 1 < len(starts) else len(text)
            at = text.find(quote, following)
        return list(found)

    @cached_property
    def _said(self) -> tuple[str, list[int]]:
        """All that calls were given and gave back, and where each begins in it."""
        parts = [
            "\0".join((*_strings(act.call.input.params), output_of(act.call), ""))
            for act in self._acts
        ]
        starts: list[int] = []
        at = 0
        for part in parts:
            starts.append(at)
            at += len(part)
        return "".join(parts), starts

    @cached_property
    def _files(self) -> Mapping[str, FileUse]:
        return file_uses(self._acts)

    @cached_property
    def _by_name(self) -> Mapping[str, list[FileUse]]:
        found: defaultdict[str, list[FileUse]] = defaultdict(list)
        for path, use in self._files.items():
            found[path.rpartition("/")[2]].append(use)
        return found


def _fits(act: Act, wanted: Mapping[str, JsonValue]) -> bool:
    """Whether a call has at least these arguments; a path may begin at the root."""
    made = canonical_arguments(act.tool, act.call.input.params)
    for name, value in wanted.items():
        given = made.get(name)
        if name in PATHS and isinstance(value, str) and isinstance(given, str):
            if not same_file(plain_path(given), plain_path(value)):
                return False
        elif not _contains(given, value):
            return False
    return True


def _contains(whole: JsonValue, part: JsonValue) -> bool:
    match part, whole:
        case dict(), dict():
            return all(key in whole and _contains(whole[key], part[key]) for key in part)
        case list(), list():
            pairs = zip(whole, part, strict=False)
            return len(whole) >= len(part) and all(_contains(one, other) for one, other in pairs)
        case _:
            return part == whole and isinstance(part, bool) == isinstance(whole, bool)


def _patterns(fields: Mapping[str, JsonValue]) -> Iterator[str]:
    """The files that a check of files names: paths or patterns."""
    match fields:
        case {"pattern": str(pattern)}:
            yield pattern
        case {"expected": str(path)}:
            yield path
        case {"expected": {"path": str(path)}}:
            yield path
        case {"expected": [*paths]} | {"expected": {"paths": [*paths]}}:
            yield from (path for path in paths if isinstance(path, str))
        case _:
            pass


def _is_meant(pattern: str, path: str) -> bool:
    if _MAGIC.search(pattern) is None:
        return same_file(plain_path(path), plain_path(pattern)) or f"/{path}".endswith(
            f"/{pattern}"
        )
    return _regex(pattern).search(path) is not None


def _regex(pattern: str) -> re.Pattern[str]:
    """A pattern that matches at any depth; beyond eight stars one stands for all the rest."""
    parts = re.split(r"(\*\*/|\*|\?)", pattern[:_LONGEST], maxsplit=8)
    plain = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "(?:^|/)" + "".join(plain.get(part) or re.escape(part) for part in parts) + "$"
    )


def _mentioned(text: str, path: str) -> int:
    """How much of the end of a path *text* has: all of it, or at least a folder and the name.
    A mere word is no path."""
    end = path
    if "/" not in path and "." not in path:
        return 0
    while end not in text or not _has_word(text, end):
        if end.count("/") < 2:
            return 0
        end = end.partition("/")[2]
    return len(end)


def _has_word(text: str, word: str) -> bool:
    """Whether *text* has a word by itself, not as a part of another."""
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", text) is not None


def _quotes(evidence: str) -> Iterator[str]:
    for groups in _QUOTE.findall(evidence):
        quote = cast("str", next((one for one in groups if one), ""))
        piece = max(_PIECES.split(quote), key=len).strip()
        if len(piece) >= _SHORTEST:
            yield piece


def _strings(value: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    waiting: list[JsonValue | Mapping[str, JsonValue]] = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(inner):
                waiting += reversed(inner.values())
            case [*inner]:
                waiting += reversed(inner)
            case _:
                pass

"""Lint for sets of capability cases: what would make a run fail, or its scores mean nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from pydantic import JsonValue

from whet.documents.base import Document
from whet.documents.capability import CapabilityCase, CapabilityCaseSet, Checker
from whet.documents.capability_report import CaseFinding, CaseLint
from whet.evaluate.capability import rules as known
from whet.evaluate.capability.cases import fixtures, rules
from whet.evaluate.capability.lint_case import Linter
from whet.evaluate.capability.rules import Place
from whet.evaluate.capability.select import plain
from whet.ports.checker import Checker as Rule

_OF_CHECKS = frozenset(
    {
        "id",
        "description",
        "schema",
        "match",
        "match_any",
        "match_regex",
        "except_context",
        "count",
        "operator",
    }
)


_NO_CASES = "must be an object with a list of cases"


@dataclass(frozen=True, slots=True)
class Part:
    """A file with cases, as it was read."""

    source: str
    name: str
    """Of the set that it belongs to; several files may be one set."""

    data: JsonValue
    problem: str | None = None
    """Why there is no data."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A case with where it stands."""

    case: CapabilityCase
    language: str
    where: Place


@dataclass(slots=True)
class _Sets:
    """All cases by the name of their set."""

    cases: dict[str, list[_Seen]] = field(default_factory=dict[str, list[_Seen]])


def lint(parts: Sequence[Part], checkers: Mapping[str, Rule]) -> CaseLint:
    """Everything that is wrong with *parts*, in the order of files and cases."""
    linter, sets = Linter(checkers), _Sets()
    findings: list[CaseFinding] = []
    count = 0
    for part in parts:
        for seen in _read(part, findings):
            count += 1
            sets.cases.setdefault(part.name, []).append(seen)
            findings += linter.case(seen.case, seen.where)
    for cases in sets.cases.values():
        findings += _together(cases)
    errors = sum(finding.level == "error" for finding in findings)
    return CaseLint(
        cases=count, errors=errors, warnings=len(findings) - errors, findings=tuple(findings)
    )


def _read(part: Part, findings: list[CaseFinding]) -> list[_Seen]:
    """The cases that can be read; what is wrong with the others is found."""
    whole = {"cases": part.data} if isinstance(part.data, list) else part.data
    top = Place(part.source, None, "")
    raws = whole.get("cases") if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(raws, list):
        findings.append(known.FORMAT.at(top, part.problem or _NO_CASES))
        return []
    head: JsonValue = {**whole, "cases": []}
    findings += [known.FORMAT.at(top, told) for told in CapabilityCaseSet.mistakes(head)]
    findings += _unknown(whole, CapabilityCaseSet, top)
    if not raws:
        findings.append(known.FORMAT.at(top.below("cases"), "there are no cases"))
    spoken = whole.get("language")
    seen: list[_Seen] = []
    for number, raw in enumerate(raws):
        case = _case(raw, Place(part.source, _id(raw), f"cases[{number}]"), findings)
        if case is not None:
            language = case.language or (spoken if isinstance(spoken, str) else "")
            seen.append(_Seen(case, language, Place(part.source, case.id, f"cases[{number}]")))
    return seen


def _case(raw: JsonValue, where: Place, findings: list[CaseFinding]) -> CapabilityCase | None:
    wrong = CapabilityCase.mistakes(raw)
    findings += [known.FORMAT.at(where, told) for told in wrong]
    if wrong or not isinstance(raw, dict):
        return None
    findings += _unknown(raw, CapabilityCase, where)
    checker = raw.get("checker")
    several = checker if isinstance(checker, list) else [checker]
    for number, one in enumerate(several):
        if isinstance(one, dict):
            place = f"checker[{number}]" if isinstance(checker, list) else "checker"
            findings += _unknown(one, Checker, where.below(place), _OF_CHECKS)
    return CapabilityCase.parse(raw, where.source)


def _unknown(
    data: Mapping[str, JsonValue],
    cls: type[Document],
    where: Place,
    others: frozenset[str] = frozenset(),
) -> Iterator[CaseFinding]:
    names = [*cls.model_fields, *others]
    for key in data:
        # What begins with an underscore is a remark.
        if key not in names and not key.startswith("_"):
            near = get_close_matches(key, names, n=1)
            meant = f"; is {near[0]!r} meant?" if near else ""
            yield known.UNKNOWN_KEY.at(where.below(key), f"{key!r} is read by nobody{meant}")


def _together(cases: Sequence[_Seen]) -> Iterator[CaseFinding]:
    """What only shows beside the other cases of a set."""
    yield from _doubles(cases)
    ids: dict[str, set[str]] = {}
    by_id: dict[str, dict[str, _Seen]] = {}
    for seen in cases:
        ids.setdefault(_main(seen.language), set()).add(seen.case.id)
        by_id.setdefault(seen.case.id, {}).setdefault(plain(seen.language), seen)
    spelled = {_main(seen.language): seen.language for seen in reversed(cases)}
    for versions in by_id.values():
        first = next(iter(versions.values()))
        there = {_main(language) for language in versions}
        # Languages without any case in common are no translations of each other.
        lacking = [
            spelled[language]
            for language in sorted(ids.keys() - there - {""})
            if any(ids[language] & ids[other] for other in there)
        ]
        if lacking and "" not in versions:
            message = f"there is no such case in {', '.join(lacking)}"
            yield known.NO_COUNTERPART.at(first.where, message)
        for other in list(versions.values())[1:]:
            if differing := _differing(first.case, other.case):
                message = f"differs from {first.language or 'the first'} in {', '.join(differing)}"
                yield known.COUNTERPARTS_DIFFER.at(other.where, message)


def _doubles(cases: Sequence[_Seen]) -> Iterator[CaseFinding]:
    ids: dict[tuple[str, str], _Seen] = {}
    prompts: dict[str, _Seen] = {}
    for seen in cases:
        first = ids.setdefault((seen.case.id, seen.language), seen)
        if first is not seen:
            message = (
                f"{seen.case.id!r} is the id of {first.where.path} in {first.where.source} too"
            )
            yield known.DUPLICATE_ID.at(seen.where.below("id"), message)
        asked = f"{' '.join(seen.case.prompt.split())}\n{sorted(fixtures(seen.case).items())}"
        same = prompts.setdefault(asked, seen)
        if same is not seen and same.case.id != seen.case.id:
            message = f"{same.case.id!r} asks the same"
            yield known.SAME_PROMPT.at(seen.where.below("prompt"), message)


def _differing(one: CapabilityCase, other: CapabilityCase) -> list[str]:
    names = ("dimension", "weight", "timeout_s", "prerequisites")
    differing = [name for name in names if getattr(one, name) != getattr(other, name)]
    kinds = [sorted(str(rule["type"]) for rule in rules(case)) for case in (one, other)]
    return [*differing, *(["checker"] if kinds[0] != kinds[1] else [])]


def _main(language: str) -> str:
    """A language without its region, as a person who wants it would be served."""
    return plain(language).partition("-")[0]


def _id(raw: JsonValue) -> str | None:
    identity = raw.get("id") if isinstance(raw, dict) else None
    return identity if isinstance(identity, str) else None

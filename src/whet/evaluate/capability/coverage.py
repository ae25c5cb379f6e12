"""What a set of capability cases touches, and what it leaves out."""

from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from whet.core.tools import PLANNED, PTC, canonical, is_builtin
from whet.documents.base import Number
from whet.documents.capability import (
    DIMENSIONS,
    CapabilityCase,
    CapabilityCaseSet,
    CheckerType,
    Dimension,
)
from whet.documents.capability_report import CaseCoverage, Share, ToolCoverage
from whet.evaluate.capability.cases import checked_tools, rules, tools_of

TAGS = ("builtin", "mcp", "skill", "knowledge", "user", "shared")
"""Where tools come from: a set should have cases for all of them."""

CHECKERS: tuple[str, ...] = get_args(CheckerType)

_AS_REPLACE = frozenset({"replace", "replace_text", "替换文本"})


def coverage(sets: Sequence[CapabilityCaseSet]) -> CaseCoverage:
    """What the parts of one set touch together; each language counts by itself."""
    cases = [(case, case.language or one.language or "") for one in sets for case in one.cases]
    every = [case for case, _ in cases]
    languages = dict.fromkeys(spoken for _, spoken in cases)
    planned = {name: sum(name in _planned(case) for case in every) for name in PLANNED}
    tags = _shares(every, lambda case: case.tags)
    checkers = _shares(every, lambda case: [str(rule["type"]) for rule in rules(case)])
    by_language = {spoken: [case for case, its in cases if its == spoken] for spoken in languages}
    return CaseCoverage(
        case_set=next((one.case_set for one in sets if one.case_set), ""),
        cases=len(every),
        weight=_weight(every),
        languages={spoken: _share(own) for spoken, own in by_language.items()},
        dimensions=_dimensions(every),
        tags=tags,
        checkers=checkers,
        tools=tuple(_tools(every)),
        planned=planned,
        uncovered_tools=tuple(name for name, count in planned.items() if not count),
        uncovered_tags=tuple(tag for tag in TAGS if tag not in tags),
        uncovered_checkers=tuple(name for name in CHECKERS if name not in checkers),
        matrix={spoken: _by_dimension(own) for spoken, own in by_language.items()},
    )


def _planned(case: CapabilityCase) -> set[str]:
    """The tools that a set should touch and this case does. Edit and replace are one tool with
    two uses: the name that the case has for it tells which."""
    found: set[str] = set()
    for tool in tools_of(case):
        if canonical(tool) == "Edit":
            found.add("replace" if tool.strip().casefold() in _AS_REPLACE else "edit")
        else:
            found |= {name for name, shared in PLANNED.items() if shared == canonical(tool)}
    return found


def _tools(cases: Iterable[CapabilityCase]) -> Iterable[ToolCoverage]:
    needing: dict[str, list[CapabilityCase]] = {}
    for case in cases:
        for tool in dict.fromkeys(map(canonical, tools_of(case))):
            needing.setdefault(tool, []).append(case)
    for tool, those in sorted(needing.items()):
        checked = sum(tool in map(canonical, checked_tools(case)) for case in those)
        yield ToolCoverage(
            tool=tool,
            cases=len(those),
            weight=_weight(those),
            checked=checked,
            case_ids=tuple(dict.fromkeys(case.id for case in those)),
        )


def _shares(
    cases: Sequence[CapabilityCase], names: Callable[[CapabilityCase], Iterable[str]]
) -> dict[str, Share]:
    having: dict[str, list[CapabilityCase]] = {}
    for case in cases:
        for name in dict.fromkeys(names(case)):
            having.setdefault(name, []).append(case)
    return {name: _share(having[name]) for name in sorted(having)}


def _dimensions(cases: Sequence[CapabilityCase]) -> dict[Dimension, Share]:
    return {one: _share([case for case in cases if case.dimension == one]) for one in DIMENSIONS}


def _by_dimension(cases: Sequence[CapabilityCase]) -> dict[Dimension, int]:
    return {one: sum(case.dimension == one for case in cases) for one in DIMENSIONS}


def _share(cases: Sequence[CapabilityCase]) -> Share:
    skippable = sum(any(map(_is_special, tools_of(case))) for case in cases)
    return Share(cases=len(cases), weight=_weight(cases), skippable=skippable or None).lean()


def _is_special(tool: str) -> bool:
    """Whether it is a tool that not every agent comes with."""
    return not is_builtin(tool) or canonical(tool) == PTC


def _weight(cases: Iterable[CapabilityCase]) -> Number:
    total = sum(1 if case.weight is None else case.weight for case in cases)
    return int(total) if float(total).is_integer() else round(total, 6)

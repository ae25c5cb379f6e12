"""Which cases of some sets a run will do, and which of them cannot be done for want of a tool."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whet.core.case import Case
from whet.core.errors import InvalidSuite, UsageError
from whet.core.tools import missing
from whet.documents.capability import CapabilityCase, CapabilityCaseSet, Dimension
from whet.evaluate.capability.cases import Names, checks_of, core_case, keep_files, tools_of
from whet.ports.blobs import Blobs
from whet.ports.checker import Checker

MISSING_TOOLS = "missing_tools"
"""Why a case is skipped."""

_EXACT, _RELATED, _NEUTRAL, _OTHER = range(4)


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run should do, and what its agent has."""

    run_id: str
    user_id: str = ""
    language: str | None = None
    dimensions: Collection[Dimension] | None = None
    tools: frozenset[str] | None = None
    """What the agent has; None where nobody knows, see ``core.tools.missing``."""

    configured: frozenset[str] = frozenset()
    """Servers (``server@*``) and skills (``skill@name``) that this run brings along; they count
    besides the tools."""

    timeout_s: float = 120
    """For cases that do not say how long they may take."""

    def missing(self, case: CapabilityCase) -> tuple[str, ...]:
        """What *case* needs and the agent lacks."""
        needed = tools_of(case)
        lacking = missing(needed, self.tools)
        return missing(lacking, self.configured) if lacking and self.configured else lacking


@dataclass(frozen=True, slots=True)
class Chosen:
    """A case that a run will do, or skip where tools are missing."""

    case: CapabilityCase
    core: Case
    missing: tuple[str, ...]


def choose(
    sets: Sequence[CapabilityCaseSet],
    selection: Selection,
    checkers: Mapping[str, Checker],
    blobs: Blobs,
) -> tuple[Chosen, ...]:
    """The cases of a run, in the order of the sets; their files are kept in *blobs*.

    Raises ``InvalidSuite`` with everything that is wrong with those cases, and ``UsageError``
    where nothing is left.
    """
    picked = pick(sets, selection.language, selection.dimensions)
    names = Names(selection.run_id, selection.user_id)
    readings = [checks_of(case, checkers, names) for case, _ in picked]
    wrong = [problem for reading in readings for problem in reading.problems]
    if wrong:
        raise InvalidSuite(_named(sets), wrong)
    chosen: list[Chosen] = []
    for (case, name), reading in zip(picked, readings, strict=True):
        core, content = core_case(case, name, reading.specs, names, selection.timeout_s)
        keep_files(content, blobs)
        chosen.append(Chosen(case, core, selection.missing(case)))
    return tuple(chosen)


def pick(
    sets: Sequence[CapabilityCaseSet],
    language: str | None = None,
    dimensions: Collection[Dimension] | None = None,
) -> list[tuple[CapabilityCase, str]]:
    """The cases in that language and of those dimensions, each with the name of its set.

    Of cases with the same id the one counts that is nearest in language: who wants ``en-GB`` or
    ``en`` gets ``en-US`` where there is nothing nearer. Without a language it is the first. An id
    that is there twice in one language is a mistake.
    """
    best: dict[str, tuple[int, CapabilityCase, str]] = {}
    double: list[str] = []
    seen: set[tuple[str, str]] = set()
    for case, name, spoken in _cases(sets):
        if dimensions is not None and case.dimension not in dimensions:
            continue
        if (case.id, spoken) in seen:
            where = spoken or "no language"
            double.append(f"case {case.id!r}: another case in {where} has the same id")
        seen.add((case.id, spoken))
        rank = nearness(language, spoken)
        if rank != _OTHER and (case.id not in best or rank < best[case.id][0]):
            best[case.id] = (rank, case, name)
    if double:
        raise InvalidSuite(_named(sets), double)
    if not best:
        raise UsageError(_nothing(sets, language, dimensions))
    return [(case, name) for _, case, name in best.values()]


def nearness(wanted: str | None, spoken: str) -> int:
    """How well a case in one language serves whoever wants another; less is better."""
    if not spoken:
        return _NEUTRAL
    if wanted is None or plain(wanted) == plain(spoken):
        return _EXACT
    main, other = (plain(one).partition("-")[0] for one in (wanted, spoken))
    return _RELATED if main == other else _OTHER


def plain(language: str) -> str:
    """A language as it is compared: ``zh_CN`` is ``zh-cn``."""
    return language.strip().replace("_", "-").lower()


def languages(sets: Sequence[CapabilityCaseSet]) -> tuple[str, ...]:
    """The languages that *sets* have cases in, sorted."""
    return tuple(sorted({spoken for _, _, spoken in _cases(sets) if spoken}))


def _cases(sets: Sequence[CapabilityCaseSet]) -> Iterator[tuple[CapabilityCase, str, str]]:
    """Every case with the name of its set and its language; without one it serves everybody."""
    for one in sets:
        for case in one.cases:
            yield case, one.case_set or "", case.language or one.language or ""


def _nothing(
    sets: Sequence[CapabilityCaseSet],
    language: str | None,
    dimensions: Collection[Dimension] | None,
) -> str:
    if not any(one.cases for one in sets):
        return f"{_named(sets)} has no cases at all; write some into it"
    asked = f" in {language}" if language else ""
    asked += f" of {', '.join(sorted(dimensions))}" if dimensions is not None else ""
    there = {
        (case.dimension, spoken)
        for case, _, spoken in _cases(sets)
        if nearness(language, spoken) != _OTHER
    }
    if there:
        told = f"dimensions: {', '.join(sorted({dimension for dimension, _ in there}))}"
    else:
        told = f"languages: {', '.join(languages(sets))}"
    return f"{_named(sets)} has no cases{asked}; its {told}"


def _named(sets: Sequence[CapabilityCaseSet]) -> str:
    names = dict.fromkeys(one.case_set or "without a name" for one in sets)
    return f"case set {', '.join(names) or '(none)'}"

"""What judges say of the evals themselves, put together over all runs of an iteration.

Two suggestions are one if they speak of the same assertion, or of none, and their reasons are
similar: the words that they share are at least ``SIMILAR`` of the words that either has. Words
that every remark on a test has (check, assertion, pass …) do not count. What is similar to
something in a group belongs to that group.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from whet.documents.evals import AggregatedSuggestion, EvalFeedbackAggregate
from whet.documents.grading import Expectation, Grading

EvalId = int | str

SIMILAR = 0.4
MOST_OF_A_RUN = 50
"""Suggestions of one run that are read."""

MOST_COMPARED = 500
"""Reasons that are compared with one another; rarer ones beyond are grouped if they are equal."""

LONGEST = 1000
"""Characters of a reason."""

_ID = re.compile(r"\s*([A-Za-z]{1,3}[0-9]{1,4})(?![A-Za-z0-9_])")
_WORD = re.compile(r"[^\W_]+")
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SAID_OF_EVERY_TEST = frozenset(
    _WORD.findall(
        "a about actually add also an and any are as assertion at be because been but by can "
        "check consider could did do does either eval even ever every expectation fail for from "
        "had has have if in instead into is it its just may might more need never no none not "
        "nothing of on only or pass run should so still such test than that the their them then "
        "there these they this those to too verified verify very was were what when whether "
        "which while will with without would"
    )
)


@dataclass(frozen=True)
class _Remark:
    """A reason, in whichever runs it was given in these words."""

    assertion: str | None
    reason: str
    words: frozenset[str]
    runs: frozenset[int]


def aggregate_feedback(
    skill_name: str,
    iteration: int,
    gradings: Sequence[tuple[EvalId, Grading]],
    *,
    simulated: bool,
) -> EvalFeedbackAggregate:
    """Group the suggestions of all runs; ``frequency`` counts the runs that make one.

    The order of *gradings* changes nothing.
    """
    groups: dict[tuple[str, str], list[_Remark]] = {}
    for key, remark in _remarks(gradings):
        groups.setdefault(key, []).append(remark)
    suggestions = [
        _suggestion(group, gradings)
        for remarks in groups.values()
        for group in _linked(_united(remarks))
    ]
    suggestions.sort(key=lambda one: (-one.frequency, one.assertion or "", one.reason, one.action))
    return EvalFeedbackAggregate(
        skill_name=skill_name,
        iteration=iteration,
        total_runs=len(gradings),
        suggestions=tuple(suggestions),
        simulated=simulated,
    )


def expectation_meant(assertion: str, expectations: Iterable[Expectation]) -> Expectation | None:
    """The expectation that a judge names by its id, by id and text, or by its text."""
    every = list(expectations)
    given = _ID.match(assertion)
    names = {assertion.strip(), given[1] if given else ""}
    for one in every:
        if one.id and one.id in names:
            return one
    wanted = _plain(assertion)
    return next((one for one in every if wanted and _plain(one.text) == wanted), None)


def similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """The words of both by the words of either (Jaccard); 0 where there are none."""
    both = len(first & second)
    either = len(first) + len(second) - both
    return both / either if either else 0.0


def words_of(text: str) -> frozenset[str]:
    """The words that tell one remark from another; in scripts without spaces, pairs of signs."""
    plain = _plain(text)
    pairs = {
        run[at : at + 2]
        for run in _WITHOUT_SPACES.findall(plain)
        for at in range(max(1, len(run) - 1))
    }
    found = set(_WORD.findall(_WITHOUT_SPACES.sub(" ", plain))) - _SAID_OF_EVERY_TEST
    return frozenset(({_stem(word) for word in found} - _SAID_OF_EVERY_TEST) | pairs)


def _remarks(
    gradings: Sequence[tuple[EvalId, Grading]],
) -> Iterator[tuple[tuple[str, str], _Remark]]:
    """Every suggestion with what it speaks of: an id, and the text if the run has that id.

    Ids are unique within an eval only, so that the text belongs to what is spoken of.
    """
    for run, (_, grading) in enumerate(gradings):
        given = grading.eval_feedback.suggestions if grading.eval_feedback else ()
        for one in given[:MOST_OF_A_RUN]:
            reason = " ".join(one.reason.split())
            if not reason:
                continue
            reason = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 1]}…"
            assertion, text = _spoken_of(one.assertion, grading)
            remark = _Remark(assertion, reason, words_of(reason), frozenset({run}))
            yield (assertion or "", text), remark


def _spoken_of(assertion: str | None, grading: Grading) -> tuple[str | None, str]:
    if assertion is None or not assertion.strip():
        return None, ""
    meant = expectation_meant(assertion, grading.expectations)
    if meant is not None:
        return meant.id or meant.text, _plain(meant.text)
    named = _ID.match(assertion)
    short = " ".join(assertion.split())[:LONGEST]
    return (named[1] if named else short), ""


def _united(remarks: Iterable[_Remark]) -> list[_Remark]:
    """Remarks in other words; those of most runs first. The same words are one remark."""
    found: dict[object, _Remark] = {}
    for remark in sorted(remarks, key=lambda one: (-len(one.reason), one.reason)):
        key = remark.words or remark.reason.casefold()
        known = found.get(key, remark)
        found[key] = _Remark(known.assertion, known.reason, known.words, known.runs | remark.runs)
    return sorted(found.values(), key=lambda one: (-len(one.runs), one.reason))


def _linked(remarks: Sequence[_Remark]) -> list[list[_Remark]]:
    """Single-link groups: whoever is similar to a member belongs to the group."""
    leader = list(range(len(remarks)))

    def first(member: int) -> int:
        while leader[member] != member:
            leader[member] = leader[leader[member]]
            member = leader[member]
        return member

    for one, other in combinations(range(min(len(remarks), MOST_COMPARED)), 2):
        if similarity(remarks[one].words, remarks[other].words) >= SIMILAR:
            low, high = sorted((first(one), first(other)))
            leader[high] = low
    groups: dict[int, list[_Remark]] = {}
    for member, remark in enumerate(remarks):
        groups.setdefault(first(member), []).append(remark)
    return list(groups.values())


def _suggestion(
    group: Sequence[_Remark], gradings: Sequence[tuple[EvalId, Grading]]
) -> AggregatedSuggestion:
    runs = sorted(frozenset[int]().union(*(remark.runs for remark in group)))
    evals = sorted({gradings[run][0] for run in runs}, key=_order)
    said = _middle(group)
    return AggregatedSuggestion(
        frequency=len(runs),
        assertion=said.assertion,
        reason=said.reason,
        action=_action(said.assertion, evals, [gradings[run][1] for run in runs]),
        eval_ids=tuple(evals),
    )


def _middle(group: Sequence[_Remark]) -> _Remark:
    """The remark that is most like all others, run by run; of several the longest."""

    def nearness(remark: _Remark) -> float:
        near = (len(other.runs) * similarity(remark.words, other.words) for other in group)
        return round(sum(near), 9)

    every = sorted(group[:MOST_COMPARED], key=lambda one: (-len(one.reason), one.reason))
    return max(every, key=nearness)


def _action(assertion: str | None, evals: Sequence[EvalId], gradings: Sequence[Grading]) -> str:
    where = f"eval{'s' if len(evals) > 1 else ''} {', '.join(map(str, evals))}"
    if assertion is None:
        return f"Add an expectation for it to {where}."
    found = [expectation_meant(assertion, grading.expectations) for grading in gradings]
    meant = [one for one in found if one is not None]
    if any(one.vacuous for one in meant):
        return (
            f"In {where}, add a critical file_exists before {assertion}: it passes where there is "
            "nothing to look at."
        )
    if any(one.type for one in meant):
        return f"Make the check {assertion} of {where} stricter, or replace it."
    return f"Reword the expectation {assertion!r} of {where}."


def _order(eval_id: EvalId) -> tuple[bool, int, str]:
    return (True, 0, eval_id) if isinstance(eval_id, str) else (False, eval_id, "")


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text[:LONGEST]).casefold()))


def _stem(word: str) -> str:
    """A word without the ending that it has in the plural or as a verb."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word

"""Two skills, or two versions of one, case by case.

Pure: from results to numbers. Attempts are averaged inside a case first, and a case counts only
if both sides have it in the same words, graded in the same way. Whatever does not count is named.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from whet.core.case import Case
from whet.documents.comparison import (
    ComparedCase,
    ComparedSide,
    LeftOutCase,
    LeftOutReason,
    SkillComparison,
)
from whet.documents.environment import FieldDifference
from whet.documents.project import ProjectConfig, SkillRef
from whet.documents.result import CaseResult
from whet.evaluate.verdict_values import told
from whet.rank.attempts import Attempts, attempts
from whet.rank.differences import Pair, dimensions, resource, scores
from whet.stats.paired import paired_differences


class CaseKey(NamedTuple):
    """A case among all baselines."""

    baseline_id: str
    baseline_version: str
    case_id: str


@dataclass(frozen=True)
class Side:
    """One version of a skill in a project, with all its results there.

    Results have been looked at by ``rank.believed``; there is at most one for each attempt.
    """

    project: ProjectConfig
    skill: SkillRef
    cases: Mapping[CaseKey, Case]
    """All that the project has, in its order."""

    results: Sequence[CaseResult]

    def attempts(self) -> dict[CaseKey, Attempts]:
        """What came of every case."""
        found: defaultdict[CaseKey, list[CaseResult]] = defaultdict(list)
        for one in self.results:
            found[CaseKey(one.baseline_id, one.baseline_version, one.case_id)].append(one)
        return {key: attempts(found[key], self.project.repeats or 1) for key in self.cases}


def compare(
    left: Side,
    right: Side,
    environment: Sequence[FieldDifference] = (),
    problems: Sequence[str] = (),
) -> SkillComparison:
    """Everything that *left* and *right* have to say about each other.

    ``score`` is over the cases for which both have a score, by the very arithmetic of rankings
    (``stats.comparison``). A case whose weight differs between two projects
    counts with the smaller one. *environment* is what differs between the projects otherwise, and
    *problems* what was wrong with the results; both are passed on.
    """
    pairs, left_out = _paired(left, right)
    cases = [_case(pair) for pair in pairs]
    outcomes = [case.outcome for case in cases]
    return SkillComparison(
        left=_side(left),
        right=_side(right),
        simulated=any(result.simulated for side in (left, right) for result in side.results),
        score=scores(pairs, lambda one: one.scores),
        failed_as_zero=scores(pairs, lambda one: one.scores_with_failures),
        wins=outcomes.count("win"),
        losses=outcomes.count("loss"),
        ties=outcomes.count("tie"),
        unpaired=outcomes.count("unpaired"),
        same_trials=sum(map(_is_same, pairs)),
        dimensions=dimensions(pairs),
        duration_ms=resource(pairs, lambda one: one.durations),
        tokens=resource(pairs, lambda one: one.tokens),
        cost_usd=resource(pairs, lambda one: one.costs),
        cases=tuple(cases),
        left_out=left_out,
        environment=tuple(environment),
        problems=tuple(problems),
    )


def _side(side: Side) -> ComparedSide:
    return ComparedSide(
        project_id=side.project.id,
        project_name=side.project.name,
        skill_id=side.skill.ref_id,
        skill_name=side.skill.name,
        skill_version=side.skill.version,
    )


def _paired(left: Side, right: Side) -> tuple[list[Pair], tuple[LeftOutCase, ...]]:
    """The cases that can be compared, in the left side's order, and those that cannot."""
    ours, theirs = left.attempts(), right.attempts()
    matched = matches(left.cases, right.cases)
    pairs: list[Pair] = []
    left_out: list[LeftOutCase] = []
    for key, case in left.cases.items():
        other = matched.get(key)
        reason = _reason(case, right.cases[other]) if other else "only_left"
        if other is None or reason is not None:
            left_out.append(_named(key, case, reason or "only_left"))
            continue
        weight = min(case.standard.weight, right.cases[other].standard.weight)
        pairs.append(Pair(key.baseline_id, case, weight, ours[key], theirs[other]))
    taken = set(matched.values())
    left_out += [
        _named(key, case, "only_right") for key, case in right.cases.items() if key not in taken
    ]
    return pairs, tuple(left_out)


def matches(left: Mapping[CaseKey, Case], right: Mapping[CaseKey, Case]) -> dict[CaseKey, CaseKey]:
    """The same version of a baseline first; else another one, where that is not ambiguous."""
    found = {key: key for key in left if key in right}
    waiting: defaultdict[tuple[str, str], tuple[list[CaseKey], list[CaseKey]]]
    waiting = defaultdict(lambda: ([], []))
    for place, side in enumerate((left, right)):
        for key in side:
            if key not in found:
                waiting[key.baseline_id, key.case_id][place].append(key)
    for ours, theirs in waiting.values():
        if len(ours) == len(theirs) == 1:
            found[ours[0]] = theirs[0]
    return found


def _reason(left: Case, right: Case) -> LeftOutReason | None:
    """Why two cases of one id cannot be compared."""
    if left.stimulus.task != right.stimulus.task:
        return "other_input"
    if left.standard.expected != right.standard.expected:
        return "other_expected_output"
    if _grading(left) != _grading(right):
        return "other_grading"
    return None if left.standard.weight and right.standard.weight else "no_weight"


def _grading(case: Case) -> tuple[object, ...]:
    standard = case.standard
    return standard.rubric, standard.checks, standard.expectations


def _named(key: CaseKey, case: Case, reason: LeftOutReason) -> LeftOutCase:
    return LeftOutCase(
        baseline_id=key.baseline_id, case_id=key.case_id, name=case.name, reason=reason
    )


def _case(pair: Pair) -> ComparedCase:
    ours, theirs = pair.left.average, pair.right.average
    delta = None
    if ours is not None and theirs is not None:
        [delta] = paired_differences([ours], [theirs])
    return ComparedCase(
        baseline_id=pair.baseline_id,
        case_id=pair.case.id,
        name=pair.case.name,
        category=pair.case.category,
        weight=pair.weight,
        left=pair.left.standing(),
        right=pair.right.standing(),
        delta=told(delta),
        outcome="unpaired"
        if delta is None
        else ("win" if delta > 0 else "loss" if delta < 0 else "tie"),
    )


def _is_same(pair: Pair) -> bool:
    return bool(pair.left.trials) and pair.left.trials == pair.right.trials

"""Compare any two skills or versions, their answers, and the environments of projects.

For doors: each function takes references as a person writes them (see ``sides.two_sides``), reads
what is on disk and starts nothing. A project that is still running is compared as far as it is.
"""

from whet.app.app import App
from whet.app.projects.outcome import Outcome, outcome
from whet.app.projects.sides import SkillInProject, two_sides
from whet.core.case import Case
from whet.core.errors import NotFound, UsageError
from whet.curate.segments import shown
from whet.documents.comparison import SkillComparison
from whet.documents.environment import EnvironmentDifference, FieldDifference, ProjectEnvironment
from whet.documents.result import CaseResult
from whet.rank.answers import AnswerDifference, answers
from whet.rank.compare import CaseKey, Side, compare, matches
from whet.rank.environment import difference

MOST_NAMED = 10


def compare_skills(app: App, left: str, right: str) -> SkillComparison:
    """Which of two skills is better on the cases that both were tried on, and how sure that is.

    The sides may be in one project or in two. What differs between two projects beside the
    skills is in ``environment``: with another engine, model or judge there, the difference is not
    the skill's alone, and whoever shows it should say so.
    """
    first, second = two_sides(app, left, right)
    ours, theirs = _outcomes(app, first, second)
    problems = ours.problems if ours is theirs else (*ours.problems, *theirs.problems)
    return compare(
        ours.side(first.skill), theirs.side(second.skill), _beside(ours, theirs), problems
    )


def compare_answers(
    app: App, left: str, right: str, case: str, attempt: int = 1
) -> AnswerDifference:
    """What two skills answered to one case at one attempt, unified and side by side.

    *case* is its id or name; where several baselines have it, ``BASELINE/CASE`` with the name or
    id of the baseline.
    """
    first, second = two_sides(app, left, right)
    ours, theirs = _outcomes(app, first, second)
    one, other = ours.side(first.skill), theirs.side(second.skill)
    key = _case_key(ours, case)
    match = matches(one.cases, other.cases).get(key)
    if match is None:
        raise NotFound(f"{second.name} was not tried on case {shown(key.case_id)}")
    if one.cases[key].stimulus.task != other.cases[match].stimulus.task:
        raise UsageError(f"case {shown(key.case_id)} has another input in the other project")
    return answers(
        one.cases[key],
        attempt,
        _result(one, key, attempt, first),
        _result(other, match, attempt, second),
        (first.name, second.name),
    )


def project_environment(app: App, reference: str) -> ProjectEnvironment:
    """What a project is carried out with: engine, model, judges, assets and their digests."""
    return outcome(app, reference, ()).environment()


def compare_environments(app: App, left: str, right: str) -> EnvironmentDifference:
    """How two projects differ in what they are carried out with."""
    return difference(project_environment(app, left), project_environment(app, right))


def _outcomes(app: App, first: SkillInProject, second: SkillInProject) -> tuple[Outcome, Outcome]:
    """Those of both sides; one and the same where they are in one project."""
    left, right = first.project.config.id, second.project.config.id
    if left == right:
        both = outcome(app, left, (first.skill, second.skill))
        return both, both
    return outcome(app, left, (first.skill,)), outcome(app, right, (second.skill,))


def _beside(ours: Outcome, theirs: Outcome) -> tuple[FieldDifference, ...]:
    """What differs beside the skills, which are what is compared."""
    if ours is theirs:
        return ()
    found = difference(ours.environment(), theirs.environment()).differences
    return tuple(one for one in found if not one.field.startswith("skills."))


def _case_key(found: Outcome, reference: str) -> CaseKey:
    """The case that is meant; raises ``NotFound``, and ``UsageError`` where several fit."""
    names = {one.ref_id: one.name for one in found.project.config.baselines}
    fitting = [
        key
        for key, case in found.cases.items()
        if reference in _names(case, (key.baseline_id, names[key.baseline_id]))
    ]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        known = ", ".join(case.id for case in found.plan.cases[:MOST_NAMED])
        raise NotFound(f"no case {shown(reference)}; there are {known}")
    several = ", ".join(f"{key.baseline_id}/{key.case_id}" for key in fitting[:MOST_NAMED])
    raise UsageError(f"several cases are called {shown(reference)}; say which: {several}")


def _names(case: Case, baseline: tuple[str, str]) -> set[str]:
    own = {case.id, case.name}
    return own | {f"{one}/{name}" for one in baseline for name in own}


def _result(side: Side, key: CaseKey, attempt: int, named: SkillInProject) -> CaseResult:
    known = {
        one.attempt or 1: one
        for one in side.results
        if (one.baseline_id, one.baseline_version, one.case_id) == key
    }
    if attempt not in known:
        there = f"there is attempt {', '.join(map(str, sorted(known)))}" if known else "run it"
        raise NotFound(
            f"{named.name} has no result for case {shown(key.case_id)}, attempt {attempt}; {there}"
        )
    return known[attempt]

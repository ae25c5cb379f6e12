"""Who judges what agents do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from whet.app.app import App
from whet.app.parts import every_checker
from whet.app.pins import tells_cost
from whet.core.budget import Purse
from whet.core.case import Case
from whet.core.errors import UsageError, WhetError
from whet.evaluate.grade import Grader
from whet.evaluate.judging import (
    KNOWN,
    MODEL,
    PREFERRED,
    SIMULATED,
    JudgeChoice,
    JudgeWish,
    choose_judge,
)
from whet.evaluate.plan import Design, Pin
from whet.evaluate.project import Project
from whet.ports.inspected import Inspected
from whet.ports.judge import Judge

SLIP = 0.75
"""How alike two names are where one is taken for a slip of the other."""


@dataclass(frozen=True)
class Seats:
    """Who is to judge, as people name them."""

    judges: Sequence[str] = ()
    suite: str | None = None
    """What a suite says, where nobody else says anything."""

    max_cost_usd: float | None = None


def seated(
    app: App, seats: Seats, pins: Sequence[Pin], purse: Purse
) -> tuple[tuple[Judge, ...], tuple[str, ...]]:
    """The judges of what *pins* do, and what a person should know about them."""
    choices = chosen(app, seats, pins)
    judges = [
        app.parts.judge(choice.judge, app.judge_setup(choice.engine, choice.model, purse))
        for choice in choices
    ]
    warnings = [warning for choice in choices for warning in choice.warnings]
    if seats.max_cost_usd is not None:
        warnings += [
            f"{choice.engine} does not tell what it costs: the limit of money does not hold for it"
            " as a judge"
            for choice in choices
            if choice.engine and not tells_cost(app, choice.engine)
        ]
    return tuple(judges), tuple(dict.fromkeys(warnings))


def grader_of(app: App, project: Project, plan: Design, purse: Purse) -> Grader:
    """Who grades the answers of a project; the judges are paid from *purse*. Nobody judges where
    checks alone decide."""
    grading = project.config.grading_config
    judges: tuple[Judge, ...] = ()
    if needs_judge(plan.cases):
        seats = Seats(grading.judges if grading else (SIMULATED,))
        judges, _ = seated(app, seats, [plan.pin], purse)
    return Grader(
        judges=judges,
        rubric=None,
        blobs=app.store.blobs,
        clock=app.clock,
        checkers=every_checker(app.parts),
        readings=grading.readings if grading else 1,
        gated=grading is None or grading.structural_gate is not False,
    )


def needs_judge(cases: Iterable[Case]) -> bool:
    """Whether rules alone cannot grade all *cases*."""
    return any(case.standard.needs_judge for case in cases)


def require_judges(app: App, grader: Grader) -> None:
    """Refuse judges that cannot be asked, before anything is run: raises ``EnvironmentProblem``
    with the fix where an agent is not installed or has no credential."""
    for judge in grader.judges:
        if judge.name == MODEL:
            engine, _, model = judge.model.partition(":")
            app.parts.engine(engine).version({})
            app.require_credential(engine, model)


def name_of(choice: JudgeChoice) -> str:
    """A judge by the name under which it is found again."""
    return f"{choice.engine}:{choice.model}" if choice.judge == MODEL else choice.judge


def chosen(app: App, seats: Seats, pins: Sequence[Pin]) -> list[JudgeChoice]:
    """Which judges are meant, or are fit where none is named."""
    executors = [(pin.engine, pin.model) for pin in pins]
    for name in seats.judges:
        _refuse_slip(app, name)
    # A judge of somebody's own is called by its name, and knows by itself what to ask.
    own = {*app.parts.judges()} - {MODEL, SIMULATED}
    if seats.judges:
        takes_model = not own.issuperset({*seats.judges} - {SIMULATED})
    else:
        takes_model = not _all_simulated(app, pins)
    # To find out which agents are usable means to start each of them.
    usable = _usable(app) if takes_model else []
    if not seats.judges:
        return [choose_judge(executors, JudgeWish(suite=seats.suite), usable)]
    return [
        JudgeChoice(name, "", "")
        if name in own
        else choose_judge(executors, JudgeWish(asked=name), usable)
        for name in dict.fromkeys(seats.judges)
    ]


def _refuse_slip(app: App, name: str) -> None:
    """Raise ``UsageError`` for what is no judge and almost the name of one: it would be taken for
    a model, and be paid for."""
    known = {*app.parts.judges(), *KNOWN, *app.parts.engines()}
    if name in known or not name.isalpha():
        return
    if close := get_close_matches(name.lower(), sorted(known), 1, SLIP):
        raise UsageError(f"unknown judge {name!r}; did you mean {close[0]}?")


def _all_simulated(app: App, pins: Sequence[Pin]) -> bool:
    return all(app.parts.engine(pin.engine).simulated for pin in pins)


def _usable(app: App) -> list[str]:
    """The engines that could be asked right now, in the order in which they are taken."""
    return [name for name in PREFERRED if _is_usable(app, name)]


def _is_usable(app: App, name: str) -> bool:
    try:
        engine = app.parts.engine(name)
        if not isinstance(engine, Inspected):
            return True
        found = engine.inspect()
        return found.installed and found.problem is None
    except WhetError:
        return False

"""Grade what is on record anew: with another rubric, other expectations or other judges."""

from collections.abc import Sequence

from whet.app.app import App
from whet.app.eval_iterations import load_suite
from whet.app.eval_plan import EvalPlan, plan, skill_folder
from whet.app.evals import Evals, EvalState
from whet.core.budget import Budget
from whet.core.errors import NotFound, UsageError
from whet.evaluate.plan import Pin


def regrading(
    app: App,
    skill: str,
    judges: Sequence[str] = (),
    readings: int | None = None,
    *,
    trust_scripts: bool = False,
) -> EvalPlan:
    """The plan of the latest run of a skill's suite, without starting any agent.

    What is not on record, as a prompt that was changed since, is missing in the result. Trust in
    the scripts of the suite is not taken over: they may be others than those of that run.
    """
    state = latest(app, skill)
    change: dict[str, object] = {"skill": skill, "budget": Budget(max_trials=0), "fresh": False}
    change["trust_scripts"] = trust_scripts
    change |= {"judges": tuple(judges)} if judges else {}
    change |= {"readings": readings} if readings else {}
    request = state.request.model_copy(update=change)
    made = plan(app, request, _pins(app, state))
    if all(leg.extent.missing == leg.extent.total for leg in made.legs):
        raise UsageError(f"nothing of {skill} is on record under these evals; run it first")
    return made


def latest(app: App, skill: str) -> EvalState:
    """The latest run of the suite of a skill, named by its folder or as the library has it."""
    name = suite_name(app, skill)
    runs = [state for state in Evals(app).list() if name == state.skill]
    if not runs:
        raise NotFound(f"no run of {name} is on record; start one with: whet eval {skill}")
    return max(runs, key=lambda state: state.started_at)


def suite_name(app: App, skill: str) -> str:
    """The name of a skill as its suite has it."""
    folder, _ = skill_folder(app, skill)
    return load_suite(folder).skill_name


def _pins(app: App, state: EvalState) -> tuple[Pin, ...]:
    """Who ran it, as it was then: the program may be another one now, or gone."""
    pins: list[Pin] = []
    for found in Evals(app).benchmarks(state):
        if found is not None:
            about = found.metadata
            pins.append(
                Pin(
                    engine=about.engine or "",
                    engine_version=about.engine_version or "",
                    model=about.executor_model,
                    options=state.request.options,
                    sandbox=about.sandbox or "none",
                )
            )
    return tuple(pins)

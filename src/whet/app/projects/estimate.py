"""What a run of a project will probably cost, and what else a person should agree to first."""

import json

from whet.app.app import App
from whet.app.eval_estimate import Estimate, agent_runs, judged, priced
from whet.app.experiments import Experiments, outstanding, require_ready
from whet.app.judging import grader_of
from whet.app.pins import is_paid
from whet.core.budget import Budget, Purse
from whet.evaluate.plan import Design
from whet.evaluate.project import Project

LONGEST_OPTIONS = 500
"""Characters of options in a remark."""


def estimate(
    app: App, project: Project, *, imported: bool = False, max_trials: int | None = None
) -> Estimate:
    """What is missing of a project, at what the same models took before; with *imported*, answers
    of imported cassettes are not missing. Starts nothing; raises ``EnvironmentProblem`` for what
    could not be carried out."""
    project, plan = Experiments(app, imported=imported).planned(project.folder)
    grader = grader_of(app, project, plan, Purse(Budget()))
    left = outstanding(app, plan, grader)
    require_ready(app, plan, grader, left)
    missing = left.missing if max_trials is None else min(left.missing, max_trials)
    engine = app.parts.engine(plan.pin.engine) if missing else None
    paid = missing if engine is not None and is_paid(engine) else 0
    return priced(
        app,
        {f"{plan.pin.engine}:{plan.pin.model}": agent_runs(plan, paid)},
        judged(grader, plan.cases, missing + left.ungraded),
        _remark(plan) if paid and not app.access.knows_project(project.config.id) else "",
    )


def _remark(plan: Design) -> str:
    """What a stranger's project would start: options may hand files, variables and credentials of
    this machine to whomever they name."""
    pin = plan.pin
    told = json.dumps(pin.options, ensure_ascii=True, sort_keys=True)
    if len(told) > LONGEST_OPTIONS:
        told = f"{told[:LONGEST_OPTIONS]}… and more, which its config.json has"
    return f"the project came as a file, and starts {pin.engine} with the options {told}"

"""What a run of a project will probably cost, and what else a person should agree to first."""

import json

from whet.app.app import App
from whet.app.eval_estimate import Estimate, judged, priced
from whet.app.experiments import Experiments
from whet.app.judging import grader_of
from whet.app.pins import is_paid
from whet.core.budget import Budget, Purse
from whet.curate.segments import shown
from whet.evaluate.experiment import look_up
from whet.evaluate.plan import Design
from whet.evaluate.project import Project

LONGEST_OPTIONS = 500
"""Characters of options in a remark."""


def estimate(app: App, project: Project) -> Estimate:
    """What is missing of a project, at what the same models took before. Starts nothing."""
    project, plan = Experiments(app).planned(project.folder)
    grader = grader_of(app, project, plan.pin, Purse(Budget()))
    missing = ungraded = 0
    for row in look_up(app.store, grader, plan):
        missing += row.record is None
        ungraded += row.is_ungraded
    engine = app.parts.engine(plan.pin.engine) if missing else None
    paid = missing if engine is not None and is_paid(engine) else 0
    return priced(
        app,
        {f"{plan.pin.engine}:{plan.pin.model}": paid},
        judged(grader, plan.cases, missing + ungraded),
        _remark(plan) if paid and project.config.imported else "",
    )


def _remark(plan: Design) -> str:
    """What a stranger's project would start: options may hand files, variables and credentials of
    this machine to whomever they name."""
    pin = plan.pin
    told = json.dumps(pin.options, ensure_ascii=True, sort_keys=True)
    if len(told) > LONGEST_OPTIONS:
        told = f"{told[:LONGEST_OPTIONS]}… and more, which its config.json has"
    return (
        f"the project came as a file, and starts {pin.engine} in sandbox {shown(pin.sandbox)} "
        f"with the options {told}"
    )

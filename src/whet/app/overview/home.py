"""What the first page shows."""

from whet.app.app import App
from whet.app.evals import EvalState
from whet.app.experiment_run import ExperimentState
from whet.app.overview.outcomes import Outcome, outcomes
from whet.app.overview.running import Running, running
from whet.app.runs.service import RunService
from whet.core.value import Value
from whet.ports.evaluations import RunQuery
from whet.ports.jobs import JobQuery


class Home(Value):
    """What is going on in the workspace."""

    empty: bool
    """Whether nothing has been run here yet."""

    running: tuple[Running, ...]
    latest: tuple[Outcome, ...]


def home(app: App) -> Home:
    """How it looks now."""
    runs = RunService(app).every("project", "eval")
    experiments = [ExperimentState.of(run) for run in runs if run.kind == "project"]
    evals = [EvalState.of(run) for run in runs if run.kind == "eval"]
    return Home(
        empty=not runs and not _has_others(app),
        running=running(app, runs),
        latest=outcomes(app, experiments, evals),
    )


def _has_others(app: App) -> bool:
    runs = app.store.evaluations.list_eval_runs(RunQuery(limit=1))
    return bool(runs.total or app.store.jobs.list(JobQuery(limit=1)).total)

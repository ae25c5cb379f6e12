"""What the first page shows."""

from whet.app.app import App
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.overview.outcomes import Outcome, outcomes
from whet.app.overview.running import Running, running
from whet.app.overview.underway import Underway
from whet.core.value import Value
from whet.ports.evaluations import RunQuery
from whet.ports.jobs import JobQuery


class Home(Value):
    """What is going on in the workspace."""

    empty: bool
    """Whether nothing has been run here yet."""

    running: tuple[Running, ...]
    latest: tuple[Outcome, ...]


def home(app: App, underway: Underway) -> Home:
    """How it looks now."""
    experiments, evals = Experiments(app).list(), Evals(app).list()
    return Home(
        empty=not experiments and not evals and not _has_others(app),
        running=running(app, underway, experiments, evals),
        latest=outcomes(app, experiments, evals),
    )


def _has_others(app: App) -> bool:
    runs = app.store.evaluations.list_eval_runs(RunQuery(limit=1))
    return bool(runs.total or app.store.jobs.list(JobQuery(limit=1)).total)

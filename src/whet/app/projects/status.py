"""How far a project is: what its results and its run say."""

from dataclasses import asdict

from whet.app.app import App
from whet.app.experiment_run import ExperimentState
from whet.app.projects.told import Tried
from whet.app.runs.progress import progress
from whet.app.runs.service import RunService
from whet.app.takeover.takeover import take_over
from whet.core.run import Run
from whet.core.value import Value
from whet.evaluate.project import Project, opened


class LatestRun(Value):
    """How far the latest run of a project is."""

    total: int
    reused: int
    """Places that were there with their grade when it began."""

    settled: int
    """Places that have come to something since."""

    started_at: str
    ended_at: str | None
    """None while it is under way, and where its process was killed."""

    seconds: float
    """Since it began, or as long as it took."""

    seconds_left: float | None
    """At the pace so far; None where it is not running, or nobody can know yet."""

    long_conversations: int
    """Those that came to 80 % of the project's threshold of tokens, or beyond."""


class ProjectStatus(Value):
    """Where a project stands."""

    id: str
    name: str
    status: str
    control: str | None
    error: str | None
    """Why it was interrupted, if it was a trouble and not a person."""

    failed: str | None
    """``all`` where every trial of a completed project failed, ``some`` where some have no
    answer."""

    total_trials: int
    trials: Tried
    """What its places came to, the latest of each."""

    run: LatestRun | None
    """None before the first one, and where it was run elsewhere."""

    cost_usd: float | None
    """What its agents are known to have cost, also those whose answers are reused here, and those
    whose answers do not count any more. Judges are not in it."""


class Retried(Value):
    """How many results are wanted anew."""

    results: int
    project: ProjectStatus


def status(app: App, project: Project) -> ProjectStatus:
    """Where it stands now; what lies in files only is taken in first."""
    take_over(app, project)
    config = opened(project.folder).config
    run = RunService(app).find(config.id, "project")
    state = ExperimentState.of(run) if run else None
    return ProjectStatus(
        id=config.id,
        name=config.name,
        status=state.status if state else _unattended(config.status),
        control=state.control if state else config.control,
        error=state.error if state else None,
        failed=config.failed,
        total_trials=config.progress.total_trials or config.progress.total_tasks,
        trials=Tried.model_validate(asdict(app.store.results.counts(config.id))),
        run=_latest(app, run) if run and run.owner else None,
        cost_usd=app.store.results.spent(config.id).cost_usd,
    )


def _unattended(status: str) -> str:
    """The status of a project that nobody has run here."""
    return "interrupted" if status == "running" else status


def _latest(app: App, run: Run) -> LatestRun:
    known = progress(run, app.clock.now())
    long = run.details.get("long_conversations")
    return LatestRun(
        total=known.total,
        reused=known.reused,
        settled=known.settled,
        started_at=run.started_at,
        ended_at=run.ended_at,
        seconds=known.seconds,
        seconds_left=known.seconds_left,
        long_conversations=long if isinstance(long, int) else 0,
    )

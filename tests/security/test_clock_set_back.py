"""The clock of the machine is set back by an hour while something runs."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.app.evaluating import planned, skill
from tests.app.opening import COMPARISON, app_on, fill
from whet.app.app import App
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.status import status
from whet.app.runs.progress import progress
from whet.app.runs.service import RunService
from whet.core.run import Run
from whet.ports.results import ResultQuery

HOUR = timedelta(hours=1)


class SetBack:
    """A clock that is set back once somebody has read it."""

    def __init__(self) -> None:
        self.is_late = False

    def now(self) -> datetime:
        """See the port."""
        now = datetime.now(UTC)
        return now - HOUR if self.is_late else now


def with_a_bad_clock(app: App) -> tuple[App, SetBack]:
    clock = SetBack()
    return replace(app, clock=clock), clock


def test_a_run_of_a_suite_took_its_time_all_the_same(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as good:
        app, clock = with_a_bad_clock(good)
        plan = planned(app, skill(tmp_path))

        def begun() -> None:
            clock.is_late = True

        asyncio.run(Evals(app).run(plan, begun))
        state = Evals(app).get(plan.id)
        assert state.ended_at is not None
        assert state.ended_at < state.started_at
        run = RunService(app).get(plan.id)
        assert progress(run, app.clock.now()).seconds == state.elapsed_s
        assert (state.elapsed_s or 0) > 0


def test_a_project_and_its_judges_took_their_time_all_the_same(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    with app_on(workspace) as good:
        app, clock = with_a_bad_clock(good)
        project = create_project(app, COMPARISON)

        def begun() -> None:
            clock.is_late = True

        report = asyncio.run(Experiments(app).run(project, begun))
        run = status(app, report.project).run
        assert run is not None
        assert run.seconds > 0
        results = app.store.results.page(ResultQuery(project=project.config.id)).items
        assert results
        assert all(result.duration_ms >= 0 for result in results)


def test_nobody_promises_an_end_by_a_clock_that_was_set_back() -> None:
    now = datetime.now(UTC)
    at = now.isoformat()
    run = Run(
        id="r", kind="eval", name="R", status="running", created_at=at, started_at=at, total=10
    )
    known = progress(run.model_copy(update={"done": 1}), now - HOUR)
    assert (known.seconds, known.seconds_left) == (0, None)

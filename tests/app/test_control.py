"""Pausing, stopping and retrying: whoever runs it hears of it; nothing is lost or done twice."""

import asyncio
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.flows.command import assert_every_trial_answered_once
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.runs.service import RunService
from whet.core.errors import Halted, UsageError
from whet.core.result import Counts
from whet.core.run import Wish
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult
from whet.evaluate.project import Project
from whet.ports.results import ResultQuery

LONG = COMPARISON.model_copy(update={"repeats": 100})
"""400 trials, so that there is time for wishes."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


async def halted(runner: App, asker: App, project: Project, wish: Wish) -> None:
    """Run it until a wish from elsewhere is heard."""
    begun = asyncio.Event()
    running = asyncio.create_task(Experiments(runner, width=1).run(project, begun.set))
    await begun.wait()
    counted = asker.store.results.counts
    while not counted(project.config.id).total:  # noqa: ASYNC110 - another app does the work
        await asyncio.sleep(0.01)
    RunService(asker).ask(project.config.id, wish)
    with pytest.raises(Halted, match=wish):
        await running


def on_disk(project: Project) -> ProjectConfig:
    return ProjectConfig.load(project.folder / "config.json")


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["paused", "stopped"])
def test_a_wish_reaches_whichever_process_runs_it(workspace: Path, wish: Wish) -> None:
    with app_on(workspace) as runner, app_on(workspace) as asker:
        project = create_project(runner, LONG)
        asyncio.run(halted(runner, asker, project, wish))
        config = on_disk(project)
        assert (config.status, config.control) == ("interrupted", wish)
        state = Experiments(asker).get(config.id)
        assert (state.status, state.control, state.error) == ("interrupted", wish, None)
        done = asker.store.results.counts(config.id).total
        assert 0 < done < 400
        assert len([*project.folder.glob("results/*/*.json")]) == done
        assert not (project.folder / "results/summary.json").exists()
        last = [*asker.store.events.since(0, config.id)][-1]
        assert (last.kind, last.data["control"]) == ("experiment.interrupted", wish)

        report = asyncio.run(Experiments(asker).run(project))
        assert (report.extent.total, report.extent.reused) == (400, done)
        assert asker.store.results.counts(config.id) == Counts(completed=400)
        config = on_disk(project)
        assert (config.status, config.control) == ("completed", None)
    assert_every_trial_answered_once(workspace, 400)


@pytest.mark.slow
def test_a_wish_from_before_a_start_does_not_count(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, LONG)
        asyncio.run(halted(app, app, project, "paused"))
        with pytest.raises(UsageError, match="is not running; it is interrupted"):
            RunService(app).ask(project.config.id, "stopped")
        assert asyncio.run(Experiments(app).run(project)).extent.total == 400


def test_a_retry_is_another_answer_beside_the_first(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        asyncio.run(Experiments(app).run(project))
        arm = app.store.results.page(ResultQuery(project.config.id)).items[0].arm
        wanted = ResultQuery(project.config.id, arm=arm, case="case_001")
        assert Experiments(app).retry([wanted]) == 2, "both attempts"
        assert Experiments(app).retry([wanted]) == 2
        report = asyncio.run(Experiments(app).run(project))
        assert (report.extent.missing, report.extent.reused) == (2, 6)
        found = app.store.results.page(ResultQuery(project.config.id)).items
        assert sorted(one.generation or 0 for one in found) == [1] * 6 + [2] * 2
        assert {one.generation for one in found if (one.arm, one.case) == (arm, "case_001")} == {2}
        written = [CaseResult.load(path) for path in project.folder.glob("results/*/case_*.json")]
        assert len(written) == 8
        assert sorted(one.generation or 0 for one in written) == [1] * 6 + [2] * 2
        assert all(len(app.store.ledger.executions(one.trial)) == one.generation for one in found)

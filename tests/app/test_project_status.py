"""Where a project stands: what happened since the latest run began, by whichever process."""

import asyncio
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import RetryWish
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import status
from whet.app.projects.wanted import expected, retry
from whet.app.runs.service import RunService
from whet.core.errors import Halted, NotFound, UsageError
from whet.evaluate.project import Project

LONG = COMPARISON.model_copy(update={"repeats": 100})


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


async def running(runner: App, asker: App, project: Project) -> None:
    """Looked at from elsewhere while it runs, and halted from there."""
    begun = asyncio.Event()
    work = asyncio.create_task(Experiments(runner, width=1).run(project, begun.set))
    await begun.wait()
    seen: list[int] = []
    async for known in RunService(asker).follow(project.config.id):
        seen.append(known.done)
        if known.done >= 20:
            break
    found = status(asker, project)
    assert found.status == "running"
    assert found.run is not None
    assert found.run.settled >= 20
    assert found.run.seconds_left is not None
    assert found.run.seconds_left > 0
    await Experiments(asker).halt(ProjectShelf(asker).find(project.config.id), "paused", 30)
    state = Experiments(asker).get(project.config.id)
    assert (state.status, state.control) == ("interrupted", "paused")
    with pytest.raises(Halted):
        await work
    assert seen == sorted(seen)


@pytest.mark.slow
def test_it_is_seen_from_another_process(workspace: Path) -> None:
    with app_on(workspace) as runner, app_on(workspace) as asker:
        project = create_project(runner, LONG)
        asyncio.run(running(runner, asker, project))
        found = status(asker, project)
        assert (found.status, found.control, found.error) == ("interrupted", "paused", None)
        assert found.run is not None
        assert found.run.seconds_left is None
        assert found.run.settled == found.trials.completed
        first = found.run
        asyncio.run(Experiments(asker).run(project))
        found = status(asker, project)
        assert found.run is not None
        assert (found.run.reused, found.run.total) == (first.settled, 400)
        assert found.run.settled == 400 - first.settled
        assert found.run.started_at > first.started_at


def test_a_run_of_before_does_not_count_for_this_one(workspace: Path) -> None:
    """The results of before stand until they are settled anew; the run knows better."""
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        asyncio.run(Experiments(app).run(project))
        assert retry(app, project, RetryWish(skill="Writer")) == 4
        asyncio.run(Experiments(app).run(project))
        found = status(app, project)
        assert found.run is not None
        assert (found.run.reused, found.run.settled, found.run.total) == (4, 4, 8)


def test_a_killed_one_took_until_the_last_that_is_known(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        with app_on(workspace) as doomed:
            asyncio.run(Experiments(doomed).run(project))
            run = doomed.store.runs.get(project.config.id)
            assert run is not None
            alive = {"status": "running", "ended_at": None}
            doomed.store.runs.put(run.model_copy(update=alive))
        found = status(app, project)
        assert found.status == "interrupted"
        assert found.run is not None
        assert (found.run.ended_at, found.run.seconds_left) == (None, None)
        assert 0 < found.run.seconds < 60

        async def looks() -> int:
            return len([each async for each in RunService(app).follow(project.config.id)])

        assert asyncio.run(looks()) == 1, "nobody is at it"


def test_one_that_claims_to_run_and_was_never_run_here(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON).saved(status="running", created_at="yesterday")
        found = status(app, project)
        assert (found.status, found.run) == ("interrupted", None)
        seen = ProjectShelf(app).find(project.config.id)
        with pytest.raises(UsageError, match="'Small' is not running; it is interrupted"):
            asyncio.run(Experiments(app).halt(seen, "paused", 1))


@pytest.mark.slow
def test_what_is_wanted_again(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        with pytest.raises(NotFound, match="nothing to try again"):
            retry(app, project, RetryWish(case="case_001"))
        asyncio.run(Experiments(app).run(project))
        config = project.config
        for wish, count in (
            (RetryWish(skill="Writer"), 4),
            (RetryWish(skill=f"{config.skills[0].ref_id[:8]}_v1", case="case_002"), 2),
            (RetryWish(skill="Writer@v1", baseline=config.baselines[0].ref_id[:6]), 4),
        ):
            assert not expected(app, project, wish).needs_consent
            assert asyncio.run(Experiments(app).run(project)).extent.missing == 0, "only looked at"
            assert retry(app, project, wish) == count
            assert asyncio.run(Experiments(app).run(project)).extent.missing == count
        with pytest.raises(UsageError, match="say what to try again"):
            expected(app, project, RetryWish())
        with pytest.raises(NotFound, match="it has Writer@v1, Author@v1"):
            retry(app, project, RetryWish(skill="Writer@v2"))

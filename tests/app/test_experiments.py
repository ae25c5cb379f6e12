"""Experiments as a person sees them: state, progress, and what is left after trouble."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand
from tests.curate.shelves import write_cases
from tests.flows.command import assert_every_trial_answered_once
from tests.run.agents import answers, raises
from whet.app.app import App
from whet.app.experiment_run import ExperimentRun
from whet.app.experiments import Experiments, Report
from whet.app.overview.outcomes import outcomes
from whet.app.projects.create import create_project
from whet.app.projects.report import export_project
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import status
from whet.app.projects.told import item
from whet.app.runs.claim import Ending
from whet.core.budget import NO_LIMITS, Purse
from whet.core.errors import (
    EngineFailure,
    EnvironmentProblem,
    NotFound,
    UnknownPart,
    UsageError,
)
from whet.core.failure import Failure
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.documents.project import ProjectConfig
from whet.evaluate.project import Project, design, opened, projects
from whet.ports.results import ResultQuery
from whet.ports.workdir import Workdir

LONG_AGO = "2001-01-01T00:00:00Z"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def kinds(app: App, subject: str) -> list[str]:
    return [event.kind for event in app.store.events.since(0, subject)]


def on_disk(project: Project) -> ProjectConfig:
    return ProjectConfig.load(project.folder / "config.json")


def changed(project: Project, **change: object) -> Project:
    """The project with another command line configuration."""
    cli = project.config.cli_config.model_copy(update=change)
    return project.saved(cli_config=cli)


def test_a_run_to_the_end(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        assert on_disk(project).status == "pending"
        begun: list[str] = []
        report = asyncio.run(
            Experiments(app).run(project, lambda: begun.append(on_disk(project).status))
        )
        assert begun == ["running"]
        assert (report.extent.total, report.extent.missing) == (8, 8)
        config = on_disk(project)
        assert config == report.project.config
        assert (config.status, config.control) == ("completed", None)
        progress = config.progress
        assert (progress.total_tasks, progress.total_trials) == (4, 8)
        assert (progress.completed_tasks, progress.failed_tasks) == (4, 0)
        assert progress.last_checkpoint == 4
        state = Experiments(app).get(config.id)
        assert (state.status, state.total_trials) == ("completed", 8)
        assert state.folder == project.folder.name
        assert state.ended_at is not None
        assert state.started_at <= state.ended_at
        assert kinds(app, config.id) == [
            "experiment.started",
            *["trial.settled"] * 8,
            "experiment.finished",
        ]


def test_what_is_recorded_is_not_run_again(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        first = asyncio.run(Experiments(app).run(project))
        again = asyncio.run(Experiments(app).run(project))
        assert (again.extent.missing, again.extent.reused) == (0, 8)
        assert again.summary.ranking == first.summary.ranking
        another = asyncio.run(Experiments(app).run(create_project(app, COMPARISON)))
        assert another.extent.reused == 8, "a new project asks the same questions"
        assert another.project.config.id != first.project.config.id


def test_the_newest_experiment_comes_first(workspace: Path) -> None:
    with app_on(workspace) as app:
        assert not Experiments(app).list()
        projects = [create_project(app, COMPARISON) for _ in range(3)]
        for project in projects:
            asyncio.run(Experiments(app).run(project))
        listed = [state.id for state in Experiments(app).list()]
        assert listed == [project.config.id for project in reversed(projects)]


def test_an_unknown_id_is_not_found(workspace: Path) -> None:
    with app_on(workspace) as app, pytest.raises(NotFound, match="no experiment 'nope'"):
        Experiments(app).get("nope")


def test_an_experiment_without_its_owner_is_interrupted(workspace: Path) -> None:
    with app_on(workspace) as reader:
        with app_on(workspace) as owner:
            project = create_project(owner, COMPARISON)
            plan = design(project, owner.store.blobs, {})
            ExperimentRun(owner, project, plan).begin({}, Purse(NO_LIMITS))
            identity = project.config.id
            assert Experiments(owner).get(identity).status == "running"
            assert Experiments(reader).get(identity).status == "running"
            assert [state.status for state in Experiments(reader).list()] == ["running"]
        assert Experiments(reader).get(identity).status == "interrupted"
        assert [state.status for state in Experiments(reader).list()] == ["interrupted"]
        assert on_disk(project).status == "running", "a dead process cannot write"
        assert ProjectShelf(reader).find(identity).config.status == "interrupted"
        assert on_disk(project).status == "running", "to look changes nothing"
        report = asyncio.run(Experiments(reader).run(project))
        assert report.extent.missing == 8
        assert Experiments(reader).get(identity).status == "completed"


def test_a_restart_does_not_reset_the_counters(workspace: Path) -> None:
    counted: list[int] = []

    async def looks(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        counted.append(on_disk(project).progress.completed_tasks)
        async for step in answers(spec, workdir):
            yield step

    wish = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",)})
    with app_with(workspace, hand(looks)) as app:
        project = create_project(app, wish)
        asyncio.run(Experiments(app).run(project))
        started = ExperimentRun(app, project, design(project, app.store.blobs, {}))
        started.begin({}, Purse(NO_LIMITS))
        assert on_disk(project).progress.completed_tasks == 4, "also if it is killed here"
        started.end("interrupted", Ending("the database is locked"))
        assert on_disk(project).progress.completed_tasks == 4
        counted.clear()
        Experiments(app).retry([ResultQuery(project.config.id, case="case_001")])
        asyncio.run(Experiments(app, width=1).run(project))
        assert counted[0] == 2, "what is done is told while the first agent is at work"


def test_a_cancelled_run_is_left_resumable(workspace: Path) -> None:
    async def cancelled_at_once(app: App, project: Project) -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(Experiments(app).run(project, begun.set))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        asyncio.run(cancelled_at_once(app, project))
        config = on_disk(project)
        assert (config.status, config.control) == ("interrupted", "stopped")
        assert Experiments(app).get(config.id).status == "interrupted"
        assert kinds(app, config.id)[-1] == "experiment.interrupted"
        report = asyncio.run(Experiments(app).run(Project(project.folder, config)))
        assert report.extent.total == 8
        config = on_disk(project)
        assert (config.status, config.control) == ("completed", None)
        assert config.progress.completed_tasks == 4
    assert_every_trial_answered_once(workspace, 8)


def test_an_unknown_engine_is_refused_before_anything_begins(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = changed(create_project(app, COMPARISON), engine="nope")
        with pytest.raises(UnknownPart, match="'nope'"):
            asyncio.run(Experiments(app).run(project))
        assert not Experiments(app).list()
        assert not kinds(app, project.config.id)
        assert on_disk(project).status == "pending"


def test_a_project_without_the_version_of_its_engine_gets_it_when_it_is_run(
    workspace: Path,
) -> None:
    with app_on(workspace, PATH="/nowhere") as app:
        project = changed(create_project(app, COMPARISON), engine=None, engine_version=None)
        with pytest.raises(EnvironmentProblem, match="claude: command not found"):
            asyncio.run(Experiments(app).run(project))
        assert on_disk(project).status == "pending"
        project = changed(project, engine="simulated")
        assert asyncio.run(Experiments(app).run(project)).extent.missing == 8
        cli = on_disk(project).cli_config
        assert cli.engine_version == app.parts.engine("simulated").version({})


def test_a_sandbox_is_not_taken_from_a_file(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = changed(create_project(app, COMPARISON), engine="command", sandbox="none")
        strict = replace(app, settings=replace(app.settings, sandbox="required"))
        asyncio.run(Experiments(strict).run(project))
        [found] = projects(workspace).found
        assert found.config.cli_config.sandbox == strict.access.sandbox() != "none"


def test_a_project_that_lost_its_cases_is_refused(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        write_cases(project.folder / project.config.baselines[0].local_path)
        with pytest.raises(UsageError, match="have no cases"):
            asyncio.run(Experiments(app).run(project))
        assert not Experiments(app).list()


def test_two_apps_share_one_experiment(workspace: Path) -> None:
    """Each trial is run by one of them, and both have the whole result."""

    async def both(first: App, second: App, project: Project) -> list[list[object]]:
        runs = [Experiments(app).run(project) for app in (first, second)]
        return [list(report.summary.ranking) for report in await asyncio.gather(*runs)]

    with app_on(workspace) as first, app_on(workspace) as second:
        project = create_project(first, COMPARISON)
        one, other = asyncio.run(both(first, second, project))
        assert one == other
        assert Experiments(first).get(project.config.id).status == "completed"
    assert_every_trial_answered_once(workspace, 8)


def test_a_look_at_results_is_no_test(workspace: Path) -> None:
    """The leaderboard takes the time of the summary for that of the test."""
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        path = project.folder / "results/summary.json"
        asyncio.run(Experiments(app).run(project))
        long_ago = path.read_text().replace(json.loads(path.read_text())["generated_at"], LONG_AGO)
        path.write_text(long_ago)
        asyncio.run(Experiments(app).run(project))
        assert path.read_text() == long_ago
        path.write_text(long_ago.replace('"total_cases": 2', '"total_cases": 3'))
        asyncio.run(Experiments(app).run(project))
        right = json.loads(path.read_text())
        assert (right["generated_at"], right["total_cases"]) == (LONG_AGO, 2), "its date stays"
        assert "recomputed_at" not in right, "no score was another one"
        wrong = json.loads(long_ago)
        wrong["ranking"][0]["avg_score"] = 1
        path.write_text(json.dumps(wrong))
        asyncio.run(Experiments(app).run(project))
        right = json.loads(path.read_text())
        assert right["generated_at"] == LONG_AGO
        assert right["recomputed_at"] > LONG_AGO, "it says so"
        assert right["ranking"] == json.loads(long_ago)["ranking"]
        path.write_text(long_ago)
        Experiments(app).retry([ResultQuery(project.config.id, case="case_001")])
        asyncio.run(Experiments(app).run(project))
        assert json.loads(path.read_text())["generated_at"] != LONG_AGO, "it was tested again"


def test_three_at_one_project_report_each_trial_once(workspace: Path) -> None:
    async def together(apps: list[App], project: Project) -> list[Report]:
        return await asyncio.gather(*(Experiments(app).run(project) for app in apps))

    with app_on(workspace) as first, app_on(workspace) as second, app_on(workspace) as third:
        project = create_project(first, COMPARISON)
        reports = asyncio.run(together([first, second, third], project))
        assert sum(report.extent.executed for report in reports) == 8
        for report in reports:
            assert report.extent.executed + report.extent.reused + report.extent.ungraded == 8
        events = first.store.events.since(0, project.config.id)
        settled = [
            (event.data["arm"], event.data["case"], event.data["attempt"])
            for event in events
            if event.kind == "trial.settled"
        ]
        assert len(settled) == len({*settled}) == 8
        again = asyncio.run(Experiments(second).run(project))
        assert (again.extent.executed, again.extent.reused) == (0, 8)


def test_a_project_whose_trials_all_crashed_is_marked(workspace: Path) -> None:
    crash = raises(EngineFailure(Failure.CRASH, "it broke"))
    wanted = COMPARISON.model_copy(update={"engine": "hand", "repeats": 1, "retries": 0})
    wanted = wanted.model_copy(update={"judges": ("simulated",)})
    with app_with(workspace, hand(*[crash] * 4)) as app:
        project = create_project(app, wanted)
        report = asyncio.run(Experiments(app).run(project))
        assert (report.project.config.status, report.project.config.failed) == ("completed", "all")
        assert on_disk(project).failed == "all"
        assert status(app, project).failed == "all"
        assert item(app, opened(project.folder)).failed == "all"
        [kept] = Experiments(app).list()
        assert (kept.status, kept.failed) == ("completed", "all")
        [shown] = outcomes(app, [kept], [])
        assert not shown.complete
        last = [*app.store.events.since(0, kept.id)][-1]
        assert (last.kind, last.data) == ("experiment.finished", {"failed": "all"})
    with app_on(workspace) as app:
        assert "Every trial failed" in export_project(app, project.config.id, "markdown")
    with app_with(workspace, hand(*[answers] * 4)) as app:
        report = asyncio.run(Experiments(app).run(opened(project.folder)))
        assert report.project.config.failed is None, "they were tried again"

"""A lost database is no loss: what the files say comes back, and nothing is run again."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.originals import Original, lose_the_database
from tests.app.recording import app_with, hand
from tests.app.test_takeover import executed, ranked, run, told
from tests.curate.original.desktop import image, read, scores, write
from tests.curate.shelves import add_baseline, write_cases
from tests.run.agents import Script, answers, now, raises, yields
from whet.app.experiments import Experiments
from whet.app.projects import results
from whet.app.projects.create import create_project
from whet.app.projects.report import project_report
from whet.app.projects.requests import Comparison
from whet.app.projects.status import status
from whet.core.errors import EngineFailure
from whet.core.failure import Failure
from whet.core.result import Counts
from whet.core.step import Ended
from whet.documents.result import CaseResult, Summary
from whet.evaluate.project import Project, opened
from whet.ports.results import ResultQuery

OTHER = {"generation", "session"}
"""What a result cannot say as before: it is imported now, and its session log is gone."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    write_cases(add_baseline(tmp_path / "workspace", "More"), "case_001b", "case_002b", "case_003b")
    return tmp_path / "workspace"


def documents(project: Project) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for path in project.folder.glob("results/*_v*/**/case_*.json"):
        said = CaseResult.load(path).model_dump()
        name = path.relative_to(project.folder / "results").as_posix()
        found[name] = {key: value for key, value in said.items() if key not in OTHER}
    return found


def on_disk(project: Project) -> Summary:
    return Summary.load(project.folder / "results/summary.json")


@pytest.mark.slow
def test_the_ranking_is_the_same_and_nothing_is_run_again(workspace: Path) -> None:
    both = COMPARISON.model_copy(update={"baselines": ("Tests", "More")})
    with app_on(workspace) as app:
        project = create_project(app, both)
        first = run(app, project)
        rows = [one.result for one in results.page(app, project, ResultQuery("")).items]
    before, files = documents(project), image(project.folder)
    assert len(before) == 20
    lose_the_database(workspace)
    with app_on(workspace) as app:
        found = [one.result for one in results.page(app, project, ResultQuery("")).items]
        assert image(project.folder) == files, "all that is said there is still so"
        assert not told(app, project)
        assert [(one.arm, one.set, one.case, one.trial) for one in found] == [
            (one.arm, one.set, one.case, one.trial) for one in rows
        ]
        assert [one.score for one in found] == [pytest.approx(one.score) for one in rows]
        assert Experiments(app).get(project.config.id).status == "completed"
        again = run(app, opened(project.folder))
        assert (again.extent.total, again.extent.reused) == (20, 20)
        assert again.summary.ranking == first.summary.ranking
        assert again.summary.by_baseline == first.summary.by_baseline
        assert executed(app) == 0
    assert documents(project) == before
    assert not (project.folder / "results/original").exists(), "these are our own"


def test_a_half_done_project_goes_on_where_it_was(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
    for path in project.folder.glob("results/*/case_002.json"):
        path.unlink()
    lose_the_database(workspace)
    with app_on(workspace) as app:
        assert results.counts(app, project) == Counts(completed=6)
        assert status(app, project).status == "interrupted"
        found = project_report(app, project.config.id).summary
        assert found is not None
        assert [e.completed_cases for e in found.ranking] == [2, 2]
        assert run(app, project).extent.missing == 2
        assert results.counts(app, project) == Counts(completed=8)


def test_what_failed_stays_so_and_what_was_never_answered_is_tried_again(workspace: Path) -> None:
    """Of four trials one is answered, one reaches its limit, and two find no model."""
    scripts: list[Script] = [
        answers,
        yields(Ended(now(), "half", failure=Failure.MAX_TURNS, error="too long")),
        raises(EngineFailure(Failure.AUTH, "no key")),
        raises(EngineFailure(Failure.AUTH, "no key")),
    ]
    wish = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",), "repeats": 1})
    with app_with(workspace, hand(*scripts)) as app:
        project = create_project(app, wish)
        first = asyncio.run(Experiments(app, width=1).run(project))
        before = results.counts(app, project)
        assert (before.completed, before.failed, before.unanswered) == (1, 3, 2)
    lose_the_database(workspace)
    with app_with(workspace, hand(answers)) as app:
        assert results.counts(app, project) == before
        assert ranked(on_disk(project)) == ranked(first.summary)
        report = run(app, project)
        assert report.extent.missing == 2
        assert results.counts(app, project) == Counts(completed=3, failed=1)
        failed = [one for one in documents(project).values() if one["status"] == "failed"]
        assert [one["error"] for one in failed] == ["too long"]


def test_a_copy_of_elsewhere_is_read_without_its_engine(workspace: Path, tmp_path: Path) -> None:
    wish = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",)})
    with app_with(workspace, hand(answers)) as app:
        project = create_project(app, wish)
        first = run(app, project)
    here = tmp_path / "here" / "projects" / project.folder.name
    shutil.copytree(project.folder, here)
    with app_on(tmp_path / "here") as app:
        report = run(app, opened(here))
        assert report.summary.ranking == first.summary.ranking
        assert (report.extent.missing, executed(app)) == (0, 0)


def test_a_changed_design_makes_old_answers_strangers(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
    config = read(project.folder / "config.json")
    config["cli_config"]["timeout_seconds"] = 7
    write(project.folder / "config.json", config)
    lose_the_database(workspace)
    with app_on(workspace) as app:
        assert results.counts(app, opened(project.folder)) == Counts()
        assert set(told(app, project).values()) == {
            "is of another trial: the project was changed since, or it is another's"
        }
        assert run(app, opened(project.folder)).extent.missing == 8


def test_a_continued_project_of_the_original_survives_too(tmp_path: Path) -> None:
    original = Original(tmp_path)
    original.set_up(engine="simulated")
    original.add(0, 0, folder=original.arm(0))
    project = original.copied()
    with app_on(original.workspace) as app:
        first = run(app, project)
        assert first.extent.missing == 5
    before = documents(project)
    lose_the_database(original.workspace)
    with app_on(original.workspace) as app:
        again = run(app, opened(project.folder))
        assert (again.extent.missing, executed(app)) == (0, 0)
        assert again.summary.ranking == first.summary.ranking
    assert documents(project) == before
    assert len([*project.folder.glob("results/original/*/*.json")]) == 1


def test_all_projects_of_a_workspace_come_back(workspace: Path) -> None:
    """They share answers, and each has them all again."""
    wishes: list[Comparison] = [
        COMPARISON,
        COMPARISON.model_copy(update={"name": "Other", "skills": ("Author",)}),
    ]
    with app_on(workspace) as app:
        projects = [create_project(app, wish) for wish in wishes]
        first = [ranked(run(app, project).summary) for project in projects]
    lose_the_database(workspace)
    with app_on(workspace) as app:
        assert [ranked(run(app, project).summary) for project in projects] == first
        assert executed(app) == 0
        assert not any(told(app, project) for project in projects)


def forged(project: Project, **changes: object) -> Project:
    """A copy under another id, whose results say something else."""
    folder = shutil.copytree(project.folder, project.folder.with_name("project_forged_1"))
    write(folder / "config.json", read(folder / "config.json") | {"id": "another"})
    for path in folder.glob("results/*_v*/case_*.json"):
        write(path, read(path) | changes)
    return opened(folder)


FORGED: list[dict[str, object]] = [
    {"actual_output": "I am the best."},
    {"scores": {**dict.fromkeys(scores(), 0), "total": 0}},
]


@pytest.mark.parametrize("changes", FORGED)
def test_nobody_speaks_for_another_project(workspace: Path, changes: dict[str, object]) -> None:
    """Of two that tell otherwise of the same trial one is kept, and counts for who told it."""
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        first = run(app, project)
    liar = forged(project, **changes)
    lose_the_database(workspace)
    with app_on(workspace) as app:
        assert results.counts(app, liar).completed == 8
        assert results.counts(app, project) == Counts()
        assert set(told(app, project).values()) == {
            "is left: another result of the same trial was taken in before"
        }
        again = run(app, project)
        assert again.extent.missing == 8
        assert again.summary.ranking == first.summary.ranking


def test_what_another_project_brought_does_not_fill_gaps(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
    other = forged(project)
    for path in project.folder.glob("results/*/case_002.json"):
        path.unlink()
    lose_the_database(workspace)
    with app_on(workspace) as app:
        assert results.counts(app, other) == Counts(completed=8)
        assert results.counts(app, project) == Counts(completed=6)
        assert run(app, project).extent.missing == 2

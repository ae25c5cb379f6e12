"""Projects of the original program: they open, list, rank and can be continued."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import app_on
from tests.app.originals import Original
from tests.curate.original.desktop import image, read, scores, write
from tests.curate.original.taking import NOW
from whet.app import leaderboard
from whet.app.app import App
from whet.app.experiments import Experiments, Report
from whet.app.leaderboard import Slice, Wanted
from whet.app.library.library import index_of
from whet.app.projects import results
from whet.app.projects.report import export_project, project_report
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import status
from whet.app.projects.told import detail
from whet.app.takeover.state import Note
from whet.app.takeover.takeover import take_over, taken_over
from whet.app.views.page import Cases
from whet.app.views.views import Views
from whet.core.errors import EnvironmentProblem
from whet.core.result import Counts
from whet.curate.original.workspace import import_workspace
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult, Summary
from whet.evaluate.project import Project, opened
from whet.ports.results import ResultQuery


@pytest.fixture
def original(tmp_path: Path) -> Original:
    return Original(tmp_path)


def run(app: App, project: Project) -> Report:
    return asyncio.run(Experiments(app).run(project))


def summary(app: App, project: Project) -> Summary:
    """What the results come to, whatever the file says."""
    found = project_report(app, project.config.id).summary
    assert found is not None
    return found


def ranked(found: Summary) -> list[tuple[str, float | None, int, int]]:
    return [(e.skill_name, e.avg_score, e.completed_cases, e.failed_cases) for e in found.ranking]


def told(app: App, project: Project) -> dict[str, str]:
    """What the takeover says of files, by their path."""
    taken = taken_over(app, project.config.id)
    assert taken is not None
    return {note.path.removeprefix("results/"): note.what for note in taken.notes}


def executed(app: App) -> int:
    """How many agents were started for trials that have an answer."""
    return sum(len(app.store.ledger.executions(each)) for each in app.store.ledger.addresses())


def test_imported_listed_ranked_and_continued_to_the_end(original: Original) -> None:
    """The whole way, with the program's own faults in it."""
    original.say(status="running", progress={**original.config["progress"], "completed_tasks": 6})
    original.add(0, 0, 28)
    original.add(0, 1, 20, case_id="undefined", file="undefined.json")
    original.add(1, 0, 10)
    original.add(1, 1, status="failed", scores=None, error="CLI_TIMEOUT", actual_output="")
    original.desktop.add_summary(original.source, completed_cases=3, avg_score=88)
    import_workspace(original.desktop.root, original.workspace, NOW)
    kept = image(original.folder / "results")
    with app_on(original.workspace) as app:
        (project,) = ProjectShelf(app).page(ProjectListing()).items
        assert project.config.status == "interrupted"
        assert results.counts(app, project) == Counts(completed=3, failed=1)
        # 28 + 60 and 20 + 60; 10 + 60, and one that failed.
        assert ranked(summary(app, project)) == [("Writer", 84, 2, 0), ("Author", 70, 1, 1)]
        assert ProjectShelf(app).find(project.config.id).config.status == "interrupted"
        assert image(original.folder / "results") == kept, "results are read and left"

        said = read(project.folder / "config.json")
        said["cli_config"]["engine"] = "simulated"
        write(project.folder / "config.json", said)
        report = run(app, project)
        assert (report.extent.total, report.extent.missing) == (6, 2)
        assert executed(app) == 2
        config = report.project.config
        assert config.cli_config.engine_version == app.parts.engine("simulated").version({})
        assert (config.status, config.scope) == ("completed", "project")
        assert results.counts(app, project) == Counts(completed=5, failed=1)
        found = [one.result for one in results.page(app, project, ResultQuery("")).items]
        assert [one.generation for one in found] == [0, 0, 0, 0, 1, 1]
        points = [one.score and round(one.score * 100) for one in found[:4]]
        assert points == [88, 70, 80, None]
    assert {
        name: data
        for name, data in image(project.folder / "results/original").items()
        if name != "summary.json"
    } == {name: data for name, data in kept.items() if name != "summary.json"}
    written = CaseResult.load(project.folder / f"results/{original.arm(0)}/case_001.json")
    assert (written.generation, written.actual_output) == (0, "answer 0 0")
    assert (written.scores.total, written.engine, written.cli_version) == (88, "claude", "1.2.0")
    assert (written.model_version, written.input_tokens) == ("m", None), "nobody knows how many"


def test_a_project_that_was_only_copied_is_read_where_it_lies(original: Original) -> None:
    """In folders that are called after the copies, with a forgotten case and lost scores."""
    original.say(status="completed")
    original.add(0, 0)
    original.add(0, 1, case_id="undefined", file="undefined.json")
    original.add(0, 2, folder=f"skill_{original.arm(0)}", scores=None)
    original.add(1, 0, folder=original.arm(1))
    original.add(1, 1)
    project = original.copied()
    before = image(project.folder / "results")
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=5, unscored=1)
        assert image(project.folder / "results") == before
        assert told(app, project) == {
            f"skill_{original.arm(0)}/case_003.json": "has no score: it came without a score"
        }
        config = ProjectConfig.load(project.folder / "config.json")
        assert config.status == "completed", "as it says itself"
        found = status(app, project)
        assert (found.status, found.trials.completed) == ("interrupted", 5), "one is missing"
        assert Experiments(app).get(config.id).status == "interrupted"


def test_complete_and_without_its_engine_it_is_ranked_all_the_same(original: Original) -> None:
    for skill in (0, 1):
        for case in (0, 1, 2):
            original.add(skill, case, 30 - 10 * skill)
    project = original.copied()
    with app_on(original.workspace, PATH="/nowhere") as app:
        take_over(app, project)
        assert ranked(summary(app, project)) == [("Writer", 90, 3, 0), ("Author", 80, 3, 0)]
        report = run(app, project)
        assert (report.extent.total, report.extent.reused) == (6, 6)
        assert ranked(report.summary) == [("Writer", 90, 3, 0), ("Author", 80, 3, 0)]
        config = ProjectConfig.load(project.folder / "config.json")
        assert (config.status, config.cli_config.engine_version) == ("completed", None)


def test_what_is_missing_needs_the_engine(original: Original) -> None:
    original.add(0, 0)
    project = original.copied()
    with app_on(original.workspace, PATH="/nowhere") as app:
        with pytest.raises(EnvironmentProblem, match="claude: command not found"):
            run(app, project)
        assert results.counts(app, project) == Counts(completed=1)
        config = ProjectConfig.load(project.folder / "config.json")
        assert (config.status, config.cli_config.engine_version) == ("interrupted", None)


@pytest.mark.parametrize(("said", "control"), [("running", None), ("paused", "paused")])
def test_nobody_runs_it_any_more(original: Original, said: str, control: str | None) -> None:
    original.say(status=said)
    original.add(0, 0)
    project = original.copied()
    with app_on(original.workspace) as app:
        found = ProjectShelf(app).find(project.config.id).config
        assert (found.status, found.control) == ("interrupted", control)
        results.counts(app, project)
        told = status(app, project)
        assert (told.status, told.control) == ("interrupted", control)
        assert read(project.folder / "config.json")["status"] == said, "to look changes nothing"


def test_several_baselines_in_one_folder_are_told_apart(original: Original) -> None:
    """The original puts them all into the folder of the skill."""
    more = original.desktop.add_baseline("More", "z", "y")
    skills = [next(original.desktop.root.glob("skills/*/*/*"))]
    baselines = [next(original.desktop.root.glob(f"baselines/*/*/{more.name}"))]
    first = next(p for p in original.desktop.root.glob("baselines/*/*/*") if p != baselines[0])
    original.source = original.desktop.add_project("two", skills, [first, *baselines])
    original.add(0, 0)
    other = read(more / "cases.json")["cases"][1]
    reference = original.config["baselines"][1]
    original.cases.append(other)
    original.add(0, 3, baseline_id=reference["ref_id"], baseline_version=reference["version"])
    project = original.copied()
    with app_on(original.workspace) as app:
        items = results.page(app, project, ResultQuery("")).items
        assert [(one.baseline.name if one.baseline else "", one.result.case) for one in items] == [
            ("Tests", "case_001"),
            ("More", "case_002"),
        ]
        assert not told(app, project)


def test_two_projects_with_answers_of_their_own_keep_them(tmp_path: Path) -> None:
    """A second run of the same comparison has other answers to the same questions."""
    first = Original(tmp_path, "one")
    second = Original(tmp_path / "again", "two")
    second.workspace = first.workspace
    for skill in (0, 1):
        for case in (0, 1, 2):
            first.add(skill, case, 30 - skill)
            second.add(skill, case, 10 + skill, actual_output="another")
    one, two = first.copied(), second.copied()
    with app_on(first.workspace, PATH="/nowhere") as app:
        assert ranked(run(app, one).summary) == [("Writer", 90, 3, 0), ("Author", 89, 3, 0)]
        assert ranked(run(app, two).summary) == [("Author", 71, 3, 0), ("Writer", 70, 3, 0)]
        assert ranked(run(app, one).summary) == [("Writer", 90, 3, 0), ("Author", 89, 3, 0)]
        arm = first.arm(0)
        assert results.one(app, one, arm, "case_001").actual_output == "answer 0 0"
        assert results.one(app, two, arm, "case_001").actual_output == "another"


def test_another_answer_can_be_had(original: Original) -> None:
    for skill in (0, 1):
        for case in (0, 1, 2):
            original.add(skill, case)
    original.set_up(engine="simulated")
    path = original.source / f"results/{original.arm(1)}"
    shutil.move(
        original.source / "results" / Path(original.config["skills"][1]["local_path"]).name, path
    )
    project = original.copied()
    before = image(project.folder / "results")
    with app_on(original.workspace) as app:
        wanted = ResultQuery(project.config.id, arm=original.arm(1), case="case_002")
        assert Experiments(app).retry([wanted]) == 1, "also before anybody looked at it"
        report = run(app, project)
        assert (report.extent.missing, report.extent.reused) == (1, 5)
        items = results.page(app, project, ResultQuery("")).items
        assert [one.result.generation for one in items] == [0, 0, 0, 1, 0, 0]
        again = results.one(app, project, original.arm(1), "case_002")
        assert (again.generation, again.engine) == (1, "simulated")
    name = f"{original.arm(1)}/case_002.json"
    assert (project.folder / "results/original" / name).read_bytes() == before[name]


def test_taking_over_twice_changes_nothing(original: Original) -> None:
    for case in (0, 1, 2):
        original.add(0, case)
        original.add(1, case, total=5)
    original.desktop.add_summary(original.source)
    project = original.copied()
    with app_on(original.workspace, PATH="/nowhere") as app:
        assert take_over(app, project) is not None
        before = image(project.folder)
        rows = results.page(app, project, ResultQuery("")).items
        records = app.store.ledger.records(app.store.ledger.addresses(), imported=True)
        assert take_over(app, opened(project.folder)) is None
        assert results.page(app, project, ResultQuery("")).items == rows
        assert image(project.folder) == before
        assert app.store.ledger.records(records, imported=True) == records


def test_a_project_without_results_is_left_alone(original: Original) -> None:
    project = original.copied()
    (project.folder / "results").mkdir()
    before = image(project.folder)
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts()
        assert taken_over(app, project.config.id) is None
    assert image(project.folder) == before


def test_scores_are_recomputed_or_not_believed(original: Original) -> None:
    wrong = {**scores(28), "robustness": 21}
    original.add(0, 0, scores=scores(28, total=91))
    original.add(0, 1, scores=scores(28, total=999))
    original.add(0, 2, scores=wrong)
    original.add(1, 0, scores={"total": 80})
    original.add(1, 1, scores={**scores(28), "robustness": None})
    original.add(1, 2, scores="good")
    project = original.copied()
    with app_on(original.workspace) as app:
        items = [one.result for one in results.page(app, project, ResultQuery("")).items]
        by_place = {(one.arm, one.case): one for one in items}
        first = by_place[original.arm(0), "case_001"]
        assert (first.grade_status, first.score) == ("scored", pytest.approx(0.88))
        assert [one.grade_status for one in items].count("unscored") == 5
        folder, other = original.first, Path(original.config["skills"][1]["local_path"]).name
        assert told(app, project) == {
            f"{folder}/case_001.json": "its total of 91 is computed anew: 88",
            f"{folder}/case_002.json": "has no score: its total is 999, outside 0..100",
            f"{folder}/case_003.json": (
                "has no score: its scores do not fit: robustness is 21, outside 0..20"
            ),
            f"{other}/case_001.json": (
                "has no score: its scores do not fit: missing dimension 'complexity_control'"
            ),
            f"{other}/case_002.json": (
                "has no score: its scores do not fit: missing dimension 'robustness'"
            ),
            f"{other}/case_003.json": "has no score: it came without a score",
        }
        shown = detail(app, project).notes
        assert [one for one in shown if one.endswith("its total of 91 is computed anew: 88")]
        assert len(shown) >= 6
        assert ranked(summary(app, project)) == [("Writer", 88, 3, 0), ("Author", None, 3, 0)]
        error = results.one(app, project, original.arm(0), "case_002").error
        assert error == "its total is 999, outside 0..100"


def test_a_score_by_another_standard_is_given_anew(original: Original) -> None:
    original.set_up(engine="simulated")
    for skill in (0, 1):
        for case in (0, 1, 2):
            original.add(skill, case)
    original.add(0, 0, expected_output="Something else.")
    project = original.copied()
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=6, unscored=1)
        report = run(app, project)
        assert (report.extent.missing, report.extent.ungraded) == (0, 1)
        assert executed(app) == 0
        assert results.counts(app, project) == Counts(completed=6)


def test_looking_changes_nothing(original: Original) -> None:
    """Whatever door one looks through: files, dates and scores stay as they were."""
    for case in (0, 1, 2):
        original.add(0, case, 19.25)
        original.add(1, case, 10)
    original.desktop.add_summary(original.source, completed_cases=3, avg_score=79.3)
    original.say(status="completed")
    project = original.copied()
    before, identity = image(project.folder), project.config.id
    with app_on(original.workspace) as app:
        ProjectShelf(app).page(ProjectListing())
        found = detail(app, ProjectShelf(app).find(identity))
        assert found.project.judges == ("imported",), "nobody here judged it"
        assert found.summary is not None
        assert found.summary["generated_at"] == read_summary(project)["generated_at"]
        results.page(app, project, ResultQuery(""))
        results.one(app, project, original.arm(0), "case_001")
        assert status(app, project).status == "completed"
        for form in ("csv", "html", "json", "markdown"):
            export_project(app, identity, form)
        Views(app).project(identity, Cases())
        with index_of(original.workspace) as index:
            index.refresh()
            until = read_summary(project)["generated_at"]
            board = leaderboard.records(index, Wanted(until=until), Slice()).records
        assert [one["avg_score"] for one in board] == [79.3]
    assert image(project.folder) == before


def test_a_run_of_what_is_all_there_keeps_dates_and_totals(original: Original) -> None:
    """79.25 was written as 79.3; that nobody told of the other skill is said."""
    for case in (0, 1, 2):
        original.add(0, case, 19.25)
        original.add(1, case, 10)
    original.desktop.add_summary(original.source, completed_cases=3, avg_score=79.3)
    project = original.copied()
    said = read_summary(project)
    with app_on(original.workspace, PATH="/nowhere") as app:
        run(app, project)
        assert "results/summary.json" in {note.path for note in _notes(app, project)}
    after = read_summary(project)
    assert after["generated_at"] == said["generated_at"]
    assert [one["avg_score"] for one in after["ranking"]] == [79.3, 70]
    assert after["recomputed_at"] > said["generated_at"]


def read_summary(project: Project) -> dict[str, Any]:
    return read(project.folder / "results/summary.json")


def _notes(app: App, project: Project) -> tuple[Note, ...]:
    taken = taken_over(app, project.config.id)
    assert taken is not None
    return taken.notes

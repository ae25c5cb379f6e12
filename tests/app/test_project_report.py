"""Reports of real projects: they say what the results say, whatever state the project is in."""

import csv
import io
import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.app.comparing import fill, ran, wish
from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, write_cases
from tests.exporters.pages import Page, assert_harmless
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.report import export_project, forms, project_report
from whet.app.projects.wanted import of_project
from whet.core.errors import NotFound, UnknownPart
from whet.core.result import Result
from whet.documents.project_export import ProjectExport
from whet.documents.result import CaseResult, Summary
from whet.evaluate.project import Project


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


@pytest.fixture
def app(workspace: Path) -> Generator[App]:
    with app_on(workspace) as opened:
        yield opened


def files(project: Project) -> list[CaseResult]:
    found = sorted((project.folder / "results").rglob("case_*.json"))
    return [CaseResult.load(path) for path in found]


def test_the_ranking_is_that_of_the_summary_and_the_results_are_those_of_the_files(
    app: App, workspace: Path
) -> None:
    write_cases(add_baseline(workspace, "More"), "case_008", "case_009")
    project = ran(app, "P", "Writer", "Author", baselines=("Tests", "More"), repeats=2)
    found = project_report(app, "P")
    written = Summary.load(project.folder / "results/summary.json")
    assert found.summary is not None
    assert found.summary.model_copy(update={"generated_at": written.generated_at}) == written
    assert found.summary.by_baseline is not None
    assert found.warnings == ()
    exported = ProjectExport.parse(json.loads(export_project(app, "P", "json")), "it")
    by_place = [
        (one.skill_id, one.baseline_id, one.case_id, one.attempt) for one in exported.results
    ]
    assert len(set(by_place)) == len(by_place) == 20
    assert sorted(one.to_json() for one in exported.results) == sorted(
        one.to_json() for one in files(project)
    )


def test_every_cell_is_the_average_of_its_attempts(app: App) -> None:
    ran(app, "P", "Writer", "Author", repeats=3)
    for case in project_report(app, "P").cases:
        for standing, results in zip(case.standings, case.results, strict=True):
            totals = [one.scores.total for one in results if one.scores.total is not None]
            assert standing.average == pytest.approx(sum(totals) / 3, abs=1e-5)
            assert (standing.scored, standing.missing) == (3, 0)


def test_every_form_in_both_languages(app: App) -> None:
    ran(app, "P", "Writer", "Author")
    assert {"csv", "html", "json", "markdown"} <= set(forms(app))
    for language in ("en", "zh"):
        page = export_project(app, "P", "html", language)
        assert_harmless(Page(page), page)
        assert ("Simulated:" in page) == (language == "en")
        assert export_project(app, "P", "markdown", language).startswith("# P: ")
    rows = list(csv.reader(io.StringIO(export_project(app, "P", "csv"), newline="")))
    assert len(rows) == 1 + 6


def test_a_project_that_was_never_run(app: App) -> None:
    create_project(app, wish("P", "Writer", "Author"))
    found = project_report(app, "P")
    assert found.summary is None
    assert {one.missing for case in found.cases for one in case.standings} == {1}
    assert "No ranking yet" in export_project(app, "P", "html")
    assert json.loads(export_project(app, "P", "json"))["summary"] is None


def test_a_ranking_of_what_there_is_so_far(app: App) -> None:
    project = ran(app, "P", "Writer", "Author")
    Experiments(app).retry([of_project(project, skill="Author")])
    found = project_report(app, "P")
    assert found.summary is not None
    assert [one.skill_name for one in found.summary.ranking] == ["Writer"]
    assert "Author v1 · not run" in export_project(app, "P", "html")


def change(app: App, project: Project, **values: object) -> None:
    """One place of the table says something else."""
    page = app.store.results.page(of_project(project, skill="Writer", case="case_001"))
    app.store.results.put([Result.model_validate({**dict(page.items[0]), **values})])


def test_a_judge_that_failed_is_told_with_its_reason(app: App) -> None:
    project = ran(app, "P", "Writer", "Author")
    change(app, project, grade_status="failed", grade="0" * 64, score=None, error="judge broke")
    found = project_report(app, "P")
    [result] = found.cases[0].results[0]
    assert (result.grade_status, result.error, result.scores.total) == (
        "failed",
        "judge broke",
        None,
    )
    assert found.cases[0].standings[0].unscored == 1
    assert "judge broke" in export_project(app, "P", "markdown")
    assert found.warnings == ()


def test_a_grade_that_is_gone_is_no_score_and_is_told(app: App) -> None:
    project = ran(app, "P", "Writer", "Author")
    change(app, project, grade="0" * 64)
    found = project_report(app, "P")
    assert found.cases[0].standings[0].average is None
    [warning] = found.warnings
    assert warning.endswith("case_001, attempt 1: its grade is lost; run the project again")


def test_results_of_another_design_are_not_reported(app: App) -> None:
    project = ran(app, "P", "Writer", "Author", repeats=2)
    project.saved(repeats=1)
    found = project_report(app, "P")
    assert {len(results) for case in found.cases for results in case.results} == {1}
    change(app, project, case="gone")
    assert len(project_report(app, "P").cases) == 3


def test_what_is_not_there_is_named(app: App) -> None:
    ran(app, "P", "Writer")
    with pytest.raises(NotFound, match="no project 'Q'"):
        project_report(app, "Q")
    with pytest.raises(UnknownPart, match="unknown project exporter 'pdf'; known: csv"):
        export_project(app, "P", "pdf")

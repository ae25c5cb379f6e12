"""Any two skills or versions compared, from what is on record."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.app.comparing import fill, ran, wish
from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, identity, write_cases
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.compare import (
    compare_answers,
    compare_environments,
    compare_skills,
    project_environment,
)
from whet.app.projects.create import create_project
from whet.app.projects.wanted import of_project
from whet.core.errors import NotFound, UsageError
from whet.documents.result import Summary


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


@pytest.fixture
def app(workspace: Path) -> Generator[App]:
    with app_on(workspace) as opened:
        yield opened


def test_two_versions_in_one_project(app: App) -> None:
    project = ran(app, "Versions", "Writer@v1", "Writer@v2", repeats=2)
    found = compare_skills(app, "Versions:Writer@v1", "Versions:Writer@v2")
    assert (found.left.skill_version, found.right.skill_version) == ("v1", "v2")
    assert found.simulated
    assert found.environment == found.left_out == found.problems == ()
    summary = Summary.load(project.folder / "results/summary.json")
    averages = {one.skill_version: one.avg_score for one in summary.ranking}
    assert found.score.left == pytest.approx(averages["v1"], abs=0.01)
    assert found.score.right == pytest.approx(averages["v2"], abs=0.01)
    assert [one.left.scored for one in found.cases] == [2, 2, 2]
    assert found.wins + found.losses + found.ties == found.score.verdict.n_cases == 3
    assert found.duration_ms is not None
    assert found.tokens is not None


def test_the_verdict_is_that_of_the_ranking(app: App) -> None:
    project = ran(app, "P", "Writer@v1", "Author", repeats=2)
    first, second = Summary.load(project.folder / "results/summary.json").ranking
    found = compare_skills(app, f"P:{first.skill_name}", f"P:{second.skill_name}").score.verdict
    assert first.versus_next is not None
    assert found.label == first.versus_next.label
    assert found.delta == pytest.approx(first.versus_next.delta, abs=0.011)


def test_two_projects_and_what_else_differs(app: App) -> None:
    ran(app, "One", "Writer@v1")
    ran(app, "Two", "Author", repeats=2, timeout_seconds=33)
    found = compare_skills(app, "One", "Two")
    assert (found.left.project_name, found.right.project_name) == ("One", "Two")
    assert found.score.verdict.n_cases == 3
    assert {one.field for one in found.environment} == {"repeats", "timeout_seconds"}


def test_the_same_skill_in_two_projects_is_no_comparison(app: App) -> None:
    ran(app, "One", "Writer@v1")
    ran(app, "Two", "Writer@v1")
    found = compare_skills(app, "One", "Two")
    assert found.same_trials == found.ties == 3
    assert found.score.verdict.delta == 0


def test_cases_that_were_changed_between_two_projects_are_left_out(
    app: App, workspace: Path
) -> None:
    ran(app, "One", "Writer@v1")
    folder = next(workspace.glob("baselines/*/*/*"))
    text = (folder / "cases.json").read_text()
    (folder / "cases.json").write_text(
        text.replace(
            "Write a Python function for case_002.", "Write a Python script for case_002."
        ).replace("case_003", "case_004")
    )
    ran(app, "Two", "Writer@v2")
    found = compare_skills(app, "One", "Two")
    assert [one.case_id for one in found.cases] == ["case_001"]
    assert {(one.case_id, one.reason) for one in found.left_out} == {
        ("case_002", "other_input"),
        ("case_003", "only_left"),
        ("case_004", "only_right"),
    }
    assert [one.field.partition(".")[0] for one in found.environment] == ["baselines"]


def test_a_project_that_was_never_run_has_nothing_to_say(app: App) -> None:
    create_project(app, wish("P", "Writer", "Author"))
    found = compare_skills(app, "P:Writer", "P:Author")
    assert found.unpaired == 3
    assert {one.left.missing for one in found.cases} == {1}
    assert found.score.verdict.label == "inconclusive"


def test_a_result_that_is_to_be_tried_again_counts_no_more(app: App) -> None:
    project = ran(app, "P", "Writer", "Author")
    Experiments(app).retry([of_project(project, skill="Author", case="case_002")])
    found = compare_skills(app, "P:Writer", "P:Author")
    assert [(one.right.scored, one.right.missing) for one in found.cases] == [
        (1, 0),
        (0, 1),
        (1, 0),
    ]
    assert found.score.verdict.n_cases == 2


def test_a_lost_database_is_no_loss(workspace: Path) -> None:
    with app_on(workspace) as app:
        ran(app, "P", "Writer", "Author", repeats=2)
        before = compare_skills(app, "P:Writer", "P:Author")
    for path in workspace.glob("whet.db*"):
        path.unlink()
    with app_on(workspace) as app:
        after = compare_skills(app, "P:Writer", "P:Author")
    assert after.score == before.score
    assert after.cases == before.cases


def test_answers_side_by_side(app: App) -> None:
    ran(app, "P", "Writer@v1", "Author", repeats=2)
    found = compare_answers(app, "P:Writer", "P:Author", "case_002", attempt=2)
    assert (found.left.skill, found.right.skill, found.attempt) == ("Writer v1", "Author v1", 2)
    assert found.input == "Write a Python function for case_002."
    assert found.text.unified.startswith("--- Writer v1\n+++ Author v1\n@@ ")
    assert {row.kind for row in found.text.rows} > {"changed"}
    assert found.left.score is not None
    by_name = compare_answers(app, "P:Writer", "P:Author", "Case case_002", 2)
    assert by_name == found


def test_answers_that_are_not_there(app: App) -> None:
    ran(app, "P", "Writer@v1", "Author")
    with pytest.raises(NotFound, match=r"no case 'nope'; there are case_001, case_002, case_003"):
        compare_answers(app, "P:Writer", "P:Author", "nope")
    with pytest.raises(
        NotFound, match=r"Writer v1 has no result for .*attempt 2; there is attempt 1"
    ):
        compare_answers(app, "P:Writer", "P:Author", "case_001", 2)


def test_a_case_of_two_baselines_is_named_with_its_baseline(app: App, workspace: Path) -> None:
    add_baseline(workspace, "More", count=1)
    ran(app, "P", "Writer@v1", "Author", baselines=("Tests", "More"))
    with pytest.raises(UsageError, match=f"several cases .*{identity('More')}/case_001"):
        compare_answers(app, "P:Writer", "P:Author", "case_001")
    for name in ("More", identity("More")):
        found = compare_answers(app, "P:Writer", "P:Author", f"{name}/case_001")
        assert found.case_id == "case_001"
    assert compare_skills(app, "P:Writer", "P:Author").score.verdict.n_cases == 4


def test_answers_to_other_questions_are_not_compared(app: App, workspace: Path) -> None:
    ran(app, "One", "Writer@v1")
    folder = next(workspace.glob("baselines/*/*/*"))
    write_cases(folder, "case_001")
    text = (folder / "cases.json").read_text()
    (folder / "cases.json").write_text(text.replace("Write", "Sketch"))
    ran(app, "Two", "Writer@v2")
    with pytest.raises(UsageError, match="has another input"):
        compare_answers(app, "One", "Two", "case_001")
    with pytest.raises(NotFound, match=r"Writer v2 was not tried on case 'case_002'"):
        compare_answers(app, "One", "Two", "case_002")


def test_environments_of_projects(app: App) -> None:
    one = ran(app, "One", "Writer@v1")
    create_project(app, wish("Two", "Writer@v2", readings=2))
    found = compare_environments(app, "One", "Two")
    assert not found.identical
    assert [each.field for each in found.differences] == [
        "readings",
        f"skills.{identity('Writer')}",
    ]
    told = project_environment(app, one.config.id)
    assert (told.engine, told.judges) == ("simulated", ("simulated",))
    assert told == found.left
    assert compare_environments(app, "One", "One").identical
    with pytest.raises(NotFound, match="no project 'Three'"):
        compare_environments(app, "One", "Three")

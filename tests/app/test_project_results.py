"""Results for doors: a page with names, one document, and what is there after losses."""

import asyncio
import shutil
import time
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand
from tests.app.test_takeover import run
from tests.curate.shelves import add_baseline, identity, write_cases
from tests.run.agents import answers, raises
from whet.app.experiments import Experiments
from whet.app.projects import results
from whet.app.projects.create import create_project
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import EngineFailure, NotFound, UsageError
from whet.core.failure import Failure
from whet.core.result import Counts, Result
from whet.documents.result import CaseResult
from whet.evaluate.project import Project, opened
from whet.ports.results import ResultQuery

WRITER, AUTHOR = f"{identity('Writer')[:8]}_v1", f"{identity('Author')[:8]}_v1"
TESTS, MORE = f"{identity('Tests')[:8]}_v1", f"{identity('More')[:8]}_v1"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    add_baseline(tmp_path / "workspace", "More", count=1)
    return tmp_path / "workspace"


def written(project: Project, arm: str, name: str) -> CaseResult:
    return CaseResult.load(project.folder / "results" / arm / name)


def test_a_page_has_names(workspace: Path) -> None:
    both = COMPARISON.model_copy(update={"baselines": ("Tests", "More"), "repeats": 1})
    with app_on(workspace) as app:
        project = create_project(app, both)
        run(app, project)
        found = results.page(app, project, ResultQuery("ignored", page=2, page_size=4))
        assert (found.total, found.page, len(found.items)) == (6, 2, 2)
        assert [
            (one.skill and one.skill.name, one.baseline and one.baseline.name, one.case_name)
            for one in found.items
        ] == [("Writer", "More", "Case case_001"), ("Author", "More", "Case case_001")]
        assert {one.category for one in found.items} == {"standard"}
        assert [one.result.ordinal for one in found.items] == [4, 5]
        narrowed = results.page(app, project, ResultQuery("", arm=AUTHOR, case="case_002"))
        assert [(one.result.arm, one.result.case) for one in narrowed.items] == [
            (AUTHOR, "case_002")
        ]
        with pytest.raises(UsageError, match="pages begin with 1"):
            results.page(app, project, ResultQuery("", page=0))
        assert results.counts(app, project) == Counts(completed=6)


def test_a_page_needs_neither_the_skills_nor_the_files(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        shutil.rmtree(project.folder / "skills")
        shutil.rmtree(project.folder / "results")
        assert len(results.page(app, project, ResultQuery("")).items) == 8
        shutil.rmtree(project.folder / "baselines")
        (first, *_) = results.page(app, project, ResultQuery("")).items
        assert (first.case_name, first.category) == ("case_001", ""), "as well as it can be told"


def test_one_result_is_what_its_file_says(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        for arm in (WRITER, AUTHOR):
            for attempt, name in ((1, "case_002.json"), (2, "case_002.run-2.json")):
                found = results.one(app, project, arm, "case_002", attempt)
                assert found == written(project, arm, name)
        shutil.rmtree(project.folder / "results")
        assert results.one(app, project, WRITER, "case_001").status == "completed"
        with pytest.raises(NotFound, match="no result of 'nobody' on case 'case_001', attempt 1"):
            results.one(app, project, "nobody", "case_001")
        with pytest.raises(NotFound, match="attempt 3"):
            results.one(app, project, WRITER, "case_001", 3)


def test_a_file_says_what_the_answer_took(workspace: Path) -> None:
    wish = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",)})
    with app_with(workspace, hand(answers)) as app:
        project = run(app, create_project(app, wish)).project
    found = written(project, WRITER, "case_001.json")
    assert (found.input_tokens, found.output_tokens, found.cost_usd) == (10, 5, 0.25)
    assert (found.engine, found.cli_version, found.simulated) == ("hand", "1", True)


def test_a_case_of_several_baselines_needs_its_baseline(workspace: Path) -> None:
    both = COMPARISON.model_copy(update={"baselines": ("Tests", "More")})
    with app_on(workspace) as app:
        project = create_project(app, both)
        run(app, project)
        with pytest.raises(UsageError, match=f"say which: {TESTS}, {MORE}"):
            results.one(app, project, WRITER, "case_001")
        found = results.one(app, project, WRITER, "case_001", baseline=MORE)
        assert found.baseline_id == identity("More")
        # Both baselines have this very case. It is run once and graded for each of them, so either
        # moment may be the one that is kept.
        same = {"score_evaluated_at": None}
        on_disk = written(project, f"{WRITER}/{MORE}", "case_001.json")
        assert found.model_copy(update=same) == on_disk.model_copy(update=same)


def test_a_result_that_is_to_be_tried_again_is_still_told(workspace: Path) -> None:
    """Its record counts no more; its file tells of it until there is another."""
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        before = results.one(app, project, WRITER, "case_001")
        Experiments(app).retry([ResultQuery(project.config.id, arm=WRITER, case="case_001")])
        assert results.one(app, project, WRITER, "case_001") == before
        path = project.folder / f"results/{WRITER}/case_001.json"
        elsewhere = path.rename(project.folder / "elsewhere.json")
        path.symlink_to(elsewhere)
        with pytest.raises(NotFound, match="is lost; run the project again"):
            results.one(app, project, WRITER, "case_001")
        run(app, project)
        assert results.one(app, project, WRITER, "case_001").generation == 2


def test_what_came_to_no_answer_says_why(workspace: Path) -> None:
    wish = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",), "repeats": 1})
    with app_with(workspace, hand(raises(EngineFailure(Failure.AUTH, "no key")))) as app:
        project = create_project(app, wish)
        run(app, project)
        found = results.one(app, project, WRITER, "case_001")
        assert (found.status, found.error, found.generation) == ("failed", "no key", None)
        assert found == written(project, WRITER, "case_001.json")


def test_a_case_that_is_gone_is_told_by_its_file(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        asyncio.run(Experiments(app).run(project))
        write_cases(project.folder / project.config.baselines[0].local_path, "case_002")
        found = results.one(app, opened(project.folder), WRITER, "case_001")
        assert found.input == "Write a Python function for case_001."


@pytest.mark.slow
def test_one_page_of_very_many_costs_no_more_than_a_page(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        for start in range(0, 100_000, 5_000):
            app.store.results.put(
                Result(
                    project=project.config.id,
                    ordinal=number,
                    arm=WRITER if number % 2 else AUTHOR,
                    set=TESTS,
                    case=f"case_{number // 2:06}",
                    attempt=1,
                    status="completed",
                    trial="t",
                )
                for number in range(start, start + 5_000)
            )
        query = ResultQuery("", page=500, page_size=LARGEST_PAGE)
        begun = time.perf_counter()
        found = results.page(app, project, query)
        seconds = time.perf_counter() - begun
        assert (found.total, found.items[-1].result.ordinal) == (100_000, 99_999)
        assert seconds < 5, "all of them take much longer"

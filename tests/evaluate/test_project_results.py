"""What a project writes: one file a trial, and a summary that says no more than is known."""

import json
import random
import shutil
from pathlib import Path

import pytest

from tests.curate.shelves import add_baseline, add_skill, identity
from tests.evaluate.rows import BROKEN, FAILED, SKIPPED, UNSCORED, Result, done, grade
from tests.evaluate.workspaces import NOON, made
from whet.core.rubric import SIX_DIMENSIONS
from whet.documents.result import CaseResult, Summary
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell, Design, cells
from whet.evaluate.project import Project, design
from whet.evaluate.project_results import ProjectResults
from whet.ports.board import BoardQuery
from whet.rank.leaderboard import staleness_of
from whet.stores.index import FileIndex
from whet.stores.memory import MemoryStore

WRITER, AUTHOR = f"{identity('Writer')[:8]}_v1", f"{identity('Author')[:8]}_v1"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    add_skill(tmp_path, "Writer")
    add_skill(tmp_path, "Author")
    add_baseline(tmp_path, "Tests", count=3)
    add_baseline(tmp_path, "More", count=2)
    return tmp_path


@pytest.fixture
def project(workspace: Path) -> Project:
    return made(workspace)


@pytest.fixture
def plan(project: Project, store: MemoryStore) -> Design:
    return design(project, store.blobs, {})


def row(cell: Cell, result: Result) -> Row:
    if result in (FAILED, SKIPPED):
        return Row(cell, "t", None, None, "no record", skipped=result == SKIPPED)
    share = result / 100 if isinstance(result, float | int) else 0
    parts = {d.name: share * d.maximum for d in SIX_DIMENSIONS.dimensions}
    return Row(cell, "trial", done(), grade(result, parts))


def table(plan: Design, **results: list[Result]) -> list[Row]:
    """Rows in plan order: for each arm the results of its cases, round after round."""
    given = {arm: iter(results[arm.label]) for arm in plan.arms}
    return [row(cell, next(given[cell.arm])) for cell in cells(plan)]


def summarised(project: Project, rows: list[Row]) -> Summary:
    results = ProjectResults(project)
    for each in rows:
        results.add(each)
    return results.summarise(NOON)


def tree(project: Project) -> dict[str, str]:
    folder = project.folder / "results"
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_attempt_has_a_file(project: Project, plan: Design) -> None:
    summarised(project, table(plan, Writer=[80] * 6, Author=[70] * 6))
    names = [f"case_{number:03}{run}.json" for number in (1, 2, 3) for run in ("", ".run-2")]
    wanted = [f"{arm}/{name}" for arm in (WRITER, AUTHOR) for name in names]
    assert sorted(tree(project)) == sorted([*wanted, "summary.json"])


def test_a_file_says_what_came_of_the_trial(project: Project, plan: Design) -> None:
    results = [80, UNSCORED, BROKEN, FAILED, SKIPPED, 33.333]
    summarised(project, table(plan, Writer=results, Author=[70] * 6))
    found = {
        path.stem: CaseResult.load(path)
        for path in (project.folder / "results" / WRITER).glob("*.json")
    }
    scored = found["case_001"]
    assert (scored.status, scored.attempt, scored.grade_status) == ("completed", 1, "scored")
    assert (scored.scores.total, scored.scores.functional_correctness) == (80, 24)
    assert scored.skill_id == identity("Writer")
    assert (scored.actual_output, scored.trial_address) == ("42", "trial")
    assert found["case_002"].scores.total is None
    assert found["case_002"].grade_status == "unscored"
    assert (found["case_003"].status, found["case_003"].grade_status) == ("completed", "failed")
    assert (found["case_001.run-2"].status, found["case_001.run-2"].error) == (
        "failed",
        "no record",
    )
    assert found["case_002.run-2"].status == "skipped"
    assert found["case_002.run-2"].executed_at is None
    assert found["case_003.run-2"].scores.total == 33.33


def test_several_baselines_have_a_folder_each(workspace: Path, store: MemoryStore) -> None:
    """Their cases have the same ids, and none overwrites another's result."""
    project = made(workspace, "Writer", tests=("Tests", "More"))
    plan = design(project, store.blobs, {})
    summary = summarised(project, table(plan, Writer=[80] * 10))
    folders = {str(Path(name).parent) for name in tree(project)} - {"."}
    assert folders == {f"{WRITER}/{identity(name)[:8]}_v1" for name in ("Tests", "More")}
    assert len(tree(project)) == 11
    assert summary.total_cases == summary.ranking[0].completed_cases == 5
    results = [json.loads(text) for name, text in tree(project).items() if "case_001.json" in name]
    assert {result["baseline_id"] for result in results} == {identity("Tests"), identity("More")}


def test_each_of_several_baselines_has_a_ranking_of_its_own(
    workspace: Path, store: MemoryStore
) -> None:
    project = made(workspace, tests=("Tests", "More"))
    plan = design(project, store.blobs, {})
    rows = table(plan, Writer=[90, 90, 90, 10, 20] * 2, Author=[50, 50, 50, 60, FAILED] * 2)
    summary = summarised(project, rows)
    assert [(one.skill_name, one.avg_score) for one in summary.ranking] == [
        ("Writer", 60),
        ("Author", 52.5),
    ]
    assert summary.by_baseline is not None
    assert [
        (part.baseline_name, part.baseline_version, part.total_cases)
        for part in summary.by_baseline
    ] == [("Tests", "v1", 3), ("More", "v1", 2)]
    assert [
        (one.rank, one.skill_name, one.avg_score, one.completed_cases, one.failed_cases)
        for part in summary.by_baseline
        for one in part.ranking
    ] == [
        (1, "Writer", 90, 3, 0),
        (2, "Author", 50, 3, 0),
        (1, "Author", 60, 1, 1),
        (2, "Writer", 15, 2, 0),
    ]
    assert Summary.load(project.folder / "results/summary.json") == summary


def test_one_baseline_needs_no_ranking_of_its_own(project: Project, plan: Design) -> None:
    assert summarised(project, table(plan, Writer=[8] * 6, Author=[7] * 6)).by_baseline is None
    assert "by_baseline" not in tree(project)["summary.json"]


def test_the_index_of_the_library_reads_what_a_project_writes(
    workspace: Path, store: MemoryStore
) -> None:
    project = made(workspace, "Writer", tests=("Tests", "More"))
    rows = table(design(project, store.blobs, {}), Writer=[90, 80, UNSCORED, 10, 20] * 2)
    summarised(project, rows)
    index = FileIndex(workspace)
    assert index.broken() == []
    assert [
        (one.baseline_name, one.avg_score, one.case_count, one.completed_cases, staleness_of(one))
        for one in index.every(BoardQuery())
    ] == [("Tests", 85, 3, 3, "current"), ("More", 15, 2, 2, "current")]
    index.close()


def test_two_versions_of_a_baseline_do_not_overwrite_each_other(
    workspace: Path, store: MemoryStore
) -> None:
    first = workspace / f"baselines/code_test/me/baseline_{identity('More')[:8]}_v1"
    second = shutil.copytree(first, first.with_name(first.name.replace("_v1", "_v2")))
    meta = second / "meta.json"
    meta.write_text(meta.read_text().replace('"v1"', '"v2"'))
    project = made(workspace, "Writer", tests=("More@v1", "More@v2"))
    summary = summarised(project, table(design(project, store.blobs, {}), Writer=[80] * 8))
    assert len(tree(project)) == 9
    assert summary.ranking[0].completed_cases == 4
    versions = [json.loads(text).get("baseline_version") for text in tree(project).values()]
    assert (versions.count("v1"), versions.count("v2")) == (4, 4)


def test_the_summary_ranks_and_three_cases_make_no_winner(project: Project, plan: Design) -> None:
    rows = table(plan, Writer=[90, 91, 92] * 2, Author=[50, 52, 51] * 2)
    summary = summarised(project, rows)
    assert Summary.load(project.folder / "results/summary.json") == summary
    assert (summary.total_cases, summary.total_trials) == (3, 12)
    first, second = summary.ranking
    assert (first.rank, first.skill_name, first.avg_score) == (1, "Writer", 91)
    assert (second.rank, second.skill_name, second.avg_score) == (2, "Author", 51)
    assert first.versus_next is not None
    assert (first.versus_next.label, first.versus_next.needs) == ("inconclusive", "cases")
    assert first.versus_next.on_these is not None
    assert first.versus_next.on_these.label == "better"
    assert summary.winner is None
    assert first.order_differs is None
    assert "order_differs" not in tree(project)["summary.json"]


def test_there_is_no_winner_where_there_is_doubt(project: Project, plan: Design) -> None:
    assert (
        summarised(project, table(plan, Writer=[60, 70, 80] * 2, Author=[80, 70, 50] * 2)).winner
        is None
    )
    assert summarised(project, table(plan, Writer=[FAILED] * 6, Author=[FAILED] * 6)).winner is None


def test_a_mark_stands_where_failures_would_change_the_order(
    project: Project, plan: Design
) -> None:
    """Writer: 90 over one case, 30 with failures as zero; Author: 70 either way."""
    rows = table(plan, Writer=[90, FAILED, FAILED] * 2, Author=[70] * 6)
    first, second = summarised(project, rows).ranking
    assert (first.skill_name, first.avg_score, first.avg_score_failed_as_zero) == ("Writer", 90, 30)
    assert (second.avg_score, second.avg_score_failed_as_zero) == (70, 70)
    assert first.order_differs
    assert second.order_differs
    assert (first.completed_cases, first.failed_cases) == (1, 2)


def test_failures_that_do_not_change_the_order_are_not_marked(
    project: Project, plan: Design
) -> None:
    rows = table(plan, Writer=[90] * 6, Author=[70, FAILED, 70] * 2)
    assert [entry.order_differs for entry in summarised(project, rows).ranking] == [None, None]


def test_the_order_of_completion_does_not_change_a_byte(project: Project, plan: Design) -> None:
    rows = table(plan, Writer=[90, FAILED, 33.3] * 2, Author=[70, UNSCORED, 12.3, 7, 8, 9])
    summarised(project, rows)
    before = tree(project)
    for seed in range(5):
        shutil.rmtree(project.folder / "results")
        random.Random(seed).shuffle(rows)
        summarised(project, rows)
        assert tree(project) == before


def test_a_file_that_was_lost_or_spoilt_comes_back_and_others_are_left_alone(
    project: Project, plan: Design
) -> None:
    rows = table(plan, Writer=[90] * 6, Author=[70] * 6)
    summarised(project, rows)
    before = tree(project)
    lost, spoilt, kept = sorted((project.folder / "results" / WRITER).glob("*.json"))[:3]
    lost.unlink()
    spoilt.write_bytes(b"\xff\xfe")
    age = kept.stat().st_mtime_ns
    summarised(project, rows)
    assert tree(project) == before
    assert kept.stat().st_mtime_ns == age


def test_progress_counts_pairs_of_skill_and_case(project: Project, plan: Design) -> None:
    results = ProjectResults(project)
    rows = table(plan, Writer=[90, FAILED, SKIPPED] * 2, Author=[70] * 6)
    for each in rows[:6]:
        results.add(each)
    progress = results.progress()
    assert (progress.completed_tasks, progress.failed_tasks) == (0, 0), (
        "second attempts are to come"
    )
    for each in rows[6:]:
        results.add(each)
    progress = results.progress()
    assert (progress.completed_tasks, progress.failed_tasks) == (4, 1)
    assert (progress.total_tasks, progress.last_checkpoint) == (6, 5)


def test_a_summary_of_nothing_is_empty(project: Project) -> None:
    summary = summarised(project, [])
    assert summary.ranking == ()
    assert summary.winner is None

"""The total of a project case is its rubric's alone; checks stand beside it everywhere."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.app.opening import COMPARISON, app_on
from tests.app.test_takeover import run
from tests.curate.shelves import add_baseline, add_skill, identity
from whet.app import leaderboard
from whet.app.app import App
from whet.app.leaderboard import Slice, Wanted
from whet.app.library.library import index_of
from whet.app.projects import results_told
from whet.app.projects.create import create_project
from whet.app.projects.report import export_project
from whet.app.projects.told import item, judges_of
from whet.app.views.page import Cases
from whet.app.views.views import Views
from whet.cli.ranking import RankingWords, standings
from whet.core.rubric import SIX_DIMENSIONS
from whet.documents.result import CaseResult, RankingEntry
from whet.evaluate.project import Project
from whet.ports.results import ResultQuery

NAMES = [dimension.name for dimension in SIX_DIMENSIONS.dimensions]
ARM = f"{identity('Writer')[:8]}_v1"
MET: dict[str, Any] = {"id": "S1", "type": "contains", "expected": "def"}
MISSED: dict[str, Any] = {"id": "S2", "type": "contains", "expected": "never said"}
GATE: dict[str, Any] = {**MISSED, "id": "G1", "critical": True, "description": "Says it."}
STARS = {
    "name": "stars",
    "dimensions": [{"name": "good", "weight": 1, "scoring": {"1": "bad", "5": "good"}}],
}


def with_checks(workspace: Path, *cases: dict[str, Any], name: str = "Tests") -> None:
    """A baseline whose cases have these further keys."""
    folder = add_baseline(workspace, name, count=len(cases))
    document = json.loads((folder / "cases.json").read_text())
    for case, more in zip(document["cases"], cases, strict=True):
        case.update(more)
    (folder / "cases.json").write_text(json.dumps(document))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    add_skill(tmp_path / "workspace", "Writer", text="Write a docstring.")
    return tmp_path / "workspace"


def carried_out(app: App, **change: Any) -> Project:
    wanted = {"skills": ("Writer",), "repeats": 1, **change}
    return run(app, create_project(app, COMPARISON.model_copy(update=wanted))).project


def result(project: Project, case: str, folder: str = "") -> CaseResult:
    return CaseResult.load(project.folder / "results" / ARM / folder / f"{case}.json")


def entry(project: Project) -> RankingEntry:
    said = json.loads((project.folder / "results/summary.json").read_text())["ranking"][0]
    return RankingEntry.parse(said, "summary")


def parts(found: CaseResult) -> list[float]:
    return [float(found.scores.dimensions[name] or 0) for name in NAMES]


def test_the_total_is_the_sum_of_the_six_dimensions_whatever_checks_say(workspace: Path) -> None:
    with_checks(workspace, {"checks": [MET, MISSED]}, {"checks": [MET]}, {})
    with app_on(workspace) as app:
        project = carried_out(app)
        both, one, none = (result(project, f"case_00{number}") for number in (1, 2, 3))
        for found in (both, one, none):
            assert found.scores.total == pytest.approx(sum(parts(found)))
        assert (both.check_pass_rate, both.gate_passed) == (0.5, True)
        assert [(c.id, c.outcome, bool(c.evidence)) for c in both.checks or ()] == [
            ("S1", "passed", True),
            ("S2", "failed", True),
        ]
        assert (one.check_pass_rate, none.check_pass_rate, none.checks) == (1, None, None)
        ranked = entry(project)
        assert ranked.avg_score == pytest.approx(sum(map(float, _breakdown(ranked))), abs=0.04)
        assert (ranked.check_pass_rate, ranked.gate_failed_cases) == (0.75, 0)
        assert ranked.mixed_rubrics is None


def _breakdown(ranked: RankingEntry) -> list[float]:
    return [float(ranked.score_breakdown[name] or 0) for name in NAMES]


def test_a_failed_gate_is_a_measured_failure(workspace: Path) -> None:
    """It counts in the averages, and takes nobody's breakdown away."""
    with_checks(workspace, {"checks": [MET, GATE]}, {})
    with app_on(workspace) as app:
        project = carried_out(app)
        lost, fine = result(project, "case_001"), result(project, "case_002")
        assert (lost.status, lost.grade_status) == ("completed", "scored")
        assert (lost.scores.total, parts(lost)) == (0, [0] * 6)
        assert (lost.gate_passed, lost.check_pass_rate) == (False, 0.5)
        assert "G1" in lost.score_reasoning
        assert "S1" not in lost.score_reasoning, "that one passed"
        ranked = entry(project)
        assert fine.scores.total is not None
        assert ranked.avg_score == pytest.approx(fine.scores.total / 2, abs=0.01)
        assert _breakdown(ranked) == pytest.approx([one / 2 for one in parts(fine)], abs=0.01)
        assert (ranked.gate_failed_cases, ranked.unscored_cases) == (1, 0)
        with index_of(workspace) as index:
            index.refresh()
            (told,) = leaderboard.records(index, Wanted(), Slice()).records
        assert told["score_breakdown"] == ranked.score_breakdown
        assert (told["check_pass_rate"], told["gate_failed_cases"]) == (0.5, 1)


def test_without_the_gate_the_judged_dimensions_stay(workspace: Path) -> None:
    with_checks(workspace, {"checks": [MET, GATE]})
    with app_on(workspace) as app:
        project = carried_out(app, structural_gate=False)
        assert project.config.grading_config is not None
        assert project.config.grading_config.structural_gate is False
        found = result(project, "case_001")
        assert found.scores.total == pytest.approx(sum(parts(found)))
        assert sum(parts(found)) > 0
        assert (found.gate_passed, found.check_pass_rate) == (False, 0.5)
        assert entry(project).gate_failed_cases == 1


def test_without_a_rubric_checks_rank_and_there_is_no_breakdown(workspace: Path) -> None:
    checked = {"rubric": "none", "checks": [MET, MISSED]}
    with_checks(workspace, checked, {"rubric": "none", "checks": [MET]})
    with app_on(workspace) as app:
        project = carried_out(app)
        assert result(project, "case_001").scores.to_data() == {"total": 50}
        ranked = entry(project)
        assert (ranked.avg_score, ranked.score_breakdown) == (75, {})
        assert (ranked.check_pass_rate, ranked.mixed_rubrics) == (0.75, None)


def test_where_checks_alone_decide_no_judge_is_needed_or_named(workspace: Path) -> None:
    """Not even one that is asked for: it would have nothing to read."""
    with_checks(workspace, {"rubric": "none", "checks": [MET]})
    with app_on(workspace) as app:
        project = carried_out(app, judges=("claude:nobody-has-this",))
        assert project.config.grading_config is not None
        assert project.config.grading_config.judges == ()
        assert judges_of(project) == ()
        assert item(app, project).judges == ()
        assert entry(project).avg_score == 100


def test_another_rubric_keeps_its_normalised_total(workspace: Path) -> None:
    with_checks(
        workspace, {"rubric": STARS, "checks": [MISSED]}, {"rubric": STARS, "checks": [GATE]}
    )
    with app_on(workspace) as app:
        project = carried_out(app)
        found, lost = result(project, "case_001"), result(project, "case_002")
        good = found.scores.dimensions["good"]
        assert found.scores.total == pytest.approx(100 * float(good or 0) / 5, abs=0.01)
        assert (lost.scores.total, lost.scores.dimensions) == (0, {"good": 0})
        assert entry(project).score_breakdown == {"good": pytest.approx(float(good or 0) / 2)}


def test_mixed_cases_and_mixed_baselines_say_so(workspace: Path) -> None:
    with_checks(workspace, {}, {"rubric": "none", "checks": [MET]})
    with_checks(workspace, {"rubric": STARS}, name="More")
    with app_on(workspace) as app:
        project = carried_out(app, baselines=("Tests", "More"))
        ranked = entry(project)
        names = [name.split()[0] for name in ranked.mixed_rubrics or ()]
        assert (names, ranked.score_breakdown) == (["none", "six_dimensions", "stars"], {})
        report = export_project(app, project.config.id, "markdown")
        assert "six_dimensions" in report
        assert "different rubrics" in report
        rows = leaderboard_rows(workspace)
        assert [row["mixed_rubrics"] for row in rows] in (
            ["none, six_dimensions", ""],
            ["", "none, six_dimensions"],
        )


def leaderboard_rows(workspace: Path) -> list[dict[str, str]]:
    with index_of(workspace) as index:
        index.refresh()
        text = b"".join(leaderboard.exported(index, Wanted(), "csv")).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_door_has_a_column_for_checks(workspace: Path, language: str) -> None:
    with_checks(workspace, {"checks": [MET, GATE]}, {"checks": [MET]})
    with app_on(workspace) as app:
        project = carried_out(app)
        identity = project.config.id
        forms = ("markdown", "html", "json", "csv")
        found = {form: export_project(app, identity, form, language) for form in forms}
        word = "checks" if language == "en" else "检查"
        for form in ("markdown", "html"):
            assert word in found[form]
            assert "75 %" in found[form]
        rows = list(csv.DictReader(io.StringIO(found["csv"].removeprefix("\ufeff"))))
        assert [(row["check_pass_rate"], row["gate_passed"]) for row in rows] == [
            ("0.5", "false"),
            ("1.0", "true"),
        ]
        assert "G1 failed" in rows[0]["checks"]
        told = json.loads(found["json"])
        assert told["summary"]["ranking"][0]["check_pass_rate"] == 0.75
        assert [len(one["checks"]) for one in told["results"]] == [2, 1]
        console = Console(width=120, record=True, file=io.StringIO())
        standings(console, "Small", run(app, project).summary, RankingWords("en"))
        printed = console.export_text()
        assert "checks" in printed
        assert "75 %" in printed
        (first, second) = results_told.page(app, project, ResultQuery("")).items
        assert (first.check_pass_rate, first.gate_passed, first.score) == (0.5, False, 0)
        assert (second.check_pass_rate, second.gate_passed) == (1, True)
        leg = Views(app).project(identity, Cases()).legs[0]
        assert [(arm.check_pass_rate, arm.gate_failed_cases) for arm in leg.arms] == [(0.75, 1)]
        cells = [case.cells[0] for case in leg.cases]
        assert [(cell.check_pass_rate, cell.gate_failed) for cell in cells] == [(0.5, 1), (1, 0)]
        assert [row["check_pass_rate"] for row in leaderboard_rows(workspace)] == ["0.75"]

"""Projects of the original program: copied, and made to agree with themselves."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.curate.original.desktop import Desktop, Fields, identity, image, read, scores, write
from whet.core.errors import WhetError
from whet.curate.library import cases
from whet.curate.original.report import RepairReport
from whet.curate.original.results import MOST, mended_scores
from whet.curate.original.workspace import import_workspace
from whet.documents.evolution import IterationReport
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult, Summary
from whet.documents.settings import CliSettings

NOW = datetime(2025, 1, 1, tzinfo=UTC)
NULLS: Fields = dict.fromkeys((*MOST, "total"))


class Scene:
    """A project with one skill in its third version and one baseline of three cases."""

    def __init__(self, root: Path) -> None:
        self.desktop = Desktop(root / "original")
        self.ours = root / "ours"
        skill = self.desktop.add_skill("Writer", "one")
        self.desktop.edit_skill(skill, "two")
        self.desktop.edit_skill(skill, "three")
        baseline = self.desktop.add_baseline("Tests", "a", "b", "c")
        self.project = self.desktop.add_project("p", [skill], [baseline])
        self.cases: list[Fields] = read(baseline / "cases.json")["cases"]
        self.here = self.ours / "projects" / self.project.name
        self.results = self.here / f"results/{identity('Writer')[:8]}_v3"

    def config(self, **changes: object) -> None:
        write(self.project / "config.json", read(self.project / "config.json") | changes)

    def taken(self) -> RepairReport:
        before = image(self.desktop.root)
        report = import_workspace(self.desktop.root, self.ours, NOW)
        assert image(self.desktop.root) == before
        return report


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def changes(report: RepairReport, file: str) -> dict[str, tuple[JsonValue, JsonValue]]:
    return {
        entry.what: (entry.before, entry.after)
        for entry in report.entries
        if entry.path.endswith(file) and entry.kind == "changed"
    }


def broken(report: RepairReport) -> list[str]:
    return [entry.what for entry in report.entries if entry.kind == "not_repaired"]


def test_copies_are_called_by_the_version_that_they_are(scene: Scene) -> None:
    report = scene.taken()
    config = ProjectConfig.load(scene.here / "config.json")
    short = identity("Writer")[:8]
    assert config.skills[0].local_path == f"skills/skill_{short}_v3"
    assert (scene.here / config.skills[0].local_path / "content.txt").read_text() == "three"
    assert len(cases(scene.here / config.baselines[0].local_path).cases) == 3
    assert changes(report, "config.json") == {
        "skills[0].local_path": (f"skills/skill_{short}_v1", f"skills/skill_{short}_v3")
    }
    assert broken(report) == []


@pytest.mark.parametrize(
    ("status", "now", "control"),
    [
        ("paused", "interrupted", "paused"),
        ("running", "interrupted", None),
        ("odd", "interrupted", None),
        ("pending", "pending", None),
    ],
)
def test_nobody_is_running_it_any_more(
    scene: Scene, status: str, now: str, control: str | None
) -> None:
    scene.config(status=status)
    report = scene.taken()
    config = ProjectConfig.load(scene.here / "config.json")
    assert (config.status, config.control) == (now, control)
    assert ("status" in changes(report, "config.json")) == (status != now)


def test_undefined_results_find_their_case(scene: Scene) -> None:
    scene.config(
        status="completed",
        progress={
            "total_tasks": 3,
            "completed_tasks": 3,
            "failed_tasks": 0,
            "last_checkpoint": 3,
        },
    )
    scene.desktop.add_result(scene.project, scene.cases[1], "undefined.json", case_id="undefined")
    scene.desktop.add_summary(
        scene.project, completed_cases=3, avg_score=88, score_breakdown=breakdown(scores())
    )
    report = scene.taken()
    result = CaseResult.load(scene.results / "case_002.json")
    assert (result.case_id, result.input) == ("case_002", "b")
    config = ProjectConfig.load(scene.here / "config.json")
    assert (config.progress.completed_tasks, config.status) == (1, "interrupted")
    (entry,) = Summary.load(scene.here / "results/summary.json").ranking
    assert (entry.completed_cases, entry.avg_score) == (1, 88)
    assert changes(report, "summary.json") == {"ranking[0].completed_cases": (3, 1)}
    told = changes(report, "undefined.json")
    assert told["case_id"][1] == "case_002"
    assert str(told["moved"][1]).endswith("case_002.json")
    assert broken(report) == []


def test_a_result_of_two_equal_cases_stays_undefined(scene: Scene) -> None:
    twin = {**scene.cases[0], "id": "case_009"}
    copy = next(scene.project.glob("baselines/*/cases.json"))
    write(copy, read(copy) | {"cases": [scene.cases[0], twin]})
    scene.desktop.add_result(scene.project, scene.cases[0], "undefined.json", case_id="undefined")
    assert broken(scene.taken()) == ["cannot be told to which case it belongs"]
    assert list(scene.here.glob("results/*/undefined.json"))


def breakdown(given_scores: Fields) -> Fields:
    return {name: given_scores[name] for name in MOST}


def test_totals_that_are_no_sums_are_made_sums(scene: Scene) -> None:
    add = scene.desktop.add_result
    add(scene.project, scene.cases[0], "case_001.json", scores=scores(total=999))
    add(scene.project, scene.cases[1], "case_002.json", scores=scores(correct=500))
    add(scene.project, scene.cases[2], "case_003.json", scores=None)
    scene.desktop.add_summary(
        scene.project, completed_cases=3, avg_score=779.5, score_breakdown=breakdown(scores(264))
    )
    report = scene.taken()
    read_scores = [CaseResult.load(scene.results / f"case_00{n}.json").to_data() for n in (1, 2, 3)]
    assert all(isinstance(each, dict) for each in read_scores)
    first, second, third = (each for each in read_scores if isinstance(each, dict))
    assert first["scores"] == scores()
    assert (second["scores"], second["grade_status"]) == (NULLS, "unscored")
    assert (third["scores"], third["grade_status"]) == (NULLS, "unscored")
    (entry,) = Summary.load(scene.here / "results/summary.json").ranking
    # 28 + 16 + 14 + 13 + 8 + 9, the only one that is scored.
    assert (entry.avg_score, entry.completed_cases) == (88, 3)
    assert entry.score_breakdown["functional_correctness"] == 28
    assert changes(report, "case_001.json")["scores.total"] == (999, 88)
    assert changes(report, "summary.json")["ranking[0].avg_score"] == (779.5, 88)


def test_nothing_scored_is_not_zero(scene: Scene) -> None:
    scene.desktop.add_result(scene.project, scene.cases[0], "case_001.json", scores=None)
    scene.desktop.add_summary(scene.project, completed_cases=1)
    scene.taken()
    (entry,) = Summary.load(scene.here / "results/summary.json").ranking
    assert entry.avg_score is None


def test_a_summary_that_is_right_stays_as_it_is(scene: Scene) -> None:
    # Means of 88.25 and 28.25: the original rounds a half up, Python to the even neighbour.
    for number, points in enumerate((28, 28.5), 1):
        case = scene.cases[number - 1]
        scene.desktop.add_result(
            scene.project, case, f"case_00{number}.json", scores=scores(points)
        )
    said = breakdown(scores(28.3))
    scene.desktop.add_summary(
        scene.project, completed_cases=2, avg_score=88.3, score_breakdown=said
    )
    report = scene.taken()
    assert changes(report, "summary.json") == {}
    assert read(scene.here / "results/summary.json") == read(scene.project / "results/summary.json")


def test_failed_results_are_counted_as_such(scene: Scene) -> None:
    scene.desktop.add_result(
        scene.project, scene.cases[0], "case_001.json", status="failed", scores=None, error="x"
    )
    scene.taken()
    progress = ProjectConfig.load(scene.here / "config.json").progress
    assert (progress.completed_tasks, progress.failed_tasks, progress.last_checkpoint) == (0, 1, 1)
    assert CaseResult.load(scene.results / "case_001.json").grade_status is None


def test_results_on_several_baselines_are_kept_apart(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path / "original")
    skill = desktop.add_skill("Writer")
    first, second = desktop.add_baseline("One", "a"), desktop.add_baseline("Two", "z")
    project = desktop.add_project("p", [skill], [first, second])
    case = read(second / "cases.json")["cases"][0]
    desktop.add_result(project, case, "case_001.json", baseline_id=identity("Two"))
    report = import_workspace(desktop.root, tmp_path / "ours", NOW)
    arm, set_ = (f"{identity(name)[:8]}_v1" for name in ("Writer", "Two"))
    path = tmp_path / "ours/projects" / project.name / f"results/{arm}/{set_}/case_001.json"
    assert CaseResult.load(path).input == "z"
    assert broken(report) == []


def test_results_of_an_iteration_that_is_over_are_kept_and_said(scene: Scene) -> None:
    write(scene.project / "results/skill_iter_v2/case_001.json", {"case_id": "case_001"})
    assert broken(scene.taken()) == ["no skill of the project has these results"]
    assert (scene.here / "results/skill_iter_v2/case_001.json").is_file()


def test_old_words_in_reports_are_made_new(scene: Scene) -> None:
    write(
        scene.project / "iterations/iteration_report.json",
        {
            "project_id": "p",
            "generated_at": "x",
            "total_rounds": 0,
            "stop_reason": "error",
            "stop_threshold": None,
            "best_round": 0,
            "best_skill_id": "s",
            "best_skill_name": "s",
            "best_avg_score": 1,
            "rounds": [],
        },
    )
    report = scene.taken()
    assert changes(report, "iteration_report.json")["stop_reason"] == ("error", "manual")
    read_back = IterationReport.load(scene.here / "iterations/iteration_report.json")
    assert read_back.stop_reason == "manual"


@pytest.mark.parametrize(
    "fault", [{"skills": []}, {"cli_config": 3}, {"id": None}, {"skills": [{"ref_id": "x"}]}]
)
def test_what_cannot_be_repaired_is_copied_and_said(scene: Scene, fault: Fields) -> None:
    scene.config(**fault)
    before = image(scene.project)
    report = scene.taken()
    assert image(scene.here) == before
    assert broken(report)[-1] == "is copied as it is"
    with pytest.raises(WhetError):
        ProjectConfig.load(scene.here / "config.json")
    scene.taken()
    assert len(list(scene.here.parent.iterdir())) == 1


@pytest.mark.parametrize("path", ["../../../secret", "/etc", "skills/../..", "skills/gone"])
def test_no_copy_lies_outside(scene: Scene, path: str) -> None:
    config = read(scene.project / "config.json")
    config["skills"][0]["local_path"] = path
    write(scene.project / "config.json", config)
    report = scene.taken()
    assert "names a copy that is not there" in broken(report)


def test_missing_parts_of_a_configuration_are_filled_in(scene: Scene) -> None:
    config = read(scene.project / "config.json")
    del config["context_config"], config["progress"]
    write(scene.project / "config.json", config)
    report = scene.taken()
    read_back = ProjectConfig.load(scene.here / "config.json")
    assert (read_back.context_config.token_threshold, read_back.progress.total_tasks) == (80000, 3)
    assert "context_config" in changes(report, "config.json")


def test_an_agents_leftovers_are_copied_and_its_links_are_not(scene: Scene) -> None:
    write(scene.project / ".claude/skill_x/out.json", {})
    (scene.project / "link").symlink_to("/etc")
    report = scene.taken()
    assert (scene.here / ".claude/skill_x/out.json").is_file()
    assert not (scene.here / "link").exists()
    assert [e.path for e in report.entries if e.kind == "left_out"] == [
        f"projects/{scene.project.name}/link"
    ]


SETTINGS: Fields = {
    "cli_path": "/tmp/evil",
    "default_model": "m",
    "default_timeout_seconds": 60,
    "default_retry_count": 2,
    "temp_session_ttl_days": 7,
    "context": {"token_threshold": 80000, "auto_compress": True, "auto_export": True},
    "updated_at": "x",
}


def test_settings_logs_and_exports_come_along(scene: Scene) -> None:
    root = scene.desktop.root
    write(root / "cli/config.json", SETTINGS)
    write(root / "logs/a.jsonl", {})
    write(root / "leaderboard_export_20240101000000.json", [{"skillId": "s", "avgScore": 1}])
    write(root / "strange.json", {})
    report = scene.taken()
    settings = CliSettings.load(scene.ours / "cli/config.json")
    assert (settings.cli_path, settings.default_model) == ("claude", "m")
    assert changes(report, "cli/config.json") == {"cli_path": ("/tmp/evil", "claude")}
    assert (scene.ours / "logs/a.jsonl").is_file()
    exported = (scene.ours / "leaderboard_export_20240101000000.json").read_text()
    assert '"skill_id": "s"' in exported
    assert '"avg_score": 1' in exported
    assert not (scene.ours / "strange.json").exists()
    assert report.files == 3
    assert scene.taken().files == 0


def test_settings_of_ours_are_not_written_over(scene: Scene) -> None:
    write(scene.desktop.root / "cli/config.json", SETTINGS)
    write(scene.ours / "cli/config.json", {"mine": True})
    report = scene.taken()
    assert read(scene.ours / "cli/config.json") == {"mine": True}
    assert "cli/config.json" in [e.path for e in report.entries if e.kind == "skipped"]


points = st.none() | st.integers(-5, 40) | st.floats(-5, 40) | st.text(max_size=2) | st.booleans()
keys = [*MOST, "total"]


@settings(deadline=None)
@given(st.none() | st.dictionaries(st.sampled_from(keys), points))
def test_mended_scores_agree_or_are_none(raw: Fields | None) -> None:
    fixed = mended_scores(raw)
    assert isinstance(fixed, dict)
    assert mended_scores(fixed) == fixed
    values = [fixed[name] for name in MOST]
    if fixed["total"] is None:
        assert values == [None] * 6
        return
    numbers = [value for value in values if isinstance(value, int | float)]
    assert len(numbers) == 6
    assert all(0 <= n <= most for n, most in zip(numbers, MOST.values(), strict=True))
    assert fixed["total"] == pytest.approx(sum(numbers))
    assert {**fixed, "total": None} == {**(raw or {}), "total": None}

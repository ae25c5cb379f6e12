"""Plans and iterations: what is run, what is graded again, what is reused, and what agents get."""

import json
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.evaluating import (
    TRIALS,
    extent,
    folders,
    on_disk,
    planned,
    run,
    skill,
    small,
    writes_python,
)
from tests.app.opening import app_on
from tests.app.recording import app_with, hand
from tests.curate.shelves import add_skill
from tests.evaluate.suites import RUBRIC, SKILL, eval_, skill_at, suite_of
from tests.flows.command import assert_every_trial_answered_once, executions
from whet.app.evals import Evals
from whet.core.errors import EnvironmentProblem, InvalidSuite, NotFound, UnknownPart, UsageError
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.documents.benchmark import Benchmark
from whet.documents.overview import Overview
from whet.ports.workdir import Workdir


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def knives(tmp_path: Path) -> Path:
    return skill(tmp_path)


def test_a_run_to_the_end(workspace: Path, knives: Path) -> None:
    with app_on(workspace) as app:
        outcome = run(app, knives)
        assert outcome.is_complete
        assert extent(outcome) == (TRIALS, 0, 0)
        [leg] = outcome.legs
        place = workspace / "evals/knives/simulated__simulated/iteration-1"
        assert leg.iteration.folder == place
        assert on_disk(outcome) == leg.benchmark
        about = leg.benchmark.metadata
        assert (about.status, about.iteration, about.eval_id) == ("completed", 1, outcome.plan.id)
        assert (about.simulated, about.series, about.evals_run) == (True, 0, (1, 2))
        assert about.skill_path == str(knives)
        ran = Counter(one.configuration for one in leg.benchmark.runs)
        assert ran == {"with_skill": 4, "without_skill": 4}
        assert len(list(place.glob("eval-*/*/run-*/grading.json"))) == TRIALS
        overview = Overview.load(workspace / "evals/knives/overview.json")
        assert [one.iteration for one in overview.legs] == [1]
        state = Evals(app).get(outcome.plan.id)
        assert (state.status, state.total_trials, state.skill) == ("completed", TRIALS, "knives")
        assert state.legs[0].folder == "evals/knives/simulated__simulated/iteration-1"
        kinds = [event.kind for event in app.store.events.since(0, outcome.plan.id)]
        assert kinds == ["experiment.started", *["trial.settled"] * TRIALS, "eval.finished"]
    assert_every_trial_answered_once(workspace, TRIALS)


def test_arms(workspace: Path, knives: Path) -> None:
    def arms(**request: Any) -> list[tuple[str, bool]]:
        design = planned(app, knives, **request).legs[0].design
        return [(arm.id, arm.skill is not None) for arm in design.arms]

    with app_on(workspace) as app:
        both = [("with_skill", True), ("without_skill", False)]
        assert arms() == arms(baseline=True) == both
        assert arms(baseline=False) == [("with_skill", True)]
        skill_at(knives, suite_of(eval_(1), eval_config={"baseline_comparison": False}))
        assert arms() == [("with_skill", True)]
        assert arms(baseline=True) == both


def test_the_agent_never_gets_the_evals(workspace: Path, tmp_path: Path) -> None:
    """Nor anything else that graders know: it sees the skill, its inputs and the prompt."""
    suite = small(eval_(1, files=["evals/files/in.txt"], expected_output="SECRET of graders"))
    files = {"evals/files/in.txt": "input", "reference.md": "more", "evals/notes.md": "SECRET"}
    folder = skill_at(tmp_path / "knives", suite, files)
    seen: list[tuple[bool, set[str], str]] = []

    async def looks(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        found = {
            str(path.relative_to(workdir.work.parent)): path.read_text()
            for path in workdir.work.parent.rglob("*")
            if path.is_file()
        }
        everything = json.dumps(found) + spec.model_dump_json()
        seen.append((spec.skill is not None, set(found), everything))
        async for step in writes_python(spec, workdir):
            yield step

    with app_with(workspace, hand(looks)) as app:
        outcome = run(app, folder, engines=("hand",), judges=("simulated",))
        assert outcome.is_complete
        skilled = [arm.skill for arm in outcome.legs[0].leg.design.arms if arm.skill]
        paths = [file.path for package in skilled for file in package.files]
        assert paths == ["SKILL.md", "reference.md"]
    assert len(seen) == 4
    for has_skill, found, everything in seen:
        assert "work/in.txt" in found
        assert any(name.endswith("SKILL.md") for name in found) == has_skill
        assert not [name for name in found if "evals" in name]
        for hidden in ("SECRET", "docstring says what", "depth", "file_exists"):
            assert hidden not in everything


def test_the_same_command_twice_runs_nothing(workspace: Path, knives: Path) -> None:
    with app_on(workspace) as app:
        first, again = run(app, knives), run(app, knives)
        assert extent(again) == (0, 0, TRIALS)
        assert again.plan.id == first.plan.id
        assert (again.plan.purse.trials, again.spent.total_tokens) == (0, 0)
        changed = {"timestamp": "now"}
        one, other = first.legs[0].benchmark, again.legs[0].benchmark
        assert one.metadata.model_copy(update=changed) == other.metadata.model_copy(update=changed)
        assert (one.runs, one.run_summary, one.verdict) == (
            other.runs,
            other.run_summary,
            other.verdict,
        )
        assert len(Evals(app).list()) == 1
    assert folders(workspace) == ["iteration-1"]


def test_another_rubric_grades_anew_and_runs_nothing(
    workspace: Path, knives: Path, tmp_path: Path
) -> None:
    heavier = json.loads(json.dumps(RUBRIC))
    heavier["dimensions"][1]["weight"] = 50
    with app_on(workspace) as app:
        first = run(app, knives)
        skill(tmp_path, small(*(eval_(n, quality_rubric=heavier) for n in (1, 2))))
        again = run(app, knives)
        assert extent(again) == (0, TRIALS, 0)
        assert again.legs[0].iteration.number == 2
        assert again.plan.id != first.plan.id
        skill(tmp_path)
        back = run(app, knives)
        assert (extent(back), back.legs[0].iteration.number) == ((0, 0, TRIALS), 1)
    assert folders(workspace) == ["iteration-1", "iteration-2"]
    assert_every_trial_answered_once(workspace, TRIALS)


def test_another_prompt_runs_that_eval_only(workspace: Path, knives: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        run(app, knives)
        skill(tmp_path, small(eval_(1, prompt="Write a Python class for a knife."), eval_(2)))
        assert extent(run(app, knives)) == (TRIALS // 2, 0, TRIALS // 2)
    assert_every_trial_answered_once(workspace, TRIALS + TRIALS // 2)


def test_another_skill_runs_its_own_arm_only(workspace: Path, knives: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        run(app, knives)
        skill_at(tmp_path / "knives", small(), text=SKILL + "\nBe brief.\n")
        assert extent(run(app, knives)) == (TRIALS // 2, 0, TRIALS // 2)


@pytest.mark.slow
def test_more_runs_run_the_new_ones_only(workspace: Path, knives: Path) -> None:
    with app_on(workspace) as app:
        run(app, knives)
        more = run(app, knives, runs=3)
        assert extent(more) == (4, 0, TRIALS)
        assert {one.run_number for one in more.legs[0].benchmark.runs} == {1, 2, 3}
        fewer = run(app, knives, runs=1)
        assert extent(fewer) == (0, 0, 4)
    assert_every_trial_answered_once(workspace, 12)


@pytest.mark.slow
def test_fresh_begins_a_series_that_the_plain_command_continues(
    workspace: Path, knives: Path
) -> None:
    with app_on(workspace) as app:
        run(app, knives)
        assert planned(app, knives, fresh=True).series == 1
        assert planned(app, knives).series == 0, "a plan changes nothing"
        fresh = run(app, knives, fresh=True)
        assert extent(fresh) == (TRIALS, 0, 0)
        assert fresh.legs[0].iteration.number == 2
        plain = run(app, knives)
        assert (extent(plain), plain.plan.id) == ((0, 0, TRIALS), fresh.plan.id)
        assert plain.legs[0].benchmark.metadata.series == 1
        assert extent(run(app, knives, fresh=True)) == (TRIALS, 0, 0)
    assert len(folders(workspace)) == 3
    assert_every_trial_answered_once(workspace, 3 * TRIALS)


def test_against_an_older_folder(workspace: Path, knives: Path, tmp_path: Path) -> None:
    old = skill_at(tmp_path / "old", small(), text=SKILL + "\nBe brief.\n")
    with app_on(workspace) as app:
        run(app, knives)
        outcome = run(app, knives, against=str(old))
        assert extent(outcome) == (TRIALS // 2, 0, TRIALS // 2), "our own arm is on record"
        summary = outcome.legs[0].benchmark.run_summary
        assert summary.old_skill is not None
        assert summary.without_skill is None
        assert summary.with_skill is not None
        ours, theirs = summary.with_skill.overall_efficiency, summary.old_skill.overall_efficiency
        assert ours is not None
        assert theirs is not None
        assert summary.delta is not None
        expected = f"{round(ours.mean - theirs.mean, 2) + 0.0:+.2f}"
        assert summary.delta["overall_efficiency"] == expected
        verdict = outcome.legs[0].verdict
        assert verdict is not None


def test_against_a_version_of_the_library(workspace: Path, knives: Path) -> None:
    add_skill(workspace, "knives", text="Be brief.")
    with app_on(workspace) as app:
        made = planned(app, knives, against="v1")
        old = made.legs[0].design.arms[1]
        assert (old.id, old.label) == ("old_skill", "v1")
        assert old.skill is not None
        assert old.skill.kind == "text"
        with pytest.raises(NotFound, match="no version v9 of this skill"):
            planned(app, knives, against="v9")


def test_a_skill_of_the_library(workspace: Path) -> None:
    version = add_skill(workspace, "knives")
    skill_at(version / "package", small())
    with app_on(workspace) as app:
        assert extent(run(app, Path("knives"))) == (TRIALS, 0, 0)
        add_skill(workspace, "Writer")
        with pytest.raises(UsageError, match="Writer v1 is a text without evals"):
            planned(app, Path("Writer"))


def test_nothing_to_compare(workspace: Path, knives: Path, tmp_path: Path) -> None:
    same = skill_at(tmp_path / "same", suite_of(eval_(7)))
    with app_on(workspace) as app, pytest.raises(UsageError, match="nothing to compare"):
        planned(app, knives, against=str(same))


def test_what_cannot_be_planned(workspace: Path, knives: Path, tmp_path: Path) -> None:
    def refused(kind: type[Exception], words: str, folder: Path = knives, **request: Any) -> None:
        with pytest.raises(kind, match=words):
            planned(app, folder, **request)

    with app_on(workspace) as app:
        refused(NotFound, "no folder nope, and no skill of that name", Path("nope"))
        refused(EnvironmentProblem, "File name too long", Path("x" * 5000))
        refused(NotFound, "no SKILL", tmp_path)
        refused(NotFound, "no folder", against=str(tmp_path / "none"))
        refused(UnknownPart, "'nope'", engines=("nope",))
        refused(UsageError, "no engine", engines=())
        refused(NotFound, "has no evals", skill_without_evals(tmp_path))
        skill(tmp_path, suite_of(eval_(prompt="")))
        refused(InvalidSuite, "prompt: must not be empty")
        assert not Evals(app).list()
    assert not (workspace / "evals").exists()
    assert not executions(workspace)


def skill_without_evals(folder: Path) -> Path:
    (folder / "bare").mkdir()
    (folder / "bare/SKILL.md").write_text(SKILL)
    return folder / "bare"


def test_scripts_are_skipped_unless_the_suite_is_trusted(workspace: Path, tmp_path: Path) -> None:
    script: JsonValue = {"id": "S9", "type": "custom_script", "script": "true"}
    folder = skill(tmp_path, small(eval_(1, structural_expectations=[script])))
    with app_on(workspace) as app:
        outcome = run(app, folder)
        assert any("--trust-scripts" in warning for warning in outcome.plan.warnings)
        texts = [e.text for one in outcome.legs[0].benchmark.runs for e in one.expectations]
        assert set(texts) == {"A docstring says what it does"}
        run_folder = next(outcome.legs[0].iteration.folder.glob("eval-*/*/run-1"))
        skipped = json.loads((run_folder / "structural.json").read_text())["skipped"]
        assert [one["id"] for one in skipped] == ["S9"]


def test_a_workspace_that_lost_its_folders_gets_them_back(workspace: Path, knives: Path) -> None:
    """The database holds the truth; folders are made from it."""
    with app_on(workspace) as app:
        first = run(app, knives)
        place = first.legs[0].iteration.folder
        gradings = {path: path.read_bytes() for path in place.rglob("grading.json")}
        for path in sorted(place.rglob("*"), reverse=True):
            if path.name != "iteration.json":
                path.rmdir() if path.is_dir() else path.unlink()
        again = run(app, knives)
        assert extent(again) == (0, 0, TRIALS)
        assert {path: path.read_bytes() for path in place.rglob("grading.json")} == gradings
        assert Benchmark.load(place / "benchmark.json").runs == first.legs[0].benchmark.runs

"""Scripts of a suite run where somebody says so, and only for what was said so of."""

from pathlib import Path

import pytest

from tests.app.evaluating import planned, run, skill, small
from tests.app.opening import app_on
from tests.evaluate.suites import Fields, eval_
from whet.app.eval_request import EvalRequest
from whet.app.races import race_plan
from whet.app.regrade import regrading


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def scripted(folder: Path) -> Path:
    """A skill whose suite leaves a trace."""
    trace = folder / "trace"
    check: Fields = {"id": "S1", "type": "custom_script", "script": f"touch {trace}"}
    skill(folder, small(eval_(1, structural_expectations=[check]), eval_(2)))
    return trace


def test_nothing_runs_without_trust(workspace: Path, tmp_path: Path) -> None:
    trace = scripted(tmp_path)
    with app_on(workspace) as app:
        outcome = run(app, tmp_path / "knives")
        assert regrading(app, str(tmp_path / "knives")).grader.script_sandbox is None
        race = EvalRequest(skill=str(tmp_path / "knives"))
        (tmp_path / "other").mkdir()
        (tmp_path / "other/SKILL.md").write_text("other")
        made = race_plan(app, race, [str(tmp_path / "other")])
        assert made.base.grader.script_sandbox is None
    assert any("scripts" in warning for warning in outcome.plan.warnings)
    assert not trace.exists()


def test_trust_is_not_inherited_by_what_is_graded_later(workspace: Path, tmp_path: Path) -> None:
    """The suite is another one since, and nobody has looked at its scripts."""
    knives = skill(tmp_path)
    with app_on(workspace) as app:
        run(app, knives, trust_scripts=True)
        assert planned(app, knives, trust_scripts=True).grader.script_sandbox is not None
        scripted(tmp_path)
        assert regrading(app, str(knives)).grader.script_sandbox is None
        trusted = regrading(app, str(knives), trust_scripts=True)
        assert trusted.grader.script_sandbox is not None


def test_what_only_scripts_decide_is_judged_where_they_do_not_run(
    workspace: Path, tmp_path: Path
) -> None:
    """Else its runs would be 0 of 0, which other programs average as a failure."""
    script: Fields = {"id": "S1", "type": "custom_script", "script": "true"}
    alone: Fields = {"expectations": [], "quality_rubric": None}
    evals = [
        eval_(1, structural_expectations=[script], **alone),
        eval_(2, structural_expectations=[script], expected_output=" ", **alone),
        eval_(3, structural_expectations=[script]),
    ]
    knives = skill(tmp_path, small(*evals))
    with app_on(workspace) as app:
        trusted = planned(app, knives, trust_scripts=True)
        assert not trusted.suite.cases[0].standard.expectations
        made = run(app, knives).legs[0].benchmark
    assert {each.result.total for each in made.runs if each.eval_id != 3} == {1}
    judged = {each.eval_id: each.expectations[0].text for each in made.runs}
    assert judged[1] == trusted.suite.cases[0].standard.expected
    assert judged[2] == "What the prompt asks for is done."
    rates = [each.result.pass_rate for each in made.runs if each.configuration == "with_skill"]
    summary = made.run_summary.with_skill
    assert summary is not None
    assert summary.pass_rate.mean == pytest.approx(sum(rates) / len(rates), abs=1e-4)
    assert not any("not in pass_rate" in note for note in made.notes)

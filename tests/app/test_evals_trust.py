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

"""What a run of a project will cost: exactly what is missing, at what the same model took."""

from pathlib import Path

from tests.app.bundling import run
from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand
from tests.run.agents import answers
from whet.app.projects.create import create_project
from whet.app.projects.estimate import estimate
from whet.ports.results import ResultQuery

PAID = COMPARISON.model_copy(update={"engine": "hand", "model": "m", "judges": ("simulated",)})


def test_what_is_missing_at_what_it_took_before(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    with app_with(workspace, hand(answers)) as app:
        project = create_project(app, PAID)
        unknown = estimate(app, project)
        assert (unknown.runs, unknown.judge_calls, unknown.cost_usd) == (8, 0, None)
        assert unknown.needs_consent
        other = create_project(app, PAID.model_copy(update={"repeats": 1}))
        run(app, other)
        half = estimate(app, project)
        assert (half.runs, half.cost_usd, half.needs_consent) == (4, 4 * 0.25, False)
        [trial, *_] = app.store.results.trials(ResultQuery(other.config.id))
        app.store.ledger.retry([trial])
        more = estimate(app, project)
        assert (more.runs, more.cost_usd, more.needs_consent) == (5, 5 * 0.25, True)
        run(app, project)
        nothing = estimate(app, project)
        assert (nothing.runs, nothing.cost_usd, nothing.is_paid) == (0, 0, False)
        assert str(nothing) == "0 agent runs and 0 judge calls, about 0.00 USD"


def test_a_simulated_agent_costs_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "workspace")
    with app_on(tmp_path / "workspace") as app:
        expected = estimate(app, create_project(app, COMPARISON))
        assert (expected.runs, expected.is_paid, expected.needs_consent) == (0, False, False)

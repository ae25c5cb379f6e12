"""Several engines and models side by side, and what may be spent on them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.evaluating import TRIALS, extent, on_disk, planned, run, skill, writes_python
from tests.app.opening import app_on
from tests.app.recording import WithEngine, app_with, hand
from tests.flows.command import assert_every_trial_answered_once
from tests.run.agents import ScriptedAgent
from whet.app.eval_estimate import estimate
from whet.app.eval_plan_told import plan_told
from whet.app.evals import Evals
from whet.app.parts import InstalledParts
from whet.core.budget import Budget
from whet.core.errors import UsageError
from whet.documents.overview import Overview
from whet.ports.inspected import Ability, Inspection

BOTH = ("simulated", "hand")


@dataclass
class Telling(ScriptedAgent):
    """Says how it is."""

    abilities: frozenset[Ability] = frozenset()
    has_default_model: bool = True

    def inspect(self) -> Inspection:
        return Inspection(
            installed=True, abilities=self.abilities, has_default_model=self.has_default_model
        )

    def secrets(self, options: Mapping[str, JsonValue], /) -> Sequence[str]:
        del options
        return ()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def knives(tmp_path: Path) -> Path:
    return skill(tmp_path)


def test_two_legs_side_by_side(workspace: Path, knives: Path) -> None:
    with app_with(workspace, hand(writes_python)) as app:
        outcome = run(app, knives, engines=BOTH, judges=("simulated",))
        assert outcome.is_complete
        assert [extent(outcome, leg) for leg in (0, 1)] == [(TRIALS, 0, 0)] * 2
        assert [leg.leg.name for leg in outcome.legs] == ["simulated:simulated", "hand:default"]
        places = [leg.iteration.folder.parent.name for leg in outcome.legs]
        assert places == ["simulated__simulated", "hand__default"]
        assert [on_disk(outcome, leg).metadata.engine for leg in (0, 1)] == list(BOTH)
        overview = Overview.load(workspace / "evals/knives/overview.json")
        assert [one.engine for one in overview.legs] == list(BOTH)
        assert [one.folder for one in overview.legs] == [f"{p}/iteration-1" for p in places]
        state = Evals(app).get(outcome.plan.id)
        assert (state.total_trials, len(state.legs)) == (2 * TRIALS, 2)
        assert outcome.spent.cost_usd == pytest.approx(TRIALS * 0.25), "the simulated one is free"
        assert [on_disk(outcome, leg).metadata.simulated for leg in (0, 1)] == [True, True]
    assert_every_trial_answered_once(workspace, 2 * TRIALS)


@pytest.mark.slow
def test_two_legs_have_one_purse(workspace: Path, knives: Path) -> None:
    with app_with(workspace, hand(writes_python)) as app:
        budget = Budget(max_trials=6)
        outcome = run(app, knives, engines=BOTH, judges=("simulated",), budget=budget)
        done = [len(on_disk(outcome, leg).runs) for leg in (0, 1)]
        assert sum(done) == 6
        assert outcome.plan.purse.trials == 6
        assert Evals(app).get(outcome.plan.id).status == "partial"
        later = run(app, knives, engines=BOTH, judges=("simulated",))
        assert later.is_complete
        assert [extent(later, leg)[2] for leg in (0, 1)] == done
    assert_every_trial_answered_once(workspace, 2 * TRIALS)


def test_the_trouble_of_one_leg_ends_the_other(workspace: Path, knives: Path) -> None:
    """No agent outlives the run that started it."""
    with app_with(workspace, hand(writes_python)) as app:
        made = planned(app, knives, engines=BOTH, judges=("simulated",))
        wrong = made.legs[1].design.pin.model_copy(update={"engine_version": "9"})
        design = made.legs[1].design.model_copy(update={"pin": wrong})
        legs = (made.legs[0], replace(made.legs[1], design=design))
        with pytest.raises(Exception, match="pinned to 9"):
            asyncio.run(Evals(app).run(replace(made, legs=legs)))
        assert Evals(app).get(made.id).status == "interrupted"
        assert run(app, knives, engines=BOTH, judges=("simulated",)).is_complete
    assert_every_trial_answered_once(workspace, 2 * TRIALS)


def test_models_for_every_engine_and_for_one(workspace: Path, knives: Path) -> None:
    with app_with(workspace, hand(writes_python)) as app:

        def names(*models: str, engines: tuple[str, ...] = BOTH) -> list[str]:
            made = planned(app, knives, engines=engines, models=models, judges=("simulated",))
            return [leg.name for leg in made.legs]

        assert names() == ["simulated:simulated", "hand:default"]
        assert names("m", "n", "m") == ["simulated:simulated", "hand:m", "hand:n"]
        assert names("hand:m", "n") == ["simulated:simulated", "hand:m", "hand:n"]
        assert names("vendor/m:1", engines=("hand",)) == ["hand:vendor/m:1"]
        assert names(engines=("hand", "hand")) == ["hand:default"]


@pytest.mark.parametrize(
    ("engines", "model", "fix"),
    [(("hand",), "claude:opus", "--engine claude"), (("simulated",), "opus", "--engine")],
)
def test_a_model_that_nobody_would_ask(
    workspace: Path, knives: Path, engines: tuple[str, ...], model: str, fix: str
) -> None:
    with (
        app_with(workspace, hand(writes_python)) as app,
        pytest.raises(UsageError, match=fix),
    ):
        planned(app, knives, engines=engines, models=(model,))


def test_the_folder_of_a_model_stays_inside(workspace: Path, knives: Path) -> None:
    with app_with(workspace, hand(writes_python)) as app:
        models = ("../../../escaped", "a/b", "..")
        made = planned(app, knives, engines=("hand",), models=models, judges=("simulated",))
        roots = [leg.root for leg in made.legs]
        assert {root.parent for root in roots} == {workspace / "evals/knives"}
        assert len(set(roots)) == 3


def test_models_of_nearly_one_name_have_iterations_of_their_own(
    workspace: Path, knives: Path
) -> None:
    models = ("a/b", "a-b")
    with app_with(workspace, hand(writes_python)) as app:
        outcome = run(app, knives, engines=("hand",), models=models, judges=("simulated",))
        assert len({leg.iteration.folder for leg in outcome.legs}) == 2
        assert [on_disk(outcome, leg).metadata.executor_model for leg in (0, 1)] == list(models)


def with_engine(workspace: Path, engine: ScriptedAgent, knives: Path, **request: object) -> object:
    with app_on(workspace) as app:
        mine = replace(app, parts=WithEngine(engine, InstalledParts(app.settings.machine)))
        return planned(mine, knives, engines=("hand",), judges=("simulated",), **request)


def test_money_cannot_be_limited_where_nobody_tells_it(workspace: Path, knives: Path) -> None:
    mute = Telling([writes_python])
    with pytest.raises(UsageError, match="hand does not tell what it costs"):
        with_engine(workspace, mute, knives, budget=Budget(max_cost_usd=1))
    with_engine(workspace, mute, knives, budget=Budget(max_tokens=1))
    telling = Telling([writes_python], abilities=frozenset({"cost"}))
    with_engine(workspace, telling, knives, budget=Budget(max_cost_usd=1))


def test_an_engine_without_a_model_of_its_own(workspace: Path, knives: Path) -> None:
    bare = Telling([writes_python], has_default_model=False)
    with pytest.raises(UsageError, match="hand takes no model by itself; name one with --model"):
        with_engine(workspace, bare, knives)
    with_engine(workspace, bare, knives, models=("m",))


def test_what_it_may_cost_is_told_by_what_was_paid(workspace: Path, knives: Path) -> None:
    """0.25 for each of so many trials; judges go by rule and cost nothing."""
    with app_with(workspace, hand(writes_python)) as app:
        asked = {"engines": ("hand",), "judges": ("simulated",)}
        before = planned(app, knives, **asked)
        unknown = estimate(app, before)
        assert (unknown.runs, unknown.cost_usd, unknown.is_paid) == (TRIALS, None, True)
        assert unknown.needs_consent
        run(app, knives, budget=Budget(max_trials=2), **asked)
        known = estimate(app, planned(app, knives, **asked))
        assert (known.runs, known.judge_calls) == (6, 0)
        assert known.cost_usd == pytest.approx(6 * 0.25)
        assert known.needs_consent
        run(app, knives, budget=Budget(max_trials=3), **asked)
        rest = estimate(app, planned(app, knives, **asked))
        assert rest.cost_usd == pytest.approx(3 * 0.25)
        assert not rest.needs_consent, "less than a dollar"
        run(app, knives, **asked)
        nothing = estimate(app, planned(app, knives, **asked))
        assert (nothing.runs, nothing.is_paid, nothing.cost_usd) == (0, False, 0)
        told = plan_told(planned(app, knives, **asked), nothing)
        assert told["legs"] == [
            {
                "engine": "hand",
                "model": "default",
                "engine_version": "1",
                "sandbox": "none",
                "total": 8,
                "run": 0,
                "regrade": 0,
                "reuse": 8,
            }
        ]

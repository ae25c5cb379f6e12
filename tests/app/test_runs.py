"""One lifecycle for every kind of run: seen, paused, stopped and resumed from anywhere."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.evaluating import planned, skill
from tests.app.measuring import sayings, write_set
from tests.app.opening import COMPARISON, app_on, fill
from tests.flows.command import executions
from whet.app.app import App
from whet.app.capability.requests import EvaluationStart
from whet.app.capability.runs import Evaluations
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.library.library import library
from whet.app.projects.create import create_project
from whet.app.races import race_plan, run_race
from whet.app.run_kinds import RunKinds
from whet.app.runs.service import RunService
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.app.triggers import Triggers
from whet.core.budget import NO_LIMITS, Budget, Purse
from whet.core.errors import BudgetExhausted, Halted, NotFound, WrongStatus
from whet.core.run import RunKind, Wish
from whet.ports.listing import Kind
from whet.ports.runs import RunQuery

SLOW: dict[str, JsonValue] = {"simulate": {"latency_ms": 150}}
Begin = Callable[[App, Path, Callable[[], None]], tuple[str, Coroutine[Any, Any, object]]]


def project(app: App, _folder: Path, begun: Callable[[], None]) -> Any:
    made = create_project(app, COMPARISON.model_copy(update={"repeats": 4, "options": {**SLOW}}))
    return made.config.id, Experiments(app, width=2).run(made, begun)


def suite(app: App, folder: Path, begun: Callable[[], None]) -> Any:
    made = planned(app, skill(folder), runs=6, options={**SLOW}, width=2)
    return made.id, Evals(app).run(made, begun)


def capability(app: App, _folder: Path, begun: Callable[[], None]) -> Any:
    runs = Evaluations(app)
    wanted = EvaluationStart(
        case_set="mini",
        language="en-US",
        model_name="simulated",
        config_overrides={"options": {**SLOW}, "concurrency": 2},
    )
    made = runs.start(runs.plan(wanted))
    return made.run_id, runs.run(made.run_id, begun)


KINDS: dict[RunKind, Begin] = {"project": project, "eval": suite, "capability": capability}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    fill(made)
    write_set(made, sayings(16))
    return made


async def halted(runner: App, asker: App, begin: Begin, folder: Path, wish: Wish) -> str:
    """Let one process run it until another one has it paused or stopped."""
    begun = asyncio.Event()
    identity, work = begin(runner, folder, begun.set)
    running = asyncio.create_task(work)
    await begun.wait()
    while not (run := RunService(asker).get(identity)).done:  # noqa: ASYNC110 - another process's
        await asyncio.sleep(0.02)
    assert run.status == "running"
    seen = await RunService(asker).halt(identity, wish, 20)
    assert seen.status != "running"
    await asyncio.gather(running, return_exceptions=True)
    return identity


async def gone_on(app: App, identity: str, budget: Budget | None = None) -> None:
    with library(app.settings.workspace, "skill") as skills:

        def of_kind(_kind: Kind) -> Any:
            return skills

        await RunKinds(app, of_kind).go_on(RunService(app).get(identity), budget=budget)


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["paused", "stopped"])
@pytest.mark.parametrize("kind", KINDS)
def test_any_run_is_halted_from_elsewhere_and_goes_on(
    workspace: Path, tmp_path: Path, kind: RunKind, wish: Wish
) -> None:
    with app_on(workspace) as runner, app_on(workspace) as asker:
        identity = asyncio.run(halted(runner, asker, KINDS[kind], tmp_path, wish))
        run = RunService(asker).get(identity)
        assert run.kind == kind
        assert 0 < run.done < run.total
        is_cancelled = kind == "capability" and wish == "stopped"
        assert run.status == ("cancelled" if is_cancelled else "interrupted")
        assert not [one for one in executions(workspace) if one[1] is None]
        if is_cancelled:
            return
        assert run.wish == wish
        asyncio.run(gone_on(asker, identity))
        ended = RunService(runner).get(identity)
        assert (ended.status, ended.done, ended.epoch > run.epoch) == ("completed", run.total, True)
        answered = [one[0] for one in executions(workspace) if one[1] == "answered"]
        assert len(answered) == len({*answered}), "nothing is run twice"


@pytest.mark.slow
def test_a_trigger_run_and_a_race_are_runs_too(tmp_path: Path, workspace: Path) -> None:
    folder = skill(tmp_path)
    (folder / "evals" / "triggers.json").write_text(
        '[{"query": "sharpen my knife", "should_trigger": true},'
        ' {"query": "what is the weather", "should_trigger": false}]'
    )
    rival = tmp_path / "rival"
    rival.mkdir()
    text = (folder / "SKILL.md").read_text()
    (rival / "SKILL.md").write_text(text + "\nBe careful, and say what you do.\n")
    with app_on(workspace) as app:
        made = trigger_plan(app, TriggerRequest(skill=folder, engines=("simulated",), runs=2))
        asyncio.run(Triggers(app).measure(made))
        run = RunService(app).get(made.subject, "trigger")
        assert (run.status, run.done, run.total) == ("completed", 4, 4)
        raced = race_plan(app, planned(app, folder).request, [str(rival)])
        asyncio.run(run_race(app, raced))
        run = RunService(app).get(raced.id, "race")
        assert run.status == "completed"
        assert 0 < run.done <= run.total
        kinds = [one.kind for one in RunService(app).list(RunQuery()).items]
        assert kinds == ["race", "trigger"]


def test_a_budget_that_is_used_up_interrupts_a_project(workspace: Path) -> None:
    with app_on(workspace) as app:
        made = create_project(app, COMPARISON)
        with pytest.raises(BudgetExhausted, match="3 trials"):
            asyncio.run(Experiments(app, budget=Budget(max_trials=3)).run(made))
        run = RunService(app).get(made.config.id)
        assert (run.status, run.budget.max_trials) == ("interrupted", 3)
        assert "3 trials" in (run.error or "")
        assert (run.done, run.skipped) == (8, 5)
        assert asyncio.run(Experiments(app).run(made)).extent.executed == 5
        assert RunService(app).get(made.config.id).status == "completed"


def test_who_goes_on_has_what_is_left_of_the_budget(workspace: Path) -> None:
    with app_on(workspace) as app:
        made = create_project(app, COMPARISON)
        budget = Budget(max_trials=5)
        with pytest.raises(Halted):
            asyncio.run(Experiments(app, max_trials=3, budget=budget).run(made))
        assert RunService(app).get(made.config.id).spending.trials == 3
        with pytest.raises(BudgetExhausted, match="5 trials"):
            asyncio.run(gone_on(app, made.config.id))
        assert len(executions(workspace)) == 5
        with pytest.raises(BudgetExhausted, match="5 trials"):
            asyncio.run(gone_on(app, made.config.id))
        assert len(executions(workspace)) == 5, "nothing is left"
        asyncio.run(gone_on(app, made.config.id, Budget(max_trials=3)))
        run = RunService(app).get(made.config.id)
        assert (run.status, run.budget.max_trials, run.spending.trials) == ("completed", 3, 3)


def test_cases_that_a_budget_does_not_cover_are_skipped(workspace: Path) -> None:
    with app_on(workspace) as app:
        runs = Evaluations(app)
        wanted = EvaluationStart(
            case_set="mini",
            language="en-US",
            model_name="simulated",
            config_overrides={"budget": {"max_trials": 4}},
        )
        made = runs.start(runs.plan(wanted))
        ended = asyncio.run(runs.run(made.run_id))
        assert ended.counts is not None
        assert (ended.status, ended.counts["skipped"]) == ("finished", 12)
        reasons = {item.skip_reason for item in runs.get(made.run_id).items}
        assert "the budget of 4 trials is used up" in reasons


def test_what_is_not_running_is_neither_paused_nor_stopped(workspace: Path) -> None:
    with app_on(workspace) as app:
        made = create_project(app, COMPARISON)
        with pytest.raises(NotFound):
            RunService(app).ask(made.config.id, "paused")
        asyncio.run(Experiments(app).run(made))
        with pytest.raises(WrongStatus, match="is not running; it is completed"):
            asyncio.run(RunService(app).halt(made.config.id, "stopped"))
        with pytest.raises(NotFound, match="no run 'nope'"):
            RunService(app).get("nope")


def test_one_whose_process_is_gone_is_taken_by_one_server(workspace: Path) -> None:
    with app_on(workspace) as one, app_on(workspace) as two:
        with app_on(workspace) as gone:
            run = RunService(gone).new("r", "eval", "R", Purse(NO_LIMITS))
            RunService(gone).claim(run.model_copy(update={"is_unattended": True}))
            wished = run.model_copy(update={"id": "w", "is_unattended": True})
            RunService(gone).claim(wished)
            gone.store.runs.wish("w", "stopped")
            assert not RunService(one).take_left_behind()
        assert [each.id for each in RunService(one).take_left_behind()] == ["r"]
        assert not RunService(two).take_left_behind()
        left = RunService(two).get("w")
        assert (left.is_unattended, left.status) == (False, "interrupted")

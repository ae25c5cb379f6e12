"""What is said before the first run: no credential, and tasks that an agent cannot do."""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.app.evaluating import planned, skill
from tests.app.opening import COMPARISON, app_on, fill
from tests.engines.installed import installed
from tests.evaluate.suites import eval_, skill_at, suite_of
from whet.app.app import App
from whet.app.capability.measured_agent import pin_of
from whet.app.eval_estimate import FIRST_TRIALS, estimate
from whet.app.eval_iterations import Place
from whet.app.eval_people import drafted
from whet.app.eval_plan_told import plan_told
from whet.app.eval_request import EvalRequest
from whet.app.experiments import Experiments
from whet.app.prices import AgentRuns, price_of
from whet.app.projects.create import create_project
from whet.app.projects.estimate import estimate as project_estimate
from whet.app.races import race_plan
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.core.budget import Budget
from whet.core.errors import EnvironmentProblem, Halted, UsageError
from whet.engines.simulated.engine import SimulatedEngine
from whet.evaluate.starter import subject, write_draft

MODEL = "openai:gpt-5"
FIX = "openai has no credential; set OPENAI_API_KEY"


def refused(app: App, tmp_path: Path) -> list[str]:
    """What is said of an eval, a project and a capability run."""
    folder = skill(tmp_path)
    wish = COMPARISON.model_copy(update={"engine": "api", "model": MODEL, "judges": ("simulated",)})
    project = create_project(app, wish)
    told: list[str] = []
    for start in (
        lambda: planned(app, folder, engines=("api",), models=(MODEL,), judges=("simulated",)),
        lambda: asyncio.run(Experiments(app).run(project)),
        lambda: pin_of(app, f"api:{MODEL}", {}),
    ):
        with pytest.raises(EnvironmentProblem) as caught:
            start()
        told.append(str(caught.value))
    return told


def test_no_credential_is_found_before_anything_is_run(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    with app_on(workspace) as app:
        assert refused(app, tmp_path) == [FIX] * 3
        assert not app.store.ledger.latest(10)


def test_the_key_of_somebody_else_does_not_help(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    with app_on(workspace, ANTHROPIC_API_KEY="sk-ant-x") as app:
        assert refused(app, tmp_path) == [FIX] * 3


def test_with_a_credential_a_plan_is_made(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace", OPENAI_API_KEY="sk-x") as app:
        made = planned(
            app, skill(tmp_path), engines=("api",), models=(MODEL,), judges=("simulated",)
        )
        assert made.total > 0


def test_a_first_cost_is_found_out_by_some_trials(tmp_path: Path) -> None:
    """Nothing is on record: the way to a number is named, unless it is taken already."""
    wish: dict[str, Any] = {
        "engines": ("api",),
        "models": ("openai:frobnicator",),
        "judges": ("simulated",),
    }
    with app_on(tmp_path / "workspace", OPENAI_API_KEY="sk-x") as app:
        folder = skill(tmp_path)
        told = estimate(app, planned(app, folder, **wish)).in_words(FIRST_TRIALS)
        assert told.endswith("at a cost that nobody knows; run 2 trials first: --max-trials 2")
        limited = estimate(app, planned(app, folder, **wish, budget=Budget(max_trials=2)))
        assert "--max-trials" not in limited.in_words(FIRST_TRIALS)
        assert limited.runs == 2


def test_a_first_cost_is_an_order_of_magnitude_by_list_prices(tmp_path: Path) -> None:
    wish: dict[str, Any] = {"engines": ("api",), "judges": ("simulated",)}
    with app_on(tmp_path / "workspace", OPENAI_API_KEY="sk-x") as app:
        folder = skill(tmp_path)
        dear, cheap = (
            estimate(app, planned(app, folder, **wish, models=(model,)))
            for model in (MODEL, f"{MODEL}-nano")
        )
        assert dear.cost_usd is None
        assert dear.needs_consent, "a guess is nothing that anybody agreed to"
        assert dear.rough_cost_usd
        assert cheap.rough_cost_usd
        assert 0.01 < cheap.rough_cost_usd < dear.rough_cost_usd < 10
        told = plan_told(planned(app, folder, **wish, models=(MODEL,)), dear)["estimate"]
        assert isinstance(told, dict)
        assert (told["rough_cost_usd"], told["advice"]) == (dear.rough_cost_usd, None)
        assert "order of magnitude" in str(dear)
        assert "list prices" in str(dear)


def test_longer_prompts_and_skills_cost_more() -> None:
    price = price_of("claude:sonnet")
    assert price is not None
    assert price.of_run(AgentRuns(1, 50_000)) > price.of_run(AgentRuns(1, 500)) > 0
    assert price.of_run(AgentRuns(1, 500, max_turns=1)) < price.of_run(AgentRuns(1, 500))


@pytest.mark.parametrize(
    ("name", "is_known"),
    [
        ("claude:default", True),
        ("claude:claude-sonnet-4-5-20250929", True),
        ("opencode:anthropic/claude-opus-4-5", True),
        ("codex:gpt-5.1-codex-mini", True),
        ("gemini:gemini-2.5-flash", True),
        ("opencode:ollama/llama3", False),
        ("command:default", False),
        ("api:groq:o3x", False),
    ],
)
def test_models_that_have_a_price(name: str, *, is_known: bool) -> None:
    assert (price_of(name) is not None) == is_known


@pytest.mark.parametrize(
    ("agent", "fix"),
    [
        ("claude", "ANTHROPIC_API_KEY"),
        ("codex", "OPENAI_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("opencode", "opencode auth login"),
    ],
)
def test_agent_programs_and_judges_without_a_credential(
    tmp_path: Path, agent: str, fix: str
) -> None:
    """An empty home and no keys: every door says so before it asks or runs anything."""
    workspace, home = tmp_path / "workspace", tmp_path / "home"
    home.mkdir()
    fill(workspace)
    path = f"{installed(agent).parent}{os.pathsep}{os.environ['PATH']}"
    wish = COMPARISON.model_copy(update={"engine": agent, "judges": ("simulated",)})
    judged = COMPARISON.model_copy(update={"name": "Judged", "judges": (agent,)})
    with app_on(workspace, PATH=path, HOME=str(home)) as app:
        folder = skill(tmp_path)
        (folder / "evals/triggers.json").write_text(
            '[{"query": "Cut it.", "should_trigger": true}]'
        )
        for start in (
            lambda: planned(app, folder, engines=(agent,), judges=("simulated",)),
            lambda: planned(app, folder, judges=(agent,)),
            lambda: race_plan(app, EvalRequest(skill=str(folder), engines=(agent,)), ()),
            lambda: project_estimate(app, create_project(app, wish)),
            lambda: project_estimate(app, create_project(app, judged)),
            lambda: trigger_plan(app, TriggerRequest(skill=folder, engines=(agent,))),
            lambda: pin_of(app, agent, {}),
        ):
            with pytest.raises(EnvironmentProblem) as caught:
                start()
            assert fix in str(caught.value)
            assert caught.value.exit_code == 3
            assert "\n" not in str(caught.value)
        assert not app.store.ledger.latest(10)


def test_a_judge_with_a_slip_in_its_name_is_no_model(tmp_path: Path) -> None:
    slip = pytest.raises(UsageError, match="unknown judge 'cluade'; did you mean claude")
    with app_on(tmp_path / "workspace") as app, slip:
        planned(app, skill(tmp_path), judges=("cluade",))


def test_a_limited_project_begins_so_many_trials_and_goes_on(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        with pytest.raises(Halted):
            asyncio.run(Experiments(app, max_trials=2).run(project))
        assert len(app.store.ledger.latest(10)) == 2
        report = asyncio.run(Experiments(app).run(project))
        assert (report.extent.total, report.extent.executed) == (8, 6)


def test_a_project_that_the_simulated_agent_cannot_do_is_not_begun(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    cases = next(workspace.glob("baselines/*/*/*/cases.json"))
    cases.write_text(cases.read_text().replace("Write a Python function for", "Sing a song of"))
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        for start in (
            lambda: project_estimate(app, project),
            lambda: asyncio.run(Experiments(app).run(project)),
        ):
            with pytest.raises(EnvironmentProblem) as caught:
                start()
            assert str(caught.value) == CANNOT


def test_the_simulated_agent_takes_on_every_example() -> None:
    """Prompts of the samples, of the bundled case sets and of the examples."""
    root = Path(__file__).parents[2]
    files = [
        *root.glob("src/whet/app/case_sets/*.json"),
        *root.glob("src/whet/app/sample_workspace/**/cases.json"),
        *root.glob("examples/**/evals.json"),
    ]
    assert len(files) == 5
    agent = SimulatedEngine()
    for file in files:
        content = json.loads(file.read_text())
        for each in content.get("cases") or content["evals"]:
            prompt = each.get("prompt") or each["input"]
            assert agent.can_do(prompt), (file.name, prompt)


def test_drafts_for_a_skill_that_writes_code_can_be_tried(tmp_path: Path) -> None:
    folder = shutil.copytree(Path(__file__).parents[2] / "examples/careful-python", tmp_path / "s")
    shutil.rmtree(folder / "evals")
    with app_on(tmp_path / "workspace") as app:
        draft, _ = drafted(app.settings, subject(folder), Place(folder=folder), 12)
        write_draft(folder, draft, force=False)
        assert len(planned(app, folder).suite.cases) == 12


CANNOT = (
    "the simulated agent cannot do this task; this is no measurement — use a real engine, "
    "or `whet model-server` to rehearse"
)


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a haiku about hammers and save it as result.md.",
        "Summarise the attached report for the board.",
        "把下面这段话翻译成法语。",
        "Write a TypeScript function that adds two numbers.",
        "Turn these readings (CSV) into a shift log and save it as result.md.",
        "Draft an email to the customer, and mention the fault code.",
        "Write a podcast script about primes.",
        "Do it on an example in which it is easy to forget a detail, and save it as result.md.",
        "Read notes.txt and write a summary of it to summary.md.",
        "把读数（CSV）整理成值班日志，写出故障代码，保存为 result.md。",
    ],
)
def test_what_the_simulated_agent_cannot_do_is_not_measured(tmp_path: Path, prompt: str) -> None:
    with app_on(tmp_path / "workspace") as app:
        alone = skill_at(tmp_path / "alone", suite_of(eval_(1, prompt=prompt)))
        with pytest.raises(EnvironmentProblem) as caught:
            planned(app, alone)
        assert str(caught.value) == CANNOT
        some = skill_at(tmp_path / "some", suite_of(eval_(1), eval_("two", prompt=prompt)))
        with pytest.raises(EnvironmentProblem) as caught:
            planned(app, some)
        assert str(caught.value) == f"eval two: {CANNOT}"
        assert caught.value.exit_code == 3

"""What stops a run half-way: budgets, storms, troubles, people; and how the next one goes on."""

import asyncio
import contextlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.app.evaluating import (
    TRIALS,
    extent,
    on_disk,
    planned,
    run,
    skill,
    small,
    writes_python,
)
from tests.app.opening import app_on
from tests.app.recording import WithEngine, app_with, hand
from tests.evaluate.iterations import Jury, content
from tests.evaluate.suites import eval_
from tests.flows.command import assert_every_trial_answered_once, executions
from tests.run.agents import Waiting, raises
from whet.app.app import App
from whet.app.evals import EvalOutcome, Evals
from whet.app.parts import InstalledParts
from whet.core.budget import Budget
from whet.core.errors import EnvironmentProblem, JudgeFailure
from whet.core.grade import Judgement
from whet.documents.benchmark import Benchmark
from whet.ports.judge import Judge, JudgeSetup, Submission

HAND: dict[str, Any] = {"engines": ("hand",), "judges": ("simulated",)}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def knives(tmp_path: Path) -> Path:
    return skill(tmp_path)


def reasons(outcome: EvalOutcome) -> set[str]:
    """Why runs are missing."""
    found = on_disk(outcome)
    assert found.metadata.status == ("partial" if found.missing else "completed")
    return {one.reason for one in found.missing or ()}


def assert_no_open_claim(workspace: Path) -> None:
    assert not [address for address, outcome in executions(workspace) if outcome is None]


@pytest.mark.parametrize(
    ("budget", "done", "reason"),
    [
        (Budget(max_trials=3), 3, "the budget of 3 trials is used up"),
        (Budget(max_cost_usd=1.25), 5, "the budget of 1.25 USD does not cover another trial"),
        (Budget(max_tokens=250), 2, "the budget of 250 tokens does not cover another trial"),
        (Budget(max_trials=0), 0, "the budget of 0 trials is used up"),
    ],
)
def test_a_budget_leaves_a_part_and_the_next_run_the_whole(
    workspace: Path, knives: Path, budget: Budget, done: int, reason: str
) -> None:
    with app_with(workspace, hand(writes_python)) as app:
        outcome = run(app, knives, budget=budget, **HAND)
        assert not outcome.is_complete
        assert reasons(outcome) == {reason}
        found = on_disk(outcome)
        assert len(found.runs) == done == outcome.plan.purse.trials
        assert len(found.missing or ()) == TRIALS - done
        state = Evals(app).get(outcome.plan.id)
        assert (state.status, state.error) == ("partial", None)
        later = run(app, knives, **HAND)
        assert later.is_complete
        assert extent(later) == (TRIALS - done, 0, done)
        assert later.plan.id == outcome.plan.id, "a budget is no part of what is measured"
        assert on_disk(later).missing is None
        assert Evals(app).get(outcome.plan.id).status == "completed"
    assert_every_trial_answered_once(workspace, TRIALS)


@pytest.mark.slow
def test_time_that_is_up_leaves_a_part(workspace: Path, knives: Path) -> None:
    slow = Waiting()
    with app_with(workspace, hand(writes_python, writes_python, slow)) as app:
        outcome = run(app, knives, budget=Budget(max_seconds=4), width=2, **HAND)
        assert reasons(outcome) == {"the time of 4 s is up"}
        assert len(on_disk(outcome).runs) == 2
        assert len(slow.cleaned_up) == 2
    assert_no_open_claim(workspace)
    with app_with(workspace, hand(writes_python)) as app:
        assert run(app, knives, **HAND).is_complete
    assert_every_trial_answered_once(workspace, TRIALS)


def test_what_is_not_measured_is_no_zero(workspace: Path, knives: Path) -> None:
    """Only pairs count that have both sides."""
    with app_on(workspace) as app:
        outcome = run(app, knives, budget=Budget(max_trials=3), width=1)
        found = on_disk(outcome)
        assert [(one.eval_id, one.configuration) for one in found.runs] == [
            *[(1, "with_skill"), (1, "without_skill"), (2, "with_skill")]
        ]
        assert found.verdict is not None
        assert (found.verdict.n_cases, found.verdict.n_runs) == (1, 2)
        assert found.run_summary.with_skill is not None
        scores = [one.result.overall_efficiency for one in found.runs[::2]]
        mean = found.run_summary.with_skill.overall_efficiency
        assert mean is not None
        assert mean.mean == pytest.approx(sum(s for s in scores if s is not None) / 2, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["rate_limit", "crash"])
def test_a_storm_leaves_a_part_that_names_it_and_is_resumed(
    workspace: Path, knives: Path, trouble: str
) -> None:
    """The dice fall anew with each execution, so in the end all trials get through."""
    storm: dict[str, Any] = {"options": {"simulate": {trouble: 0.85}}, "runs": 4}
    with app_on(workspace) as app:
        outcome = run(app, knives, **storm)
        assert not outcome.is_complete
        found = on_disk(outcome)
        assert found.missing
        assert not any("budget" in reason for reason in reasons(outcome))
        assert all(one.result.status == "completed" for one in found.runs)
        done = len(found.runs)
        for _ in range(60):
            outcome = run(app, knives, **storm)
            assert len(on_disk(outcome).runs) >= done
            done = len(on_disk(outcome).runs)
            if outcome.is_complete:
                break
        assert done == 16
    assert_every_trial_answered_once(workspace, 16)


def test_an_agent_that_fails_by_itself_is_measured_as_0(workspace: Path, knives: Path) -> None:
    with app_on(workspace) as app:
        outcome = run(app, knives, options={"simulate": {"fail": 1}})
        assert outcome.is_complete
        found = on_disk(outcome)
        assert {one.result.overall_efficiency for one in found.runs} == {0}
        assert {one.result.failure for one in found.runs} == {"max_turns"}
        assert extent(run(app, knives, options={"simulate": {"fail": 1}})) == (0, 0, TRIALS)


async def cancelled(app: App, folder: Path, ready: asyncio.Event, **request: Any) -> str:
    made = planned(app, folder, **request)
    task = asyncio.create_task(Evals(app).run(made))
    async with asyncio.timeout(30):
        await ready.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return made.id


def test_an_interrupted_run_says_so_and_goes_on(workspace: Path, knives: Path) -> None:
    slow = Waiting()
    with app_with(workspace, hand(writes_python, slow)) as app:
        identity = asyncio.run(cancelled(app, knives, slow.begun, width=1, **HAND))
        state = Evals(app).get(identity)
        assert (state.status, state.error) == ("interrupted", None)
        assert state.ended_at is not None
        [place] = (workspace / leg.folder for leg in state.legs)
        found = Benchmark.load(place / "benchmark.json")
        assert found.metadata.status == "partial"
        assert len(found.runs) + len(found.missing or ()) == TRIALS
        kinds = [event.kind for event in app.store.events.since(0, identity)]
        assert kinds[-1] == "eval.interrupted"
    assert_no_open_claim(workspace)
    with app_with(workspace, hand(writes_python)) as app:
        later = run(app, knives, **HAND)
        assert (later.is_complete, later.plan.id) == (True, identity)
        assert later.legs[0].iteration.folder == place
    assert_every_trial_answered_once(workspace, TRIALS)


def test_a_trouble_of_the_machine_interrupts_and_is_told(workspace: Path, knives: Path) -> None:
    with app_with(workspace, hand(raises(EnvironmentProblem("no disk")))) as app:
        with pytest.raises(EnvironmentProblem, match="no disk"):
            run(app, knives, **HAND)
        [state] = Evals(app).list()
        assert (state.status, state.error) == ("interrupted", "no disk")
    assert_no_open_claim(workspace)


def test_a_process_that_is_gone_leaves_an_interrupted_run(workspace: Path, knives: Path) -> None:
    with app_on(workspace) as reader:
        with app_on(workspace) as gone:
            made = planned(gone, knives)
            Evals(gone)._begin(made)
            assert Evals(reader).get(made.id).status == "running"
        assert Evals(reader).get(made.id).status == "interrupted"
        assert run(reader, knives).is_complete


class Judged(WithEngine):
    """Whoever asks for a judge gets this one."""

    jury: Jury

    def judge(self, name: str, setup: JudgeSetup) -> Judge:
        del name, setup
        return self.jury


@contextlib.contextmanager
def judged_by(workspace: Path, jury: Jury) -> Generator[App]:
    with app_on(workspace) as app:
        parts = Judged(hand(writes_python), InstalledParts(app.settings.machine))
        parts.jury = jury
        yield replace(app, parts=parts)


def ill(submission: Submission) -> Judgement:
    if submission.case.id == "1":
        raise JudgeFailure("no voice today")
    return content(submission)


def test_a_judge_that_failed_is_asked_again(workspace: Path, knives: Path) -> None:
    with judged_by(workspace, Jury(ill)) as app:
        outcome = run(app, knives, **HAND)
        found = on_disk(outcome)
        unscored = [one for one in found.runs if one.result.overall_efficiency is None]
        assert {(one.eval_id, one.result.grade_status) for one in unscored} == {(1, "failed")}
        assert len(unscored) == TRIALS // 2
        assert found.verdict is not None
        assert found.verdict.n_cases == 1, "eval 1 is neither a pass nor a failure"
    jury = Jury()
    with judged_by(workspace, jury) as app:
        later = run(app, knives, **HAND)
        assert extent(later) == (0, TRIALS // 2, TRIALS // 2)
        assert jury.asked == TRIALS // 2
        assert later.plan.id == outcome.plan.id
        scores = {one.result.overall_efficiency for one in on_disk(later).runs}
        assert scores == {0.76}, "0.4 + 0.6 × 0.6"
    assert_every_trial_answered_once(workspace, TRIALS)


def test_nobody_is_asked_where_rules_decide_all(workspace: Path, tmp_path: Path) -> None:
    plain = small(*(eval_(n, expectations=[], quality_rubric=None) for n in (1, 2)))
    folder = skill(tmp_path, plain)
    with app_on(workspace) as app:
        outcome = run(app, folder, judges=("claude:opus",))
        assert outcome.plan.judge_names == ()
        assert {one.result.overall_efficiency for one in on_disk(outcome).runs} <= {0, 1}

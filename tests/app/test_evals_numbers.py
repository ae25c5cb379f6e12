"""Figures that can be worked out on paper, from the suite to ``benchmark.json``."""

import asyncio
import contextlib
import json
import os
import statistics
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.evaluating import extent, folders, on_disk, planned, run, skill, small
from tests.app.opening import app_on
from tests.app.recording import WithEngine, hand
from tests.engines.installed import installed
from tests.evaluate.iterations import Jury
from tests.evaluate.suites import PYTHON, eval_, skill_at
from tests.run.agents import ScriptedAgent, Waiting, now
from whet.app.app import App
from whet.app.eval_estimate import estimate
from whet.app.eval_request import EvalRequest
from whet.app.evals import Evals
from whet.app.parts import InstalledParts
from whet.app.races import race_plan, run_race
from whet.core.budget import Budget
from whet.core.errors import EngineFailure, JudgeFailure
from whet.core.failure import Failure
from whet.core.grade import DimensionScore, JudgedExpectation, Judgement
from whet.core.step import Ended, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.benchmark import Benchmark
from whet.ports.comparing import CONTENT, STRUCTURE, Assessment, Preference
from whet.ports.judge import Judge, JudgeSetup, Submission
from whet.ports.workdir import Workdir

HAND: dict[str, Any] = {"engines": ("hand",), "judges": ("simulated",)}

Said_ = dict[str, JsonValue]
LIMIT: Said_ = {"limit": True}
CRASH: Said_ = {"crash": True}
BOTH: list[JsonValue] = ["A docstring says what it does", "It is short"]
X: dict[str, JsonValue] = {"id": "S2", "type": "file_contains", "pattern": "*.py", "match": "x"}
SCALES: dict[str, JsonValue] = {
    "dimensions": [
        {"name": "quality", "weight": 3, "minimum": 0, "maximum": 10},
        {"name": "style", "weight": 1, "minimum": 1, "maximum": 4},
    ]
}
SUITE = small(
    eval_(1),
    eval_(2, expectations=[], quality_rubric=None, structural_expectations=[PYTHON, X]),
    eval_(3, expectations=[], structural_expectations=[], quality_rubric=SCALES),
    eval_(4, expectations=BOTH, structural_expectations=[], quality_rubric=None),
)


def says(met: list[JsonValue] | None = None, **scores: JsonValue) -> Said_:
    return {"met": met or [], "scores": scores}


TABLE: dict[tuple[str, str, int], Said_] = {
    # A check, an expectation and a rubric (depth counts twice).
    ("with", "1", 1): {**says([True], depth=4, tone=5), "file": "x"},  # .4 + .6 × 2.6/3 = .92
    ("with", "1", 2): says([True], depth=5, tone=5),  # the gate is closed: 0
    ("without", "1", 1): {**says([False], depth=2, tone=2), "file": "x"},  # .4/2 + .6 × .4 = .44
    ("without", "1", 2): LIMIT,  # 0
    # Checks only.
    ("with", "2", 1): {"file": "x"},  # 1
    ("with", "2", 2): {"file": "y"},  # 1/2
    ("without", "2", 1): {},  # 0
    ("without", "2", 2): {"file": "y"},  # 1/2
    # A rubric of 0 to 10 and of 1 to 4, and the expected output in place of expectations.
    ("with", "3", 1): says([True], quality=7.5, style=3),  # .4 + .6 × (3 × .75 + .75) / 4 = .85
    ("with", "3", 2): says([True], quality=3, style=1),  # .4 + .6 × (3 × .3 + .25) / 4 = .5725
    ("without", "3", 1): {**says([True], quality=9, style=4), "ill": True},  # judge fails: none
    ("without", "3", 2): says([False], quality=9, style=1),  # .6 × (3 × .9 + .25) / 4 = .4425
    # Expectations only.
    ("with", "4", 1): says([True, True]),  # 1
    ("with", "4", 2): says([True, False]),  # 1/2
    ("without", "4", 1): says([False, False]),  # 0
    ("without", "4", 2): CRASH,  # none
}


async def plays(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Does what the table says of its place."""
    which = spec.stimulus.prompt.rstrip(".").split()[-1]
    told = TABLE["with" if spec.skill else "without", which, spec.attempt]
    yield Said(now(), "I begin.")
    await asyncio.sleep(0)
    used = Usage(input_tokens=100, cost_usd=0.25)
    if told is CRASH:
        raise EngineFailure(Failure.AUTH, "no key")
    if told is LIMIT:
        yield Ended(now(), "half", used, Failure.MAX_TURNS, "too many turns")
        return
    if "file" in told:
        (workdir.work / "answer.py").write_text(str(told["file"]))
    yield Ended(now(), json.dumps(told), used)


def reads(*, ill: bool) -> Callable[[Submission], Judgement]:
    """What the agent wants to be told, unless the judge is ill."""

    def opinion(submission: Submission) -> Judgement:
        told: Any = json.loads(submission.answer)
        if ill and "ill" in told:
            raise JudgeFailure("no voice today")
        return Judgement(
            scores={name: DimensionScore(score=value) for name, value in told["scores"].items()},
            expectations=tuple(JudgedExpectation(text="?", passed=one) for one in told["met"]),
        )

    return opinion


class Judged(WithEngine):
    """Whoever asks for a judge gets this one."""

    jury: Jury

    def judge(self, name: str, setup: JudgeSetup) -> Judge:
        del name, setup
        return self.jury


@contextlib.contextmanager
def played(workspace: Path, agent: ScriptedAgent, *, ill: bool = False) -> Generator[App]:
    with app_on(workspace) as app:
        parts = Judged(agent, InstalledParts(app.settings.machine))
        parts.jury = Jury(reads(ill=ill))
        yield replace(app, parts=parts)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def played_once(workspace: Path, tmp_path: Path) -> Benchmark:
    """The table, with a judge who is ill."""
    with played(workspace, hand(plays), ill=True) as app:
        return on_disk(run(app, skill(tmp_path, SUITE), **HAND))


def test_the_score_of_every_run_by_hand(played_once: Benchmark) -> None:
    found = played_once
    scores = {
        (one.configuration.split("_")[0], str(one.eval_id), one.run_number): (
            one.result.overall_efficiency
        )
        for one in found.runs
    }
    assert scores == {
        ("with", "1", 1): 0.92,
        ("with", "1", 2): 0,
        ("without", "1", 1): 0.44,
        ("without", "1", 2): 0,
        ("with", "2", 1): 1,
        ("with", "2", 2): 0.5,
        ("without", "2", 1): 0,
        ("without", "2", 2): 0.5,
        ("with", "3", 1): 0.85,
        ("with", "3", 2): 0.5725,
        ("without", "3", 1): None,
        ("without", "3", 2): 0.4425,
        ("with", "4", 1): 1,
        ("with", "4", 2): 0.5,
        ("without", "4", 1): 0,
    }
    assert [(one.eval_id, one.configuration, one.run_number) for one in found.missing or ()] == [
        (4, "without_skill", 2)
    ]
    assert found.metadata.status == "partial"


def test_the_summary_by_hand(played_once: Benchmark) -> None:
    found = played_once
    ours, other = found.run_summary.with_skill, found.run_summary.without_skill
    assert ours is not None
    assert other is not None
    assert (ours.pass_rate.mean, other.pass_rate.mean) == (0.75, round(1 / 6, 4))
    assert ours.overall_efficiency is not None
    assert other.overall_efficiency is not None
    pot = [0.92, 0, 1, 0.5, 0.85, 0.5725, 1, 0.5]
    assert ours.overall_efficiency.mean == pytest.approx(0.6678125, abs=5e-5)
    assert ours.overall_efficiency.stddev == pytest.approx(statistics.stdev(pot), abs=5e-5)
    assert ours.consistency == pytest.approx(1 - statistics.stdev(pot) / 0.6678125, abs=5e-5)
    assert other.overall_efficiency.mean == pytest.approx(1.3825 / 6, abs=5e-5)
    assert ours.rubric_normalized is not None
    assert ours.rubric_normalized.mean == pytest.approx((2.6 / 3 + 0.75 + 0.2875) / 3, abs=5e-5)
    assert (ours.rubric_unscored, other.rubric_unscored) == (1, 2)


def test_the_verdict_by_hand(played_once: Benchmark) -> None:
    found = played_once
    assert found.statistics is not None
    assert [(one.with_skill, one.other, one.pairs) for one in found.statistics.by_eval] == [
        *[(0.46, 0.22, 2), (0.75, 0.25, 2), (0.5725, 0.4425, 1), (1, 0, 1)]
    ]
    verdict = found.verdict
    assert verdict is not None
    differences = [0.24, 0.5, 0.13, 1.0]
    assert verdict.delta == pytest.approx(0.4675)
    assert (verdict.n_cases, verdict.n_runs, len(verdict.excluded or ())) == (4, 12, 2)
    assert verdict.interval is not None
    # Student with 3 degrees of freedom: 3.182446.
    around = 3.182446 * statistics.stdev(differences) / 2
    assert verdict.interval.low == pytest.approx(0.4675 - around, abs=1e-5)
    assert verdict.interval.high == pytest.approx(min(1, 0.4675 + around), abs=1e-5)
    assert verdict.label == "inconclusive"
    assert verdict.cost_usd == pytest.approx(15 * 0.25)


def test_what_was_lost_is_made_good_and_nothing_else_is_touched(
    workspace: Path, tmp_path: Path
) -> None:
    folder = skill(tmp_path, SUITE)
    with played(workspace, hand(plays), ill=True) as app:
        run(app, folder, **HAND)
    agent = hand(recovered)
    with played(workspace, agent) as app:
        outcome = run(app, folder, **HAND)
        assert extent(outcome) == (1, 1, 14)
        assert len(agent.starts) == 1
    found = on_disk(outcome)
    assert found.metadata.status == "completed"
    verdict = found.verdict
    assert verdict is not None
    assert (verdict.n_cases, verdict.n_runs, verdict.excluded) == (4, 16, None)
    # .24, .5, (.85 + .5725)/2 − (.955 + .4425)/2, .75 − 0
    assert verdict.delta == pytest.approx((0.24 + 0.5 + 0.71125 - 0.69875 + 0.75) / 4, abs=1e-6)


async def recovered(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    yield Ended(now(), json.dumps(says([False, False])), Usage(cost_usd=0.25))


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"id": 7}, {"name": "Hone"}, {"cluster": "steel"}])
def test_other_folders_or_another_verdict_are_another_iteration(
    workspace: Path, tmp_path: Path, change: dict[str, JsonValue]
) -> None:
    """An eval by another id would leave the runs under its old one in the same iteration, where
    tools that read folders count them twice."""
    changed: list[JsonValue] = [{**eval_(1), **change}, {**eval_(2), "cluster": "steel"}, eval_(3)]
    with app_on(workspace) as app:
        folder = skill(tmp_path, small(eval_(1), {**eval_(2), "cluster": "steel"}, eval_(3)))
        run(app, folder)
        skill(tmp_path, small(*changed))
        again = run(app, folder)
        assert extent(again) == (0, 0, 12), "nothing is run or judged for it"
        assert folders(workspace) == ["iteration-1", "iteration-2"]
        assert len([*again.legs[0].iteration.folder.glob("eval-*/")]) == 3


def test_an_adaptive_run_that_was_interrupted_has_no_verdict(
    workspace: Path, tmp_path: Path
) -> None:
    """A t test over as much as there happened to be is no verdict of an adaptive run."""
    folder = skill(tmp_path, small(*(eval_(number) for number in range(1, 11))))
    slow = Waiting()
    scripts = [*[recovered] * 8, slow]

    async def cancelled(app: App) -> str:
        made = planned(app, folder, adaptive=True, width=1, **HAND)
        task = asyncio.create_task(Evals(app).run(made))
        async with asyncio.timeout(30):
            await slow.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return made.id

    with played(workspace, hand(*scripts)) as app:
        [leg] = Evals(app).get(asyncio.run(cancelled(app))).legs
        found = Benchmark.load(workspace / leg.folder / "benchmark.json")
        assert len(found.runs) == 8
        assert found.verdict is None
        assert found.metadata.status == "partial"


@pytest.mark.slow
def test_a_plan_from_before_a_fresh_one_does_not_take_its_series_back(
    workspace: Path, tmp_path: Path
) -> None:
    folder = skill(tmp_path)
    with app_on(workspace) as app:
        old = planned(app, folder)
        run(app, folder, fresh=True)
        asyncio.run(Evals(app).run(old))
        assert planned(app, folder).series == 1
        assert planned(app, folder, fresh=True).series == 2


@pytest.mark.parametrize(
    ("runs", "told"),
    [(2, "about those evals only; for"), (1, "there will be none at all: use --runs 3; for")],
)
def test_a_race_says_beforehand_what_its_split_can_never_say(
    workspace: Path, tmp_path: Path, runs: int, told: str
) -> None:
    """Ten evals are enough for a comparison, and the five that are held out are not."""
    suite = small(*(eval_(number) for number in range(1, 11)))
    first = skill(tmp_path, suite)
    rival = skill_at(tmp_path / "rival", suite, text="---\nname: rival\n---\nBe brief.\n")
    with played(workspace, hand(recovered)) as app:
        made = race_plan(app, EvalRequest(skill=str(first), runs=runs, **HAND), [str(rival)])
    [warning] = [one for one in made.base.warnings if "held out" in one]
    assert warning.startswith("of 10 evals 5 are held out for the verdict, ")
    assert told in warning


@pytest.mark.slow
def test_a_race_asks_before_rivals_are_paid_for(workspace: Path, tmp_path: Path) -> None:
    """That the first skill is measured already says nothing of the others."""
    suite = small(*(eval_(number) for number in range(1, 5)))
    first = skill(tmp_path, suite)
    rival = skill_at(tmp_path / "rival", suite, text="---\nname: rival\n---\nBe brief.\n")
    request = EvalRequest(skill=str(first), **HAND)
    with played(workspace, hand(recovered)) as app:
        run(app, first, **HAND)
        made = race_plan(app, request, [str(rival)])
        assert not estimate(app, made.base).needs_consent, "all of the first is on record"
        # Two evals to pick by: the rival alone is missing. Two to report by: both sides, anew.
        assert made.most == 2 * 2 + 2 * 2 * 2
        assert made.expected(app).runs == 12
        assert made.expected(app).needs_consent
        asyncio.run(run_race(app, made))
        # Nobody knows before who wins: the report of the loser is never run, and may have to be.
        assert race_plan(app, request, [str(rival)]).most == 2 * 2


def test_one_model_by_two_names_is_one_leg(workspace: Path, tmp_path: Path) -> None:
    with played(workspace, hand(recovered)) as app:
        made = planned(app, skill(tmp_path), models=("m", "hand:m"), **HAND)
        assert [leg.name for leg in made.legs] == ["hand:m"]


def test_what_a_budget_left_out_was_not_run(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        folder = skill(tmp_path)
        [leg] = run(app, folder, budget=Budget(max_trials=3)).legs
        assert (leg.executed, leg.extent.reused) == (3, 0)
        [leg] = run(app, folder).legs
        assert (leg.executed, leg.extent.reused) == (5, 3)


def test_a_limit_of_money_that_a_judge_does_not_keep_is_told(
    workspace: Path, tmp_path: Path
) -> None:
    def told(judge: str, budget: Budget) -> bool:
        warnings = planned(app, folder, judges=(judge,), budget=budget).warnings
        return any("limit of money" in warning for warning in warnings)

    path = os.pathsep.join(str(installed(name).parent) for name in ("codex", "claude"))
    keys = {"OPENAI_API_KEY": "sk-x", "ANTHROPIC_API_KEY": "sk-ant-x"}
    with app_on(workspace, PATH=f"{path}{os.pathsep}{os.environ['PATH']}", **keys) as app:
        folder = skill(tmp_path)
        assert told("codex:m", Budget(max_cost_usd=5))
        assert not told("codex:m", Budget(max_tokens=5))
        assert not told("claude:opus", Budget(max_cost_usd=5))


class Comparer(Jury):
    """A jury that prefers whatever comes first."""

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:
        del a, b, seed
        side = Assessment(points=dict.fromkeys((*CONTENT, *STRUCTURE), 3.0), quality=5)
        return Preference("A", "it came first", side, side)


def test_comparisons_in_pairs_are_part_of_the_estimate(workspace: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"pairwise": True, **HAND}
    with played(workspace, hand(recovered)) as app:
        assert isinstance(app.parts, Judged)
        app.parts.jury = Comparer(reads(ill=False))
        folder = skill(tmp_path)
        assert estimate(app, planned(app, folder, **asked)).judge_calls == 8 + 2 * 4
        run(app, folder, **HAND)
        # The runs are there and graded; four pairs in both orders are not compared yet.
        later = estimate(app, planned(app, folder, **asked))
        assert (later.runs, later.judge_calls, later.needs_consent) == (0, 2 * 4, True)
        run(app, folder, **asked)
        assert estimate(app, planned(app, folder, **asked)).judge_calls == 0

"""Suites of evals run as a door runs them."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from tests.evaluate.suites import Fields, eval_, skill_at, suite_of
from tests.run.agents import now
from whet.app.app import App
from whet.app.eval_plan import EvalPlan, plan
from whet.app.eval_request import EvalRequest
from whet.app.evals import EvalOutcome, Evals
from whet.core.step import Ended, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.benchmark import Benchmark
from whet.ports.workdir import Workdir

RUNS = 2
TRIALS = 8
"""Two evals, with and without the skill, twice."""


def small(*evals: JsonValue, **more: JsonValue) -> Fields:
    return suite_of(*(evals or (eval_(1), eval_(2))), eval_config={"runs_per_eval": RUNS}, **more)


def skill(folder: Path, suite: JsonValue = None) -> Path:
    """The skill ``knives`` with two evals."""
    return skill_at(folder / "knives", small() if suite is None else suite)


def planned(app: App, folder: Path, **request: Any) -> EvalPlan:
    return plan(app, EvalRequest(skill=str(folder), **request))


def run(app: App, folder: Path, **request: Any) -> EvalOutcome:
    """Plan and carry out."""
    return asyncio.run(Evals(app).run(planned(app, folder, **request)))


def extent(outcome: EvalOutcome, leg: int = 0) -> tuple[int, int, int]:
    """How many trials were run, only graded, and reused."""
    found = outcome.legs[leg].extent
    return found.missing, found.ungraded, found.reused


def folders(workspace: Path) -> list[str]:
    """The iterations there are."""
    return sorted(path.name for path in workspace.glob("evals/knives/simulated__*/iteration-*"))


def on_disk(outcome: EvalOutcome, leg: int = 0) -> Benchmark:
    return Benchmark.load(outcome.legs[leg].iteration.folder / "benchmark.json")


async def writes_python(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Passes the gate, at a price."""
    yield Said(now(), "I begin.")
    await asyncio.sleep(0)
    (workdir.work / "answer.py").write_text(f'"""{spec.attempt}"""\n')
    yield Ended(now(), "done", Usage(input_tokens=100, cost_usd=0.25))

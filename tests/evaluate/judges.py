"""Judges written by hand, and the pieces of an experiment."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.run.agents import Script, ScriptedAgent, answers, runner
from whet.app.clock import SystemClock
from whet.core.address import digest
from whet.core.arm import Arm, SkillPackage
from whet.core.budget import Budget, Purse
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.files import FileRef
from whet.core.grade import DimensionScore, Judgement
from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric
from whet.evaluate.experiment import Experiment, Extent, Row
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, Pin
from whet.pools.local import LocalPool
from whet.ports.judge import Submission
from whet.ports.store import Store

Scores = Mapping[str, DimensionScore]
Opinion = Callable[[Submission, Rubric], Scores]

PIN = Pin(engine="hand", engine_version="1", model="m")
FIVE = Rubric(
    name="one to five",
    dimensions=(
        Dimension(name="structure", minimum=1, maximum=5, weight=0.75),
        Dimension(name="tone", minimum=1, maximum=5, weight=0.25),
    ),
)


def scores(**given: float) -> Scores:
    return {name: DimensionScore(score=score, evidence=f"{name}!") for name, score in given.items()}


def share(part: float) -> Opinion:
    """Gives each dimension that part of its points."""

    def opinion(_submission: Submission, rubric: Rubric) -> Scores:
        return {d.name: DimensionScore(score=part * d.maximum) for d in rubric.dimensions}

    return opinion


def always(given: Scores) -> Opinion:
    return lambda _submission, _rubric: given


def raising(error: Exception) -> Opinion:
    def opinion(_submission: Submission, _rubric: Rubric) -> Scores:
        raise error

    return opinion


@dataclass
class ScriptedJudge:
    """``ports.judge.Judge`` with one opinion; remembers what it saw."""

    opinion: Opinion = field(default_factory=lambda: share(0.5))
    name: str = "hand"
    version: str = "1"
    model: str = "hand"
    simulated: bool = False
    seen: list[Submission] = field(default_factory=list[Submission])
    seeds: list[str] = field(default_factory=list[str])
    gate: asyncio.Event | None = None

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        self.seen.append(submission)
        self.seeds.append(seed)
        if self.gate:
            await self.gate.wait()
        assert rubric is not None
        return Judgement(scores=dict(self.opinion(submission, rubric)))


def arm(name: str, content: str | None = "same") -> Arm:
    """An arm with a skill of that content, or without any."""
    if content is None:
        return Arm(id=name, label=name, skill=None)
    file = FileRef(path="content.txt", digest=digest(content), size=len(content))
    package = SkillPackage(name=name, kind="text", digest=digest([content]), files=(file,))
    return Arm(id=name, label=name, skill=package)


def case(name: str, expected: str = "", cost: float | None = None) -> Case:
    return Case(
        id=name,
        set="set",
        stimulus=Stimulus(prompt=f"Do {name}.", limits=Limits(max_cost_usd=cost)),
        standard=Standard(expected=expected),
    )


def design(arms: Sequence[Arm], cases: Sequence[Case], repeats: int = 1) -> Design:
    return Design(arms=tuple(arms), cases=tuple(cases), pin=PIN, repeats=repeats)


def grader(store: Store, judge: ScriptedJudge, rubric: Rubric = SIX_DIMENSIONS) -> Grader:
    return Grader(judges=(judge,), rubric=rubric, blobs=store.blobs, clock=SystemClock())


@dataclass
class Laboratory:
    """A store, an agent and a judge, for as many experiments as one likes."""

    store: Store
    folder: Path
    judge: ScriptedJudge = field(default_factory=ScriptedJudge)
    rubric: Rubric = SIX_DIMENSIONS
    scripts: tuple[Script, ...] = (answers,)
    width: int = 4
    agents: list[ScriptedAgent] = field(default_factory=list[ScriptedAgent])

    @property
    def starts(self) -> list[str]:
        """The address of every start of an agent so far."""
        return [address for agent in self.agents for address in agent.starts]

    def experiment(self) -> Experiment:
        scratch = self.folder / f"scratch-{len(self.agents)}"
        run, agent = runner(self.store, scratch, *self.scripts, retries=0)
        self.agents.append(agent)
        pool = LocalPool(run, self.width)
        judging = grader(self.store, self.judge, self.rubric)
        return Experiment(self.store, run.writer, pool, judging, "subject")

    def run(self, plan: Design, budget: Budget | None = None) -> tuple[Extent, list[Row]]:
        """Carry a design out; the extent and the rows in order of completion."""
        rows: list[Row] = []
        experiment = self.experiment()
        extent = asyncio.run(experiment.run(plan, Purse(budget or Budget()), rows.append))
        return extent, rows

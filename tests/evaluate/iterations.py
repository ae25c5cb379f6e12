"""Iterations of a suite with an agent and a judge by hand: rows, folders, benchmark."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluate.judges import PIN
from tests.evaluate.suites import checkers
from tests.evaluate.worlds import WITH, WITHOUT
from tests.run.agents import Script, now, runner
from whet.app.clock import SystemClock
from whet.core.budget import Budget, Purse
from whet.core.failure import Failure
from whet.core.grade import DimensionScore, JudgedExpectation, Judgement
from whet.core.rubric import Rubric
from whet.core.step import Called, Ended, Returned, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.benchmark import Benchmark
from whet.documents.skill_creator import Metrics
from whet.evaluate.benchmark import Context, benchmark
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design
from whet.evaluate.suite import Suite
from whet.evaluate.suite_runs import RunFolders
from whet.pools.local import LocalPool
from whet.ports.judge import Submission
from whet.ports.store import Store
from whet.ports.workdir import Workdir


def met(*passed: bool, depth: float = 4, tone: float = 1) -> Judgement:
    """A judgement on the rubric and the expectations of ``suites.eval_``."""
    return Judgement(
        scores={"depth": DimensionScore(score=depth, evidence="deep"), "tone": _score(tone)},
        expectations=tuple(
            JudgedExpectation(text="?", passed=one, evidence="seen it") for one in passed
        ),
    )


def _score(value: float) -> DimensionScore:
    return DimensionScore(score=value)


def content(submission: Submission) -> Judgement:
    """Finds whatever it is asked for, with 4 and 1 of 5."""
    judgement = met(*(True for _ in submission.case.standard.expectations))
    return (
        judgement
        if submission.case.standard.rubric
        else judgement.model_copy(update={"scores": {}})
    )


@dataclass
class Jury:
    """``ports.judge.Judge`` that says what a function says."""

    says: Callable[[Submission], Judgement] = content
    name: str = "hand"
    version: str = "1"
    model: str = "judge-model"
    simulated: bool = False
    asked: int = 0

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        del rubric, seed
        self.asked += 1
        return self.says(submission)


def writes(**files: str) -> Script:
    """Writes these files in ``_`` for ``.``, calls a tool that fails, and answers."""

    async def script(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        yield Said(now(), "I begin.")
        yield Called(now(), "1", "Bash", {"command": "sharpen"})
        for name, text in files.items():
            path = workdir.work / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        yield Returned(now(), "1", ok=False, output="no such knife")
        yield Called(now(), "2", "Write", {"file_path": "x"})
        yield Returned(now(), "2", ok=True, output="written")
        used = Usage(input_tokens=100 * spec.attempt, output_tokens=7, cost_usd=0.5)
        yield Ended(now(), "done", used)

    return script


def gives_up(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    """Reaches a limit of its own."""

    async def steps() -> AsyncGenerator[Step]:
        yield Said(now(), "I try.")
        yield Ended(now(), "half", Usage(input_tokens=3), Failure.MAX_TURNS, "too many turns")

    return steps()


@dataclass
class Iterated:
    """One iteration in a folder of its own."""

    store: Store
    suite: Suite
    folder: Path
    rows: list[Row] = field(default_factory=list[Row])
    metrics: dict[str, Metrics] = field(default_factory=dict[str, Metrics])

    def design(self, runs: int = 1) -> Design:
        return Design(arms=(WITH, WITHOUT), cases=self.suite.cases, pin=PIN, repeats=runs)

    def run(self, scripts: Sequence[Script], jury: Jury | None = None, runs: int = 1) -> None:
        """Carry the suite out, one run after the other, and write all folders."""
        self.store.blobs.put(WITH.id.encode())
        scratch = self.folder.with_name(f"scratch-{len(self.rows)}")
        handler, _ = runner(self.store, scratch, *scripts, retries=0)
        grader = Grader(
            judges=(jury or Jury(),),
            rubric=None,
            blobs=self.store.blobs,
            clock=SystemClock(),
            checkers=checkers(),
        )
        pool = LocalPool(handler, 1)
        work = Experiment(self.store, handler.writer, pool, grader, "subject")
        self.rows.clear()
        asyncio.run(work.run(self.design(runs), Purse(Budget()), self.rows.append))
        self.write()

    def write(self) -> None:
        folders = RunFolders(self.folder, self.suite, self.store.blobs)
        folders.describe()
        for row in self.rows:
            if (found := folders.add(row)) is not None:
                self.metrics[row.trial] = found

    def path(self, which: str, who: str = "with_skill", number: int = 1) -> Path:
        """The folder of one run."""
        folders = RunFolders(self.folder, self.suite, self.store.blobs)
        [row] = [
            row
            for row in self.rows
            if (row.cell.case.id, row.cell.arm.id, row.cell.attempt) == (which, who, number)
        ]
        return folders.path(row)

    def benchmark(self, runs: int = 1) -> Benchmark:
        context = Context(
            suite=self.suite,
            design=self.design(runs),
            skill_path="skills/knives",
            timestamp="2024-01-01T00:00:00Z",
            metrics=self.metrics,
        )
        return benchmark(self.rows, context)

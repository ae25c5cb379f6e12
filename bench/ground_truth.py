"""Whole experiments in a world with a known truth: python -m bench.ground_truth

Every experiment is the real thing, from the plan to the verdict in its benchmark: simulated agent
and judge, checks, gate, a store of its own, and evals that no other experiment has. The true
effect comes once from a large sample of other evals. Printed is how often 95 % intervals cover it,
and how often the same skill on both sides, tried independently, is called better or worse.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from whet.app.clock import SystemClock
from whet.app.parts import InstalledParts
from whet.core.address import digest
from whet.core.arm import Arm, SkillPackage
from whet.core.budget import Budget, Purse
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckSpec
from whet.core.files import FileRef
from whet.core.rubric import Dimension, Rubric
from whet.documents.benchmark import Benchmark
from whet.documents.evals import Eval, EvalSuite
from whet.documents.verdict import Verdict
from whet.evaluate.benchmark import Context, benchmark
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, Pin
from whet.evaluate.suite import Suite
from whet.judges.simulated import SimulatedJudge
from whet.pools.local import LocalPool
from whet.ports.blobs import Blobs
from whet.ports.machine import Machine
from whet.ports.store import Store
from whet.run.trial import TrialRunner
from whet.run.workdir import Scratch
from whet.stores.group_commit import GroupCommit
from whet.stores.memory import MemoryStore

WITH, WITHOUT = "with_skill", "without_skill"
SKILL = "Validate every input. Add a docstring to every function. Add type hints."
TASKS = (
    "computes the Fibonacci number n",
    "tells whether a text is a palindrome",
    "merges two sorted lists",
    "counts the words of a text",
    "finds the largest number of a list",
)
RUBRIC = Rubric(
    name="code",
    dimensions=tuple(
        Dimension(name=name, minimum=1, maximum=5, weight=weight)
        for name, weight in (("correctness", 2), ("robustness", 1), ("readability", 1))
    ),
)
CHECKS = (
    CheckSpec(id="S1", type="file_exists", fields={"pattern": "*.py"}, critical=True),
    CheckSpec(id="S2", type="file_contains", fields={"pattern": "*.py", "match": '"""'}),
    CheckSpec(id="S3", type="file_contains", fields={"pattern": "*.py", "match": "raise"}),
)
PIN = Pin(engine="simulated", engine_version="1", model="simulated")
LARGE = 2_000
AT_ONCE = 50
"""Evals of one experiment of the large sample; a store in memory is slow when it is full."""


class Truth(NamedTuple):
    """The mean difference between both sides, in score and in expectations met."""

    score: float
    rate: float


@dataclass
class World:
    """A population of evals, each with checks and an expectation in words."""

    folder: Path
    _fresh: Iterator[int] = field(default_factory=count, repr=False)

    @cached_property
    def truth(self) -> Truth:
        """From a large sample of evals, which no experiment has."""
        sample = [self.benchmark(AT_ONCE) for _ in range(LARGE // AT_ONCE)]
        return Truth(mean(map(_score_gained, sample)), mean(map(_rate_gained, sample)))

    def experiment(self, evals: int, *, rubric: bool = True, same: bool = False) -> Verdict:
        """The verdict on the skill over fresh evals. With a *rubric* a judge scores them too; with
        *same* the skill is on both sides."""
        found = self.benchmark(evals, rubric=rubric, same=same).verdict
        assert found is not None
        return found

    def benchmark(self, evals: int, *, rubric: bool = True, same: bool = False) -> Benchmark:
        """The whole way, in a store of its own."""
        cases = [made(next(self._fresh), RUBRIC if rubric else None) for _ in range(evals)]
        suite = suite_of(cases)
        store = MemoryStore(lambda _owner: True, SystemClock())
        with laboratory(store, self.folder / f"scratch-{cases[0].id}") as experiment:
            design = design_of(cases, package(store.blobs), same=same)
            rows = asyncio.run(carried_out(experiment, design, same=same))
        return benchmark(rows, Context(suite, design, skill_path="skill", timestamp=""))


@contextmanager
def laboratory(store: Store, folder: Path) -> Generator[Experiment]:
    """All that it takes to carry designs out; *folder* is for scratch."""
    clock = SystemClock()
    parts = InstalledParts(Machine({}, folder))
    runner = TrialRunner(
        parts=parts,
        store=store,
        writer=GroupCommit(store),
        scratch=Scratch(folder, store.blobs),
        clock=clock,
        owner="me",
        retries=0,
    )
    grader = Grader(
        judges=(SimulatedJudge(),),
        rubric=None,
        blobs=store.blobs,
        clock=clock,
        checkers={name: parts.checker(name) for name in ("file_exists", "file_contains")},
    )
    try:
        yield Experiment(store, runner.writer, LocalPool(runner, 8), grader, "truth")
    finally:
        runner.scratch.close()


def made(number: int, rubric: Rubric | None) -> Case:
    """One eval of the population."""
    task = random.Random(number).choice(TASKS)
    return Case(
        id=str(number),
        set="evals",
        stimulus=Stimulus(prompt=f"Write a Python function that {task}, variant {number}."),
        standard=Standard(checks=CHECKS, expectations=("It has type hints",), rubric=rubric),
    )


def suite_of(cases: Sequence[Case]) -> Suite:
    written = tuple(Eval(id=int(case.id), prompt=case.stimulus.prompt) for case in cases)
    return Suite(Path("skill"), EvalSuite(skill_name="skill", evals=written), tuple(cases), {})


def design_of(cases: Sequence[Case], skill: SkillPackage, *, same: bool = False) -> Design:
    """With the skill and without it; with *same* it is on both sides."""
    arms = (
        Arm(id=WITH, label=WITH, skill=skill),
        Arm(id=WITHOUT, label=WITHOUT, skill=skill if same else None),
    )
    return Design(arms=arms, cases=tuple(cases), pin=PIN)


def _score_gained(found: Benchmark) -> float:
    assert found.verdict is not None
    assert found.verdict.delta is not None
    return found.verdict.delta


def _rate_gained(found: Benchmark) -> float:
    both = found.run_summary.with_skill, found.run_summary.without_skill
    assert both[0] is not None
    assert both[1] is not None
    return both[0].pass_rate.mean - both[1].pass_rate.mean


async def carried_out(experiment: Experiment, design: Design, *, same: bool) -> list[Row]:
    """All rows. With the same skill on both sides each is a series of its own, for otherwise they
    would be one and the same trials."""
    rows: list[Row] = []
    sides = [design]
    if same:
        sides = [
            design.model_copy(update={"arms": (arm,), "series": series})
            for series, arm in enumerate(design.arms)
        ]
    for side in sides:
        await experiment.run(side, Purse(Budget()), rows.append)
    return rows


def package(blobs: Blobs) -> SkillPackage:
    data = SKILL.encode()
    file = FileRef(path="content.txt", digest=blobs.put(data), size=len(data))
    return SkillPackage(name="skill", kind="text", digest=digest([SKILL]), files=(file,))


def covered(truth: float, verdicts: Sequence[Verdict]) -> int:
    """How many intervals hold the truth."""
    intervals = [verdict.interval for verdict in verdicts]
    return sum(found is not None and found.low <= truth <= found.high for found in intervals)


def alarms(verdicts: Sequence[Verdict]) -> int:
    """How many call a difference."""
    return sum(verdict.label in ("better", "worse") for verdict in verdicts)


EXPERIMENTS = 100


def main() -> None:
    print(f"{EXPERIMENTS} whole experiments each; the standard error of 95 % is 2.2 points")
    print(f"{'':10}{'true effect':>12}{'evals':>7}{'covered':>9}{'A/A alarms':>12}{'a trial':>11}")
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        world = World(Path(name))
        for kind, truth in (("scores", world.truth.score), ("rates", world.truth.rate)):
            for evals in (5, 10, 30):
                begun, rubric = time.perf_counter(), kind == "scores"
                found = [world.experiment(evals, rubric=rubric) for _ in range(EXPERIMENTS)]
                same = [
                    world.experiment(evals, rubric=rubric, same=True) for _ in range(EXPERIMENTS)
                ]
                each = (time.perf_counter() - begun) / (4 * evals * EXPERIMENTS)
                hits, wrong = covered(truth, found) / EXPERIMENTS, alarms(same) / EXPERIMENTS
                print(
                    f"{kind:10}{truth:12.3f}{evals:7}{hits:9.0%}{wrong:12.0%}{each * 1e3:8.2f} ms"
                )


if __name__ == "__main__":
    main()

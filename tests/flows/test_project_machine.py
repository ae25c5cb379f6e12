"""Whatever is done to a project, and in whichever order: once it is settled, every place has one
answer and one file, and all numbers are those of the files."""

import random
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, add_skill
from tests.flows.project_truth import Truth
from tests.flows.project_workers import Process, Thread, Worker
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison, RetryWish
from whet.app.projects.wanted import retry
from whet.app.runs.service import RunService
from whet.core.errors import NotFound, UsageError
from whet.core.run import Wish
from whet.evaluate.project import Project

MOVES = (
    *("run", "retry one", "pause", "delete files", "kill", "retry failed", "run", "stop"),
    *("settle", "retry one", "kill", "delete files"),
)
MOST_AT_ONCE = 2
PATIENCE = 60.0
RUNS = 12
"""How often it is run at most until everything has an answer."""


@dataclass(frozen=True)
class Size:
    """How much there is to do, and what may happen on the way."""

    skills: int
    cases: int
    repeats: int
    troubles: dict[str, float]
    worker: type[Process] | type[Thread]

    @property
    def trials(self) -> int:
        return self.skills * self.cases * self.repeats


WHOLE = Size(5, 100, 1, {"latency_ms": 20, "crash": 0.05, "fail": 0.03}, Process)
"""What people have, with real processes and kill -9."""

SMALL = Size(2, 3, 2, {"latency_ms": 8, "crash": 0.3, "fail": 0.5}, Thread)


@dataclass
class Machine:
    """People and accidents around one project."""

    size: Size
    app: App
    project: Project
    chance: random.Random
    workers: list[Worker] = field(default_factory=list[Worker])

    def play(self, moves: Sequence[str]) -> None:
        rules: dict[str, Callable[[], None]] = {
            "run": self.run,
            "pause": lambda: self.halt("paused"),
            "stop": lambda: self.halt("stopped"),
            "kill": self.kill,
            "retry one": self.retry_one,
            "retry failed": lambda: self.retry(RetryWish(failed=True)),
            "delete files": self.delete_files,
            "settle": self.settle,
        }
        for move in moves:
            rules[move]()
        self.settle()

    def run(self) -> None:
        """Start or resume, also beside another one, and let it come some way."""
        if len(self.living()) == MOST_AT_ONCE:
            return
        share = self.chance.choice((0, 0.02, 0.1, 0.3))
        enough = self.settled() + share * self.size.trials
        self.workers.append(self.size.worker(self.app.settings.workspace, self.project.config.id))
        self.until(lambda: self.settled() >= enough or not self.living())

    def halt(self, wish: Wish) -> None:
        """Pause or stop it, if it has begun and is not at its end yet."""
        if not self.living():
            self.run()
        experiments, identity = Experiments(self.app), self.project.config.id
        with suppress(UsageError):
            RunService(self.app).ask(identity, wish)
            self.until(lambda: experiments.get(identity).status != "running")

    def kill(self) -> None:
        """Without a warning."""
        if not self.living():
            self.run()
        for worker in self.living()[:1]:
            worker.kill()

    def retry_one(self) -> None:
        """Also while it is running."""
        skill, case = (self.chance.randrange(n) for n in (self.size.skills, self.size.cases))
        self.retry(RetryWish(skill=f"Skill {skill}", case=f"case_{case + 1:03}"))

    def retry(self, wish: RetryWish) -> None:
        with suppress(NotFound):  # nothing has come that far, or nothing has failed
            retry(self.app, self.project, wish)

    def delete_files(self) -> None:
        """Somebody tidies up among the results, of which there is a summary sometimes."""
        for path in sorted(self.project.folder.glob("results/**/*.json")):
            if self.chance.random() < 0.5:
                path.unlink(missing_ok=True)

    def settle(self) -> None:
        """Let everybody come to the end, and hold it against the truth."""
        for worker in self.workers:
            worker.wait()
        self.workers.clear()
        for _ in range(RUNS):
            self.size.worker(self.app.settings.workspace, self.project.config.id).wait()
            if not self.app.store.results.counts(self.project.config.id).unanswered:
                break
        size = self.size
        Truth(self.project.folder, size.skills, size.cases, size.repeats).assert_all()

    def living(self) -> list[Worker]:
        return [worker for worker in self.workers if worker.is_alive()]

    def settled(self) -> int:
        return self.app.store.results.counts(self.project.config.id).total

    def until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end
            time.sleep(0.02)


@contextmanager
def machine(size: Size, folder: Path, seed: int) -> Generator[Machine]:
    workspace = folder / "workspace"
    names = tuple(f"Skill {number}" for number in range(size.skills))
    for number, name in enumerate(names):
        add_skill(workspace, name, text="Write a docstring. " * number)
    add_baseline(workspace, "Tests", count=size.cases)
    with app_on(workspace) as app:
        comparison = Comparison(
            name="Machine",
            skills=names,
            baselines=("Tests",),
            repeats=size.repeats,
            retries=1,
            options={"simulate": {**size.troubles}},
        )
        made = Machine(size, app, create_project(app, comparison), random.Random(seed))
        try:
            yield made
        finally:
            for worker in made.living():
                worker.kill()


def profile(examples: int) -> settings:
    """Always the same; a failure is not made smaller, which would take hours."""
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.mark.slow
@profile(examples=2)
@given(moves=st.permutations(MOVES), seed=st.integers(0, 1000))
def test_any_order_of_moves_in_small(
    tmp_path_factory: pytest.TempPathFactory, moves: list[str], seed: int
) -> None:
    with machine(SMALL, tmp_path_factory.mktemp("small"), seed) as small:
        small.play(moves)


@pytest.mark.slow
@profile(examples=2)
@given(moves=st.permutations(MOVES), seed=st.integers(0, 1000))
def test_any_order_of_moves_with_kill_9(
    tmp_path_factory: pytest.TempPathFactory, moves: list[str], seed: int
) -> None:
    with machine(WHOLE, tmp_path_factory.mktemp("whole"), seed) as whole:
        whole.play(moves)

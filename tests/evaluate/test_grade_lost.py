"""What was kept of a run and is gone costs one grade, never the whole experiment."""

import asyncio
from pathlib import Path

import pytest

from tests.evaluate.panel import Bench, case, check
from tests.run.agents import answers, runner, spec
from whet.core.grade import Grade, Judgement
from whet.core.rubric import Rubric
from whet.core.trial import TrialRecord
from whet.ports.judge import Submission
from whet.stores.memory import MemoryStore

GONE = "0" * 64


class Reader:
    """``ports.judge.Judge`` that looks at everything."""

    name = version = model = "reader"
    simulated = False

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        del rubric, seed
        submission.transcript()
        assert list(submission.outputs.values())
        raise AssertionError("there was something to read")


@pytest.fixture
def record(store: MemoryStore, tmp_path: Path) -> TrialRecord:
    run, _ = runner(store, tmp_path / "scratch", answers)
    made = asyncio.run(run(spec())).record
    assert made is not None
    return made


def failed(grade: Grade) -> str:
    assert (grade.status, grade.score) == ("failed", None)
    assert grade.error is not None
    return grade.error


def test_a_judge_that_misses_a_file(store: MemoryStore, record: TrialRecord) -> None:
    [file] = record.outputs
    lost = record.model_copy(update={"outputs": (file.model_copy(update={"digest": GONE}),)})
    assert GONE in failed(Bench(store, lost).grade(case(), Reader()))


def test_a_judge_that_misses_the_session(store: MemoryStore, record: TrialRecord) -> None:
    lost = record.model_copy(update={"session": GONE})
    assert GONE in failed(Bench(store, lost).grade(case(), Reader()))


def test_a_checker_that_misses_the_session(store: MemoryStore, record: TrialRecord) -> None:
    lost = record.model_copy(update={"session": GONE})
    assert GONE in failed(Bench(store, lost).grade(case(check(1, "passed"), rubric=None)))

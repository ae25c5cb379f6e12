"""However a run ends, nothing of it runs on."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import psutil
import pytest

from tests.engines.claude_trials import bash, claude, trial
from tests.engines.driving import SECONDS, Bench, bench, left_running, says
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Spent, Step
from whet.core.trial import TrialSpec
from whet.testing.model_server import Tokens, Turn

pytestmark = pytest.mark.slow

ENOUGH = 10.0
"""Seconds for an end that takes about one; a busy machine takes longer."""


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 (nothing here tells us)
            await asyncio.sleep(0.05)


async def _consume(steps: AsyncGenerator[Step], seen: list[Step]) -> None:
    async for step in steps:
        seen.append(step)  # noqa: PERF401 - it may be cancelled half-way


def _has(steps: list[Step], kind: type[Step]) -> bool:
    return any(isinstance(step, kind) for step in steps)


def test_cancelled_in_the_middle_of_a_command(tmp_path: Path) -> None:
    wait = Turn(text="I wait.", calls=(bash("touch begun; tail -f /dev/null"),))
    with bench(tmp_path, says(wait)) as made:
        seen = asyncio.run(_cancelled(made, trial(made, "Wait.")))
    spent = [step.usage for step in seen if isinstance(step, Spent)]
    assert spent[-1].input_tokens == 100
    assert not any(isinstance(step, Ended) for step in seen)


async def _cancelled(made: Bench, spec: TrialSpec) -> list[Step]:
    seen: list[Step] = []
    with made.workdir(spec) as workdir:
        task = asyncio.create_task(_consume(claude(made).run(spec, workdir), seen))
        await until(lambda: (workdir.work / "begun").exists() and _has(seen, Called))
        assert any("tail" in process.name() for process in left_running(workdir.root))
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < ENOUGH
        assert left_running(workdir.root) == []
    return seen


def test_the_model_never_answers_and_time_is_up(tmp_path: Path) -> None:
    begin = Turn(text="I begin.", calls=(bash("true"),), usage=Tokens(input=40, output=4))
    with bench(tmp_path, says(begin, Turn(hang=True))) as made:
        seen = asyncio.run(_timed_out(made, trial(made, "Begin.")))
    spent = [step.usage for step in seen if isinstance(step, Spent)]
    assert (spent[-1].input_tokens, spent[-1].output_tokens) == (40, 4)


async def _timed_out(made: Bench, spec: TrialSpec) -> list[Step]:
    seen: list[Step] = []
    with made.workdir(spec) as workdir:
        task = asyncio.create_task(_consume(claude(made).run(spec, workdir), seen))
        await until(lambda: len(made.server.requests) == 2 and _has(seen, Returned))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(task, 0.2)
        assert left_running(workdir.root) == []
    return seen


def test_somebody_kills_the_program(tmp_path: Path) -> None:
    begin = Turn(text="I begin.", calls=(bash("true"),))
    with bench(tmp_path, says(begin, Turn(hang=True))) as made:
        spec = trial(made, "Begin.")

        async def run() -> Ended | None:
            ended = None
            with made.workdir(spec) as workdir:
                async for step in claude(made).run(spec, workdir):
                    if isinstance(step, Returned):
                        _kill(left_running(workdir.root))
                    ended = step if isinstance(step, Ended) else None
                assert left_running(workdir.root) == []
            return ended

        ended = asyncio.run(run())
    assert ended is not None
    assert ended.failure is Failure.CRASH
    assert ended.error
    assert ended.usage.input_tokens == 100


def _kill(processes: list[psutil.Process]) -> None:
    agents = [process for process in processes if process.name() == "claude"]
    assert agents
    for process in agents:
        process.kill()

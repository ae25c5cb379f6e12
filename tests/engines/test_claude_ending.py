"""However a run ends, nothing of it runs on."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import psutil
import pytest

from tests.engines.claude_trials import KEY, bash, call, claude, greeting, trial
from tests.engines.driving import SECONDS, Bench, bench, left_running, nothing_runs, says
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


def _named(name: str, root: Path) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in left_running(root):
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [process] if process.name() == name else []
    return found


def test_cancelled_in_the_middle_of_a_command(tmp_path: Path) -> None:
    wait = Turn(text="I wait.", calls=(bash("tail -f /dev/null"),))
    with bench(tmp_path, says(wait)) as made:
        seen = asyncio.run(_cancelled(made, trial(made, "Wait.")))
    spent = [step.usage for step in seen if isinstance(step, Spent)]
    assert spent[-1].input_tokens == 100
    assert not any(isinstance(step, Ended) for step in seen)


async def _cancelled(made: Bench, spec: TrialSpec) -> list[Step]:
    seen: list[Step] = []
    with made.workdir(spec) as workdir:
        task = asyncio.create_task(_consume(claude(made).run(spec, workdir), seen))
        await until(lambda: _has(seen, Called) and bool(_named("tail", workdir.root)))
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < ENOUGH
        assert nothing_runs(workdir.root)
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
        assert nothing_runs(workdir.root)
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
                        agents = _named("claude", workdir.root)
                        assert agents
                        for process in agents:
                            process.kill()
                    ended = step if isinstance(step, Ended) else None
                assert nothing_runs(workdir.root)
            return ended

        ended = asyncio.run(run())
    assert ended is not None
    assert ended.failure is Failure.CRASH
    assert ended.error
    assert ended.usage.input_tokens == 100


def test_a_trial_whose_time_is_up_has_that_for_its_answer(tmp_path: Path) -> None:
    with bench(tmp_path, says(Turn(hang=True))) as made:
        spec = trial(made, "Begin.")
        limits = spec.stimulus.limits.model_copy(update={"timeout_seconds": 3.0})
        hurried = spec.stimulus.model_copy(update={"limits": limits})
        handled = made.settle(claude(made), spec.model_copy(update={"stimulus": hurried}))
        assert nothing_runs(made.scratch_root)
    assert handled.error is None
    assert handled.record is not None
    assert handled.record.failure is Failure.TIMEOUT
    assert handled.record.error == "not done within 3 s"


def test_a_trial_has_everything_in_its_record_but_the_secrets(tmp_path: Path) -> None:
    steal = bash("printenv ANTHROPIC_API_KEY | tee key.txt")
    loads = call("Skill", skill="greet")
    with bench(tmp_path, says(Turn(calls=(loads, steal)), f"The key is {KEY}.")) as made:
        handled = made.settle(claude(made), trial(made, "Tell.", skill=greeting(made)))
        record = handled.record
        assert record is not None, handled
        session = made.store.blobs.get(record.session).decode()
        outputs = {file.path: made.store.blobs.get(file.digest) for file in record.outputs}
    assert record.status == "completed"
    assert record.skills_used == ("greet",)
    assert record.usage.input_tokens == 200
    assert record.engine == "claude"
    assert set(outputs) == {"key.txt"}
    assert KEY not in session + record.answer + outputs["key.txt"].decode()

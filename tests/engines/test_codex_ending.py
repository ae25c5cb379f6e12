"""However a run ends, nothing of it runs on; and runs side by side never meet."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import psutil
import pytest

from tests.engines.codex_trials import GREET, body, codex, greeting, shell, trial
from tests.engines.driving import SECONDS, Bench, bench, left_running, nothing_runs, says
from whet.core.failure import Failure
from whet.core.step import Ended, Returned, Spent, Step
from whet.core.trial import TrialSpec
from whet.testing.model_server import Conversation, Script, Tokens, Turn

pytestmark = pytest.mark.slow

ENOUGH = 10.0
"""Seconds for an end that takes about one; a busy machine takes longer."""

MODELS = ("gpt-5.5", "gpt-6-astra", "gpt-6-luna", "gpt-5.6-sol", "own-one", "own-two")


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 - nothing here tells us
            await asyncio.sleep(0.05)


async def _consume(steps: AsyncGenerator[Step], seen: list[Step]) -> None:
    async for step in steps:
        seen.append(step)  # noqa: PERF401 - it may be cancelled half-way


def test_cancelled_in_the_middle_of_a_command(tmp_path: Path) -> None:
    wait = Turn(text="I wait.", calls=(shell("touch begun; tail -f /dev/null"),))
    with bench(tmp_path, says(wait)) as made:
        seen = asyncio.run(_cancelled(made, trial(made, "Wait.")))
    spent = [step.usage for step in seen if isinstance(step, Spent)]
    assert spent[-1].input_tokens == 100
    assert not any(isinstance(step, Ended) for step in seen)


async def _cancelled(made: Bench, spec: TrialSpec) -> list[Step]:
    seen: list[Step] = []
    with made.workdir(spec) as workdir:
        task = asyncio.create_task(_consume(codex(made).run(spec, workdir), seen))
        await until(lambda: (workdir.work / "begun").exists() or task.done())
        await until(lambda: any(isinstance(step, Spent) for step in seen) or task.done())
        assert any("tail" in process.name() for process in left_running(workdir.root))
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < ENOUGH
        assert nothing_runs(workdir.root)
    return seen


def test_the_model_never_answers_and_time_is_up(tmp_path: Path) -> None:
    begin = Turn(text="I begin.", calls=(shell("true"),), usage=Tokens(input=40, output=4))
    seen: list[Step] = []
    with bench(tmp_path, says(begin, Turn(hang=True))) as made:
        spec = trial(made, "Begin.")

        async def run() -> None:
            with made.workdir(spec) as workdir:
                with pytest.raises(TimeoutError):
                    await _out_of_time(made, codex(made).run(spec, workdir), seen)
                assert nothing_runs(workdir.root)

        asyncio.run(run())
    spent = [step.usage for step in seen if isinstance(step, Spent)]
    assert (spent[-1].input_tokens, spent[-1].output_tokens) == (40, 4)


async def _out_of_time(made: Bench, steps: AsyncGenerator[Step], seen: list[Step]) -> None:
    """The time is up soon after the model was asked what it never answers."""
    async with asyncio.timeout(None) as timer:
        async for step in steps:
            seen.append(step)
            if isinstance(step, Returned):
                await asyncio.to_thread(made.server.wait_for, 2, SECONDS)
                timer.reschedule(asyncio.get_running_loop().time() + 0.2)


def test_somebody_kills_the_program(tmp_path: Path) -> None:
    begin = Turn(text="I begin.", calls=(shell("true"),))
    with bench(tmp_path, says(begin, Turn(hang=True))) as made:
        spec = trial(made, "Begin.")

        async def run() -> Ended | None:
            ended = None
            with made.workdir(spec) as workdir:
                async for step in codex(made).run(spec, workdir):
                    if isinstance(step, Returned):
                        _kill(left_running(workdir.root))
                    ended = step if isinstance(step, Ended) else None
                assert nothing_runs(workdir.root)
            return ended

        ended = asyncio.run(run())
    assert ended is not None
    assert ended.failure is Failure.CRASH
    assert ended.error
    assert ended.usage.input_tokens == 100


def _kill(processes: list[psutil.Process]) -> None:
    agents = [process for process in processes if process.name() == "codex"]
    assert agents
    for process in agents:
        process.kill()


def test_six_side_by_side_never_meet(tmp_path: Path) -> None:
    script = Script(
        conversations=tuple(
            Conversation(
                marker=f"T-{model}.",
                turns=(
                    Turn(calls=(shell(f"echo {model} > mine; cat $CODEX_HOME/config.toml"),)),
                    Turn(text=f"I am {model}."),
                ),
            )
            for model in MODELS
        )
    )
    with bench(tmp_path, script) as made:
        specs = [
            trial(
                made,
                f"Be T-{model}.",
                model=model,
                skill=greeting(made, GREET.replace("Zanzibar", f"S-{model}.")),
            )
            for model in MODELS
        ]

        async def all_of_them() -> list[str]:
            runs = await asyncio.gather(*(made.driven(codex(made), spec) for spec in specs))
            assert [run.outputs["mine"].decode().strip() for run in runs] == list(MODELS)
            return [run.ended.answer for run in runs]

        assert asyncio.run(all_of_them()) == [f"I am {model}." for model in MODELS]
        for model in MODELS:
            requests = made.server.requests_for(f"T-{model}.")
            assert len(requests) == 2
            for request in requests:
                text = (request.body or b"").decode()
                assert body(request)["model"] == model
                assert [other for other in MODELS if f"S-{other}." in text] == [model]

"""Delays and failures on demand."""

import asyncio
import time
from pathlib import Path

import psutil
import pytest
from pydantic import JsonValue

from tests.engines.simulation import execute, lay_out, spec
from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.engines.simulated import SimulatedEngine


def outcomes(simulate: JsonValue, attempts: int = 60) -> list[bool]:
    """Whether each attempt came to an end without failure."""

    async def one(attempt: int) -> bool:
        try:
            trace = await execute(spec(attempt=attempt, simulate=simulate))
        except EngineFailure:
            return False
        return trace.end.failure is None

    async def every() -> list[bool]:
        return [await one(attempt) for attempt in range(1, attempts + 1)]

    return asyncio.run(every())


@pytest.mark.parametrize("knob", ["fail", "crash", "rate_limit"])
def test_a_trouble_strikes_at_its_rate(knob: str) -> None:
    assert 10 < sum(outcomes({knob: 0.4})) < 55
    assert not any(outcomes({knob: 1}, 5))
    assert all(outcomes({knob: 0}, 5))


def test_a_limit_of_the_agent_is_an_answer() -> None:
    trial = spec(simulate={"fail": 1, "fail_kind": "refusal"})
    end = asyncio.run(execute(trial)).end
    assert (end.failure, end.error) == (Failure.REFUSAL, "simulated refusal")
    assert end.usage.output_tokens > 0


@pytest.mark.parametrize(
    ("knob", "kind"), [("crash", Failure.CRASH), ("rate_limit", Failure.RATE_LIMIT)]
)
def test_a_failure_names_its_kind(knob: str, kind: Failure) -> None:
    with pytest.raises(EngineFailure) as caught:
        asyncio.run(execute(spec(simulate={knob: 1})))
    assert caught.value.kind is kind


def test_a_retry_in_another_folder_may_succeed_and_a_repeat_does_not(tmp_path: Path) -> None:
    async def crashes(folder: str) -> bool:
        workdir = lay_out(tmp_path / folder, None, {})
        try:
            async for _ in SimulatedEngine().run(spec(simulate={"crash": 0.5}), workdir):
                pass
        except EngineFailure:
            return True
        return False

    async def both() -> tuple[list[bool], list[bool]]:
        names = [f"{place}/execution-{n}" for place in "ab" for n in range(12)]
        drawn = [await crashes(name) for name in names]
        return drawn[:12], drawn[12:]

    first, second = asyncio.run(both())
    assert len(set(first)) == 2
    assert first == second


def test_latency_is_the_time_of_the_whole_trial() -> None:
    begun = time.monotonic()
    asyncio.run(execute(spec(simulate={"latency_ms": 200})))
    assert 0.2 <= time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("simulate", "message"),
    [
        ({"crash": 2}, "options.simulate.crash: "),
        ({"carsh": 1}, "options.simulate.carsh: "),
        ({"fail_kind": "crash"}, "options.simulate.fail_kind: "),
        ("often", "options.simulate: "),
    ],
)
def test_bad_options_are_refused_in_one_line(simulate: JsonValue, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        asyncio.run(execute(spec(simulate=simulate)))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def sleepers() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if child.name() == "sleep"]


def test_a_hanging_agent_is_cancelled_and_leaves_no_process(tmp_path: Path) -> None:
    workdir = lay_out(tmp_path / "execution", None, {})

    async def consume() -> None:
        async for _ in SimulatedEngine().run(spec(simulate={"hang": 1}), workdir):
            pass

    async def cancel_it() -> None:
        task = asyncio.create_task(consume())
        async with asyncio.timeout(10):
            while not sleepers():  # noqa: ASYNC110 (nothing tells us)
                await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel_it())
    assert sleepers() == []


def test_an_agent_nobody_listens_to_any_more_stops(tmp_path: Path) -> None:
    workdir = lay_out(tmp_path / "execution", None, {})

    async def leave_early() -> None:
        steps = SimulatedEngine().run(spec(), workdir)
        await anext(steps)
        await steps.aclose()

    asyncio.run(leave_early())
    assert list(workdir.work.iterdir()) == []

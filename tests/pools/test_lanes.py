"""Lanes: never too many at once, never one in another's way, never the whole plan in memory."""

import asyncio
from collections.abc import Iterator
from itertools import chain

import pytest

from tests.pools.trials import DONE, HELD, Desk, name, running, settle, spec, specs
from whet.core.budget import Budget, Purse
from whet.core.trial import TrialSpec
from whet.pools.local import HELD_SECONDS, LOOK_AHEAD, LocalPool
from whet.ports.pool import Handled


@pytest.mark.parametrize("width", [1, 3, 8])
def test_a_lane_is_never_wider_than_it_may_be_and_as_wide_as_it_can(width: int) -> None:
    desk = Desk()
    plan = chain(specs(30, "left"), specs(30, "right"))
    settled = asyncio.run(settle(desk, plan, width))
    assert len(settled) == 60
    assert desk.busiest == {"left": width, "right": width}


def test_a_full_lane_does_not_stop_another() -> None:
    async def work() -> list[str]:
        desk = Desk(gates={"stuck": asyncio.Event()})
        plan = chain(specs(20, "stuck"), specs(20, "free"))
        async with running(desk, plan, width=2) as settled:
            free = [await anext(settled) for _ in range(20)]
            desk.gates["stuck"].set()
            return [spec.model for spec, _ in free] + [spec.model async for spec, _ in settled]

    assert asyncio.run(work()) == ["free"] * 20 + ["stuck"] * 20


def test_results_come_as_they_are_ready() -> None:
    async def work() -> list[str]:
        desk = Desk(gates={"0": asyncio.Event()})
        async with running(desk, specs(3)) as settled:
            first = [name(await anext(settled)) for _ in range(2)]
            desk.gates["0"].set()
            return [*first, *[name(each) async for each in settled]]

    assert asyncio.run(work()) == ["1", "2", "0"]


def test_a_long_plan_is_read_only_as_lanes_have_room() -> None:
    pulled = 0

    def plan() -> Iterator[TrialSpec]:
        nonlocal pulled
        for each in specs(100_000):
            pulled += 1
            yield each

    async def work() -> list[int]:
        ahead: list[int] = []
        desk = Desk()
        async with running(desk, plan(), width=8) as settled:
            async for _ in settled:
                ahead.append(pulled - len(desk.started))
                if len(ahead) == 600:
                    break
        return ahead

    ahead = asyncio.run(work())
    assert max(ahead) <= LOOK_AHEAD
    assert pulled < 600 + LOOK_AHEAD + 2 * 8


def test_after_a_halt_what_is_under_way_is_settled_and_nothing_else_begins() -> None:
    async def work() -> tuple[list[str], list[str]]:
        desk = Desk(answers={"2": [HELD]}, gates={"1": asyncio.Event()})
        purse = Purse(Budget())
        found: list[str] = []
        async with asyncio.timeout(20):
            async for each in LocalPool(desk, 2).run(specs(1000), purse):
                found.append(name(each))
                if len(found) == 3:
                    purse.halt()
                    desk.gates["1"].set()
        return found, desk.cleaned_up

    found, cleaned_up = asyncio.run(work())
    assert 3 < len(found) <= 5
    assert "1" in found
    assert sorted({*found, "2"}) == sorted({*cleaned_up})


def test_a_plan_without_trials_is_done() -> None:
    assert asyncio.run(settle(Desk(), [])) == []


def test_a_trial_that_another_process_is_at_is_asked_for_again_after_all_others() -> None:
    desk = Desk(answers={"0": [HELD, HELD, DONE], "1": [HELD, DONE]})
    settled = asyncio.run(settle(desk, specs(12), width=2))
    assert [name(each) for each in settled[:10]] == [str(number) for number in range(2, 12)]
    assert sorted(map(name, settled[10:])) == ["0", "1"]
    assert all(handled.settled for _, handled in settled)
    assert desk.started.count("0") == 3
    assert desk.busiest["m"] <= 2


def test_a_held_trial_is_left_alone_for_a_while_between_two_questions() -> None:
    """Otherwise waiting for another process would cost more than its work."""

    async def work() -> int:
        desk = Desk(answers={"0": [HELD] * 10_000})
        async with running(desk, specs(1)) as settled:
            asking = asyncio.ensure_future(anext(settled))
            await asyncio.sleep(4 * HELD_SECONDS)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        return len(desk.started)

    assert asyncio.run(work()) <= 6


def test_a_held_trial_is_asked_for_again_while_others_still_run() -> None:
    async def work() -> str:
        desk = Desk(answers={"held": [HELD, DONE]}, gates={"long": asyncio.Event()})
        async with running(desk, [spec("long"), spec("held")]) as settled:
            first = name(await anext(settled))
            desk.gates["long"].set()
        return first

    assert asyncio.run(work()) == "held"


def test_closing_ends_what_runs_and_waits_for_it() -> None:
    async def work() -> Desk:
        desk = Desk(gates={str(number): asyncio.Event() for number in range(1, 10)})
        async with running(desk, specs(10), width=4) as settled:
            await anext(settled)
            await asyncio.sleep(0.01)
        return desk

    desk = asyncio.run(work())
    assert sorted(desk.started) == sorted(desk.cleaned_up)
    assert len(desk.started) >= 4
    assert desk.busy["m"] == 0


def test_cancelling_whoever_waits_ends_what_runs_and_waits_for_it() -> None:
    async def work() -> Desk:
        desk = Desk(gates={"m": asyncio.Event()})
        task = asyncio.create_task(settle(desk, specs(10), width=4))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return desk

    desk = asyncio.run(work())
    assert len(desk.started) == len(desk.cleaned_up) == 4


def test_a_bug_in_the_handler_comes_out_and_ends_the_others() -> None:
    class Broken(Desk):
        async def __call__(self, trial: TrialSpec) -> Handled:
            await super().__call__(trial)
            raise ZeroDivisionError("a bug")

    desk = Broken(gates={str(number): asyncio.Event() for number in range(1, 4)})
    with pytest.raises(ZeroDivisionError):
        asyncio.run(settle(desk, specs(4)))
    assert sorted(desk.cleaned_up) == sorted(desk.started) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("length", [3, LOOK_AHEAD + 3])
def test_a_bug_in_the_plan_comes_out_and_ends_what_runs(length: int) -> None:
    def plan() -> Iterator[TrialSpec]:
        yield from specs(length)
        raise ZeroDivisionError("a bug")

    desk = Desk()
    with pytest.raises(ZeroDivisionError):
        asyncio.run(settle(desk, plan()))
    assert sorted(desk.cleaned_up) == sorted(desk.started)

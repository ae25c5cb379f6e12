"""Cancelled at any moment, a trial leaves no claim behind, and a later run begins anew."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.run.agents import Waiting, answers, files, now, runner, spec
from whet.app.clock import SystemClock
from whet.core.errors import EnvironmentProblem
from whet.core.execution import Outcome
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.ports.pool import Handled
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner
from whet.run.workdir import Scratch
from whet.stores.group_commit import LARGEST_GROUP
from whet.stores.sql import SqlStore


async def cancelled_after(turns: int, run: TrialRunner, prompt: str) -> Handled | None:
    """Start a trial, let the loop turn so many times, cancel, and wait for the end."""
    task = asyncio.create_task(run(spec(prompt)))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    [result] = await asyncio.gather(task, return_exceptions=True)
    return result if isinstance(result, Handled) else None


def test_a_cancelled_execution_is_closed_as_such(store: Store, scratch: Path) -> None:
    async def work() -> Handled:
        script = Waiting()
        run, _ = runner(store, scratch, script, answers)
        task = asyncio.create_task(run(spec()))
        await script.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert script.cleaned_up == [spec().address]
        assert folders() == []
        [execution] = store.ledger.executions(spec().address)
        assert execution.outcome is Outcome.CANCELLED
        assert execution.ended_at is not None
        assert store.ledger.record(spec().address) is None
        return await run(spec())

    def folders() -> list[Path]:
        return list(scratch.iterdir())

    later = asyncio.run(work())
    assert later.record is not None
    assert later.executions == 1
    outcomes = Counter(e.outcome for e in store.ledger.executions(spec().address))
    assert outcomes == {Outcome.CANCELLED: 1, Outcome.ANSWERED: 1}


def test_cancelled_at_any_turn_of_the_loop_it_leaves_no_claim(store: Store, scratch: Path) -> None:
    """While claiming, while running, while being recorded: tried at each moment of a trial."""

    async def work() -> list[str]:
        run, agent = runner(store, scratch, answers)
        ends: list[str] = []
        for turns in range(40):
            prompt = f"after {turns}"
            done = await cancelled_after(turns, run, prompt)
            open_claims = [
                e for e in store.ledger.executions(spec(prompt).address) if e.outcome is None
            ]
            assert open_claims == [], f"a claim was left open, cancelled after {turns} turns"
            ends.append("done" if done else "cancelled")
            async with asyncio.timeout(10):
                assert (await run(spec(prompt))).record is not None
        assert Counter(agent.starts).most_common(1)[0][1] <= 2
        return ends

    ends = asyncio.run(work())
    assert ends[0] == "cancelled"
    assert ends[-1] == "done", "the loop turned too rarely to see a whole trial"
    assert ends == sorted(ends), "once a trial can end, it ends"


def test_cancelled_while_its_record_is_written_the_record_stands(
    store: Store, scratch: Path
) -> None:
    """What has been paid for is not thrown away."""

    async def work() -> tuple[int, int]:
        run, agent = runner(store, scratch, answers)
        kept = lost = 0
        for turns in range(40):
            prompt = f"after {turns}"
            done = await cancelled_after(turns, run, prompt)
            outcomes = [e.outcome for e in store.ledger.executions(spec(prompt).address)]
            recorded = store.ledger.record(spec(prompt).address) is not None
            assert recorded == (Outcome.ANSWERED in outcomes)
            kept += recorded and done is None
            lost += done is not None and not recorded
        assert agent.starts
        return kept, lost

    kept, lost = asyncio.run(work())
    assert kept >= 1
    assert lost == 0


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 8])
def test_many_cancelled_at_once_leave_nothing(store: Store, scratch: Path, turns: int) -> None:
    """As when a person presses Ctrl-C; some claims are then made and some only asked for."""
    prompts = [str(number) for number in range(LARGEST_GROUP + 40)]

    async def work(run: TrialRunner) -> None:
        await asyncio.gather(*(cancelled_after(turns, run, prompt) for prompt in prompts))

    run, _ = runner(store, scratch, answers)
    asyncio.run(work(run))
    left = [
        execution
        for prompt in prompts
        for execution in store.ledger.executions(spec(prompt).address)
        if execution.outcome is None
    ]
    assert left == []
    assert list(scratch.iterdir()) == []


def test_a_bug_of_ours_leaves_no_claim_either(store: Store, scratch: Path) -> None:
    """The process may live on, as a server does, and must not hold the trial for ever."""

    class BrokenBlobs:
        def put(self, data: bytes) -> str:
            raise ZeroDivisionError(len(data))

        def get(self, digest: str) -> bytes:
            raise ZeroDivisionError(digest)

        def has(self, digest: str) -> bool:
            raise ZeroDivisionError(digest)

    healthy, _ = runner(store, scratch, answers)
    broken = replace(healthy, scratch=Scratch(scratch / "broken", BrokenBlobs()))
    trial = spec(given=files({"in.txt": b"in"}, store.blobs))
    with pytest.raises(ZeroDivisionError):
        asyncio.run(broken(trial))
    [execution] = store.ledger.executions(trial.address)
    assert execution.outcome is Outcome.FAILED
    assert asyncio.run(healthy(trial)).record is not None


def test_a_record_that_cannot_be_kept_leaves_no_claim(tmp_path: Path, scratch: Path) -> None:
    """As when the disk is full; with room again, the trial can be run again."""

    async def writes_much(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        (workdir.work / "large").write_bytes(b"x" * 500_000)
        yield Ended(now(), "done")

    store = SqlStore(tmp_path / "store", lambda _owner: True, SystemClock())
    run, _ = runner(store, scratch, writes_much)
    (tmp_path / "store" / "blobs").write_text("in the way")
    handled = asyncio.run(run(spec()))
    assert isinstance(handled.error, EnvironmentProblem)
    [execution] = store.ledger.executions(spec().address)
    assert execution.outcome is Outcome.FAILED
    (tmp_path / "store" / "blobs").unlink()
    assert asyncio.run(run(spec())).record is not None
    store.close()

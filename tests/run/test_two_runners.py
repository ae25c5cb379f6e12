"""Two runners want the same trials: each is executed once, and both learn the answer."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

from tests.run.agents import ScriptedAgent, now, runner, spec
from whet.app.clock import SystemClock
from whet.core.budget import Budget, Purse
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.pools.local import LocalPool
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner
from whet.stores.memory import MemoryStore
from whet.stores.sql import SqlStore

TRIALS = 30


async def takes_its_time(spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    await asyncio.sleep(0.005)
    yield Ended(now(), spec.stimulus.prompt)


async def settle_all(run: TrialRunner) -> list[str]:
    """Every trial through a pool, and what each was answered."""
    specs = [spec(str(number)) for number in range(TRIALS)]
    settled = LocalPool(run, width=4).run(specs, Purse(Budget()))
    return [handled.record.answer async for _, handled in settled if handled.record]


def share(one: Store, two: Store, folder: Path) -> tuple[list[ScriptedAgent], list[list[str]]]:
    """Two threads, each with a loop, a runner and an agent of its own."""
    agents: list[ScriptedAgent] = []
    answers: list[list[str]] = []
    together = Barrier(2)

    def work(run: TrialRunner) -> None:
        together.wait()
        answers.append(asyncio.run(settle_all(run)))

    threads: list[Thread] = []
    for name, store in (("one", one), ("two", two)):
        run, agent = runner(store, folder / name, takes_its_time, owner=name)
        agents.append(agent)
        threads.append(Thread(target=partial(work, run)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return agents, answers


def assert_shared(agents: list[ScriptedAgent], answers: list[list[str]]) -> None:
    starts = Counter(address for agent in agents for address in agent.starts)
    assert len(starts) == TRIALS
    assert set(starts.values()) == {1}
    assert all(agent.starts for agent in agents), "one of them had nothing to do"
    everything = sorted(map(str, range(TRIALS)))
    assert [sorted(each) for each in answers] == [everything, everything]


def test_in_one_store(tmp_path: Path) -> None:
    memory = MemoryStore(lambda _owner: True, SystemClock())
    assert_shared(*share(memory, memory, tmp_path))


def test_by_two_connections_to_one_database(tmp_path: Path) -> None:
    one, two = (SqlStore(tmp_path / "store", lambda _o: True, SystemClock()) for _ in range(2))
    assert_shared(*share(one, two, tmp_path))
    one.close()
    two.close()

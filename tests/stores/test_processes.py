"""Several processes on one store, and what is left of one that is killed."""

from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.stores.postgres_server import Server
from tests.stores.processes import programs
from whet.app.clock import SystemClock
from whet.core.execution import Execution, Outcome
from whet.stores.owners import Owner, is_alive
from whet.stores.sql import SqlStore
from whet.testing.store import execution

OPEN = """
import pathlib, sys
from functools import partial
from whet.app.clock import SystemClock
from whet.core.execution import Execution
from whet.stores.owners import Owner, is_alive
from whet.stores.sql import SqlStore
from whet.testing.store import closed, execution, record

folder, url = pathlib.Path(sys.argv[1]), sys.argv[2] or None
owner = Owner(folder / "owners")
store = SqlStore(folder, partial(is_alive, folder / "owners"), SystemClock(), url)

def mine(address):
    claim = execution(1, address, owner.id)
    return claim.model_copy(update={"id": f"{owner.id}-{address}"})
"""

CLAIM_ALL = (
    OPEN
    + """
print("ready", flush=True)
sys.stdin.readline()
count, first = int(sys.argv[3]), int(sys.argv[4])
for number in [*range(first, count), *range(first)]:
    if isinstance(store.ledger.claim(mine(str(number))), Execution):
        print(number, flush=True)
print("done", flush=True)
sys.stdin.readline()
"""
)

CLAIM_AND_HANG = OPEN + "store.ledger.claim(mine('a')); print(owner.id, flush=True); input()"

DIE_BEFORE_THE_COMMIT = (
    OPEN
    + """
with store.transaction():
    claim = mine("a")
    store.ledger.claim(claim)
    print(store.blobs.put(b"large" * 100_000), store.blobs.put(b"small"), flush=True)
    store.ledger.close(closed(claim), record(claim))
    store.events.append("tick", "s", {})
    print("inside", flush=True)
    input()
"""
)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """Empty for the file in the workspace."""
    if request.param == "sqlite":
        return ""
    server: Server = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture
def store(tmp_path: Path, url: str) -> Generator[SqlStore]:
    alive = partial(is_alive, tmp_path / "owners")
    store = SqlStore(tmp_path, alive, SystemClock(), url or None)
    with closing(store):
        yield store


@pytest.mark.slow
def test_each_claim_is_granted_to_one_process(tmp_path: Path, url: str, store: SqlStore) -> None:
    addresses = 150
    with programs(
        CLAIM_ALL, *((tmp_path, url, addresses, first) for first in (0, 50, 100))
    ) as three:
        assert [program.line() for program in three] == ["ready"] * 3
        for program in three:
            program.go()
        granted = [address for program in three for address in iter(program.line, "done")]
        assert sorted(granted, key=int) == [str(number) for number in range(addresses)]
        with Owner(tmp_path / "owners") as owner:
            assert store.ledger.claim(execution(1, "0", owner.id)) is None


@pytest.mark.slow
def test_the_claim_of_a_killed_process_is_free_at_once(
    tmp_path: Path, url: str, store: SqlStore
) -> None:
    with (
        programs(CLAIM_AND_HANG, (tmp_path, url)) as [program],
        Owner(tmp_path / "owners") as owner,
    ):
        dead = program.line()
        mine = execution(2, "a", owner.id)
        assert store.ledger.claim(mine) is None
        program.kill()
        assert isinstance(store.ledger.claim(mine), Execution)
    outcomes = {found.owner: found.outcome for found in store.ledger.executions("a")}
    assert outcomes == {dead: Outcome.ABANDONED, owner.id: None}


@pytest.mark.slow
def test_a_transaction_that_was_killed_never_was(tmp_path: Path, url: str, store: SqlStore) -> None:
    """Also when the file of a large blob is there already."""
    with programs(DIE_BEFORE_THE_COMMIT, (tmp_path, url)) as [program]:
        large, small = program.line().split()
        assert program.line() == "inside"
        program.kill()
    assert store.ledger.record("a") is None
    assert store.ledger.executions("a") == []
    assert store.events.last() == 0
    assert not store.blobs.has(small)
    assert store.blobs.put(b"large" * 100_000) == large
    assert store.blobs.get(large) == b"large" * 100_000
    mine = execution(1)
    assert store.ledger.claim(mine) == mine

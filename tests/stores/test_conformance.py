"""Every store keeps every promise."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.stores.postgres_server import Server
from whet.app.clock import SystemClock
from whet.ports.store import Store
from whet.stores.memory import MemoryStore
from whet.stores.sql import SqlStore
from whet.testing.store import CHECKS, Living, check_store


@contextmanager
def memory(living: Living) -> Generator[Store]:
    yield MemoryStore(lambda owner: owner in living, SystemClock())


@contextmanager
def sql(folder: Path, living: Living, url: str | None = None) -> Generator[Store]:
    store = SqlStore(folder, lambda owner: owner in living, SystemClock(), url)
    with closing(store):
        yield store


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_store(
    kind: str,
    check: Callable[[Store, Living], None],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    living = {"me", "other"}
    match kind:
        case "memory":
            made = memory(living)
        case "sqlite":
            made = sql(tmp_path, living)
        case _:
            server: Server = request.getfixturevalue("postgres")
            made = sql(tmp_path, living, server.fresh())
    with made as store:
        check(store, living)


def test_the_suite_finds_a_broken_store() -> None:
    """A store that thinks everybody dead gives claims out twice."""

    @contextmanager
    def broken(_living: Living) -> Generator[Store]:
        yield MemoryStore(lambda _owner: False, SystemClock())

    with pytest.raises(AssertionError):
        check_store(broken)


def test_the_whole_suite_runs_for_an_implementer() -> None:
    check_store(memory)


def test_a_store_survives_its_process(tmp_path: Path) -> None:
    """What one instance committed, the next one reads."""
    make = partial(sql, tmp_path)
    with make({"me"}) as store:
        store.events.append("tick", "s", {})
        digest = store.blobs.put(b"x" * 500_000)
    with make({"me"}) as store:
        assert store.events.last() == 1
        assert len(store.blobs.get(digest)) == 500_000

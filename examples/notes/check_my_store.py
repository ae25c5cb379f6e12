from collections.abc import Generator
from contextlib import contextmanager

from whet.app.clock import SystemClock
from whet.ports.store import Store
from whet.stores.memory import MemoryStore
from whet.testing.store import Living, check_store


@contextmanager
def make(living: Living) -> Generator[Store]:
    yield MemoryStore(lambda owner: owner in living, SystemClock())


check_store(make)

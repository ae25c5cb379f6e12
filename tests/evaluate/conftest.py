from pathlib import Path

import pytest

from tests.evaluate.judges import Laboratory
from whet.app.clock import SystemClock
from whet.stores.memory import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(lambda _owner: True, SystemClock())


@pytest.fixture
def laboratory(store: MemoryStore, tmp_path: Path) -> Laboratory:
    for content in ("same", "other"):
        store.blobs.put(content.encode())
    return Laboratory(store, tmp_path)

from collections.abc import Generator
from pathlib import Path

import pytest

from whet.app.clock import SystemClock
from whet.ports.store import Store
from whet.stores.memory import MemoryStore
from whet.stores.sql import SqlStore


@pytest.fixture(params=["memory", "sql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    """Both stores; every owner is alive."""
    made: Store = (
        MemoryStore(lambda _owner: True, SystemClock())
        if request.param == "memory"
        else SqlStore(tmp_path / "store", lambda _owner: True, SystemClock())
    )
    yield made
    made.close()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Where scratch folders may be made; not there yet."""
    return tmp_path / "scratch"

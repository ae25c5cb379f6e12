"""An index over an empty workspace."""

from collections.abc import Generator
from pathlib import Path

import pytest

from whet.stores.index import FileIndex


@pytest.fixture
def index(tmp_path: Path) -> Generator[FileIndex]:
    index = FileIndex(tmp_path)
    yield index
    index.close()

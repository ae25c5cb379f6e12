"""Libraries on a fresh workspace."""

from collections.abc import Generator
from pathlib import Path

import pytest

from whet.app.library.library import Library, library


@pytest.fixture
def skills(tmp_path: Path) -> Generator[Library]:
    with library(tmp_path / "workspace", "skill") as made:
        yield made


@pytest.fixture
def baselines(tmp_path: Path) -> Generator[Library]:
    with library(tmp_path / "workspace", "baseline") as made:
        yield made

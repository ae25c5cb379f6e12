"""Packages of a fresh workspace."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.app.packages.making import ENGINES
from whet.app.packages.packages import Packages, packages


@pytest.fixture
def shelf(tmp_path: Path) -> Generator[Packages]:
    with packages(tmp_path / "workspace", ENGINES) as made:
        yield made

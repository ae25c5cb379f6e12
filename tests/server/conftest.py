"""A server on an empty workspace."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.server.calling import Caller, caller


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """The workspace that ``call`` is about."""
    return tmp_path / "workspace"


@pytest.fixture
def call(shelf: Path, tmp_path: Path) -> Generator[Caller]:
    """Ask it; receivers of tests listen on this machine."""
    home = str(tmp_path / "home")
    with caller(shelf, HOME=home, WHET_OUTBOUND_HOSTS="127.0.0.1:*") as made:
        yield made

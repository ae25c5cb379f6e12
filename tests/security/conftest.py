"""How the tests of this folder start the command."""

from collections.abc import Generator

import pytest

from tests.flows.command import Starting


@pytest.fixture(scope="package", autouse=True)
def forked_commands() -> Generator[None]:
    """Start commands without importing whet anew each time: they are many."""
    Starting.is_forked = True
    yield
    Starting.is_forked = False

"""The order of all tests, and what many of them share."""

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.stores.postgres_server import Server, postgres_server

# A shell that ignores a signal, as `nohup` and a job in the background do, hands that on to every
# program that a test starts; tests are about programs as people start them.
for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        usual = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
        signal.signal(_number, usual)

# What tests agree to is nobody's consent.
os.environ["WHET_CONFIG_DIR"] = tempfile.mkdtemp(prefix="whet-tests-")
atexit.register(shutil.rmtree, os.environ["WHET_CONFIG_DIR"], ignore_errors=True)

settings.register_profile("whole", deadline=None)
"""For `make test`: as many examples as hypothesis tries by itself. Its deadline of 0.2 s for each
measures how busy the machine is; a test that hangs is ended by its time limit."""

settings.register_profile("quick", max_examples=20, deadline=None)
"""For `make check`."""

settings.load_profile("whole")

AGENTS = ("agents", "claude", "codex", "gemini", "opencode")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Real agents go last: each takes a whole core, and the tests that hold an end to its two
    seconds would measure them instead."""
    items.sort(key=_is_of_an_agent)


def _is_of_an_agent(item: pytest.Item) -> bool:
    path = item.path
    return path.parent.name == "engines" and path.stem.startswith(
        tuple(f"test_{name}_" for name in AGENTS)
    )


@pytest.fixture(scope="session")
def postgres() -> Generator[Server]:
    """A real PostgreSQL, started when the first test wants it."""
    with postgres_server() as server:
        yield server

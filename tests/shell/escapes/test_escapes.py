"""A hostile agent gets at nothing that the table does not tell of, as root or as anybody."""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.shell.children import PATH
from tests.shell.escapes.agent import ATTEMPTS
from tests.shell.escapes.shared import GIVEN
from tests.shell.sandboxes import needs
from tests.shell.test_unprivileged import as_nobody, python
from whet.shell.policy import Sandbox
from whet.shell.strength import TABLE, Row, explain, hold

__all__ = ["python"]

WORST = ("held", "limited", "open")
ROWS = {row.attempt: row for row in TABLE}
LEVELS = pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
USERS = pytest.mark.parametrize("user", ["ourselves", "nobody"])
NAMES = pytest.mark.parametrize(
    "name", [one.name for one in ATTEMPTS.values() if one.kind != GIVEN]
)
DOCUMENT = Path(__file__).parents[3] / "docs/engines.md"

Measure = Callable[[Sandbox, str], dict[str, str]]


@pytest.fixture(scope="session")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """What came of every attempt; tried once, however many processes run the tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def measured(sandbox: Sandbox, program: str) -> dict[str, str]:
        needs(sandbox)
        place = folder / f"escapes-{sandbox}-{'nobody' if program else 'ourselves'}"
        with place.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            if not text:
                text = _tried(sandbox, program)
                file.write(text)
        found: dict[str, str] = json.loads(text)
        assert found, "it failed before; the first test says why"
        return found

    return measured


def _tried(sandbox: Sandbox, program: str) -> str:
    argv = ("-m", "tests.shell.escapes.world", sandbox)
    if program:
        done = as_nobody(program, *argv)
    else:
        done = subprocess.run(
            [sys.executable, *argv],
            env={"PATH": PATH, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def outcomes(
    measure: Measure, sandbox: Sandbox, user: str, request: pytest.FixtureRequest
) -> dict[str, str]:
    program: str = request.getfixturevalue("python") if user == "nobody" else ""
    return measure(sandbox, program)


@pytest.mark.slow
@LEVELS
@USERS
@NAMES
def test_no_attempt_gets_further_than_the_table_says(
    outcomes: dict[str, str], sandbox: Sandbox, name: str
):
    said = hold(ROWS[ATTEMPTS[name].kind], sandbox)
    assert WORST.index(outcomes[name]) <= WORST.index(said)


@pytest.mark.slow
@LEVELS
@USERS
@pytest.mark.parametrize("row", TABLE, ids=[row.attempt for row in TABLE])
def test_the_table_says_what_the_attempts_came_to(
    outcomes: dict[str, str], sandbox: Sandbox, row: Row
):
    found = [outcomes[one.name] for one in ATTEMPTS.values() if one.kind == row.attempt]
    assert max(found, key=WORST.index) == hold(row, sandbox)


@pytest.mark.slow
@LEVELS
@USERS
def test_the_model_can_be_reached(outcomes: dict[str, str]):
    assert outcomes["connect to the model"] == "open"


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in ATTEMPTS.values() if one.control == "works"])
def test_without_a_sandbox_the_attempt_works(measure: Measure, name: str):
    # Limits on memory and processes are watched without one, too.
    assert measure("none", "")[name] in ("open", "limited")


def test_there_are_attempts_of_every_kind():
    assert {one.kind for one in ATTEMPTS.values()} == {GIVEN, *ROWS}
    assert len(ATTEMPTS) >= 180


def test_the_document_has_the_table():
    lines = DOCUMENT.read_text().splitlines()
    written = [re.split(r"\s*\|\s*", line.strip("| ")) for line in lines if line.startswith("|")]
    rows = {cells[0]: cells[1:] for cells in written if cells[0] in ROWS}
    assert rows == {row.attempt: [row.bubblewrap, row.landlock] for row in TABLE}


@LEVELS
def test_the_doctor_says_what_is_left(sandbox: Sandbox):
    said = explain(sandbox).open
    for row in TABLE:
        is_said = any(one.endswith(f" {row.attempt}") for one in said)
        assert is_said == (hold(row, sandbox) != "held")


def test_an_older_kernel_holds_less():
    signals, keys = ROWS["signal other processes"], ROWS["read, add or ask for keys in the kernel"]
    assert hold(signals, "landlock", version=6) == "held"
    assert hold(signals, "landlock", version=5) == "open"
    assert hold(signals, "bubblewrap", version=0) == "held"
    assert hold(keys, "bubblewrap", has_filter=True) == "held"
    assert hold(keys, "bubblewrap", has_filter=False) == "open"

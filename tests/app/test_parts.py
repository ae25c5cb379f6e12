"""Parts by name."""

import subprocess
import sys
from pathlib import Path

import pytest

from whet.app.parts import InstalledParts
from whet.core.errors import UnknownPart
from whet.ports.ask import Query, Reply
from whet.ports.judge import JudgeSetup
from whet.ports.machine import Machine

MACHINE = Machine({}, Path("/nowhere"))


async def nobody(query: Query) -> Reply:
    raise AssertionError(f"nobody is to be asked {query.prompt}")


def test_an_unknown_part_is_named_with_those_that_are_installed() -> None:
    with pytest.raises(UnknownPart, match=r"unknown engine 'nope'; known: .*simulated"):
        InstalledParts(MACHINE).engine("nope")
    with pytest.raises(UnknownPart, match=r"'Cluade'; did you mean claude\? known: api, claude"):
        InstalledParts(MACHINE).engine("Cluade")
    with pytest.raises(UnknownPart, match=r"unknown judge 'nope'; known: .*simulated"):
        InstalledParts(MACHINE).judge("nope", JudgeSetup(nobody))


def test_a_part_is_made_once() -> None:
    parts = InstalledParts(MACHINE)
    assert parts.engine("simulated") is parts.engine("simulated")
    assert parts.checker("exact") is parts.checker("exact")


ASK = """
from whet.app.parts import InstalledParts
from whet.core.errors import WhetError
from whet.app.settings import read
try:
    InstalledParts(read().machine).engine("broken")
except WhetError as error:
    print(error.exit_code, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("no_such_module:Engine", "No module named 'no_such_module'"),
        ("whet.engines.simulated:NoSuchEngine", "has no attribute 'NoSuchEngine'"),
    ],
)
def test_a_part_that_does_not_load_is_trouble_of_the_environment(
    tmp_path: Path, target: str, reason: str
) -> None:
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[whet.engines]\nbroken = {target}\n")
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("3 engine 'broken' does not load: "), done.stderr
    assert reason in done.stdout

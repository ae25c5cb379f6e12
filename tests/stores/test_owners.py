"""An owner lives exactly as long as its process."""

import os
import signal
import threading
from pathlib import Path

from tests.stores.processes import programs
from whet.stores.owners import Owner, is_alive, sweep

HOLD = """
import sys, pathlib
from whet.stores.owners import Owner
owner = Owner(pathlib.Path(sys.argv[1]))
print(owner.id, flush=True)
sys.stdin.readline()
"""

HOLD_AND_START_A_CHILD = """
import subprocess, sys, pathlib
from whet.stores.owners import Owner
owner = Owner(pathlib.Path(sys.argv[1]))
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(owner.id, child.pid, flush=True)
sys.stdin.readline()
"""


def test_an_owner_lives_until_it_is_released(tmp_path: Path) -> None:
    with Owner(tmp_path) as owner, Owner(tmp_path) as other:
        assert owner.id != other.id
        assert is_alive(tmp_path, owner.id)
        assert sweep(tmp_path) == []
    assert not is_alive(tmp_path, owner.id)
    assert list(tmp_path.iterdir()) == []


def test_an_owner_nobody_ever_heard_of_is_dead(tmp_path: Path) -> None:
    assert not is_alive(tmp_path, "1-abc")
    assert not is_alive(tmp_path / "nowhere", "1-abc")
    assert sweep(tmp_path / "nowhere") == []


def test_the_owner_of_a_killed_process_is_dead_at_once(tmp_path: Path) -> None:
    with programs(HOLD, (tmp_path,)) as [program], Owner(tmp_path) as mine:
        theirs = program.line()
        assert is_alive(tmp_path, theirs)
        assert sweep(tmp_path) == []
        program.kill()
        assert not is_alive(tmp_path, theirs)
        assert sweep(tmp_path) == [theirs]
        assert sweep(tmp_path) == []
        assert is_alive(tmp_path, mine.id)


def test_an_agent_that_outlives_us_does_not_keep_us_alive(tmp_path: Path) -> None:
    """The lock is not handed down to the processes that we start."""
    with programs(HOLD_AND_START_A_CHILD, (tmp_path,)) as [program]:
        owner, child = program.line().split()
        program.kill()
        try:
            assert not is_alive(tmp_path, owner)
        finally:
            os.kill(int(child), signal.SIGKILL)


def test_nobody_sweeps_an_owner_that_is_just_being_born(tmp_path: Path) -> None:
    """Two commands that start at the same moment both sweep, and neither is dead."""
    stop = threading.Event()

    def sweep_on() -> None:
        while not stop.is_set():
            sweep(tmp_path)

    sweeper = threading.Thread(target=sweep_on)
    sweeper.start()
    try:
        for _ in range(1000):
            with Owner(tmp_path) as owner:
                assert is_alive(tmp_path, owner.id)
    finally:
        stop.set()
        sweeper.join()

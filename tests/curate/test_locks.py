"""One writer at a time, across threads and processes."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from whet.core.errors import EnvironmentProblem
from whet.curate.locks import locked

HOLD = """
import sys, time
from pathlib import Path
from whet.curate.locks import locked
with locked(Path(sys.argv[1]), "one"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_a_lock_that_another_process_keeps_is_a_clear_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE
    ) as holder:
        try:
            assert holder.stdout
            assert holder.stdout.readline() == b"held\n"
            with (
                pytest.raises(EnvironmentProblem, match=r"one is being changed by another process"),
                locked(tmp_path, "one", patience=0.1),
            ):
                pytest.fail("two writers")
            with locked(tmp_path, "another", patience=0.1):
                pass
        finally:
            holder.kill()
        holder.wait()
        with locked(tmp_path, "one", patience=5):
            pass


def test_threads_wait_for_each_other(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        with locked(tmp_path, "one"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.005)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8


def test_the_file_stays_and_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path, "one"):
        _ = 1 / 0
    assert [path.name for path in (tmp_path / ".locks").iterdir()] == ["one"]
    with locked(tmp_path, "one", patience=0):
        pass


def test_a_long_id_has_a_lock_too(tmp_path: Path) -> None:
    with locked(tmp_path, "字" * 5000):
        assert len(list((tmp_path / ".locks").iterdir())) == 1


def test_a_lock_leaves_no_open_file(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(20):
        with locked(tmp_path, "one"):
            pass
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_where_no_lock_can_be_is_said(tmp_path: Path) -> None:
    (tmp_path / ".locks").touch()
    with pytest.raises(EnvironmentProblem, match="cannot lock"), locked(tmp_path, "one"):
        pass

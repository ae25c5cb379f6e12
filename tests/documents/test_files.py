"""Files are whole or not there."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from whet.core.errors import EnvironmentProblem
from whet.documents.files import write_atomic


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("text", ["é\n", b"\x00\xff", ""])
def test_writes_and_replaces(tmp_path: Path, text: str | bytes, *, durable: bool) -> None:
    path = tmp_path / "meta.json"
    path.write_text("old", "utf-8")

    write_atomic(path, text, durable=durable)

    assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()

    write_atomic(tmp_path / "ours", "x", durable=False)

    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)


def test_the_longest_possible_name(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)

    write_atomic(path, "x", durable=False)

    assert path.read_text("utf-8") == "x"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.mkdir()
    (path / "kept").touch()

    with pytest.raises(EnvironmentProblem):
        write_atomic(path, "new", durable=True)

    assert list(tmp_path.rglob("*")) == [path, path / "kept"]


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.write_text("old", "utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(EnvironmentProblem) as caught:
            write_atomic(path, "x" * 10_000, durable=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)

    assert str(caught.value) == f"cannot write {path}: {os.strerror(errno.EFBIG)}"
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_reads_meanwhile_has_the_whole_old_file(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.write_text("old", "utf-8")

    with path.open(encoding="utf-8") as reader:
        write_atomic(path, "new", durable=False)
        assert reader.read() == "old"


def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    path.write_text("a" * 1_000_000, "utf-8")
    code = (
        "import sys, pathlib\n"
        "from whet.documents.files import write_atomic\n"
        "while True:\n"
        "    for letter in 'ab':\n"
        "        write_atomic(pathlib.Path(sys.argv[1]), letter * 1_000_000, durable=False)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)]) as writer:
        before, end, is_replaced = path.stat().st_ino, time.monotonic() + 60, False
        while not is_replaced and writer.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
            # Looked at while it goes on: a number that is free again may be given out again.
            is_replaced = path.stat().st_ino != before
        writer.kill()

    assert is_replaced, "another file took its place"
    text = path.read_text("utf-8")
    assert text in ("a" * 1_000_000, "b" * 1_000_000)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "meta.json"

    with pytest.raises(EnvironmentProblem) as caught:
        write_atomic(path, "x", durable=False)

    assert str(caught.value) == f"cannot write {path}: {os.strerror(errno.ENOENT)}"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(EnvironmentProblem) as caught:
            write_atomic(path, "x", durable=False)
    finally:
        tmp_path.chmod(0o700)

    assert str(caught.value) == f"cannot write {path}: {os.strerror(errno.EACCES)}"


def test_where_nobody_may_write_is_named() -> None:
    path = Path("/proc/meta.json")

    with pytest.raises(EnvironmentProblem, match=r"^cannot write /proc/meta\.json: "):
        write_atomic(path, "x", durable=False)

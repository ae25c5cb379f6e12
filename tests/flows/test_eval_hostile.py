"""A skill of a stranger in a terminal: whatever its names hold, nothing steers the screen."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

BAD = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e[/bold][red]{0}"
OURS = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|[0-9]*[ABKG])|[\r\n\t]")
"""Colours, and what a bar needs to be drawn over itself."""

STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    folder = tmp_path / "evil"
    (folder / "evals").mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: evil\ndescription: {json.dumps(BAD)}\n---\n")
    check = {"type": "file_exists", "pattern": "*.py", "description": BAD, "id": f"S{BAD}"}
    evals = [
        {
            "id": f"{number}{BAD}",
            "name": f"{number}{BAD}",
            "prompt": f"Write a Python function {number}{BAD}",
            "expectations": [BAD],
            "structural_expectations": [check],
        }
        for number in (1, 2)
    ]
    suite = {"skill_name": BAD, "evals": evals, "eval_config": {"runs_per_eval": 2}}
    (folder / "evals/evals.json").write_text(json.dumps(suite))
    rival = tmp_path / f"rival{BAD}".replace("/", "")
    shutil.copytree(folder, rival)
    (rival / "SKILL.md").write_text("Another one.")
    return folder


def test_no_name_steers_the_terminal(evil: Path, tmp_path: Path) -> None:
    [rival] = tmp_path.glob("rival*")
    commands: tuple[tuple[str | Path, ...], ...] = (
        (evil, "--dry-run"),
        (evil,),
        ("regrade", evil),
        ("race", evil, rival),
        ("review", evil, "--list", "--show"),
        ("feedback", evil, "--apply", "1"),
    )
    for command in commands:
        code, said = Terminal("eval", *command, "--workspace", tmp_path / "w").ended()
        assert code == 0, said
        assert "Traceback" not in said, said
        assert not STEERING.findall(OURS.sub("", said)), (command, said)

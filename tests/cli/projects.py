"""Projects for the commands to work on, in this process."""

import json
from pathlib import Path
from typing import Any

from tests.app.opening import fill
from tests.cli.calls import run

SKILLS = ("--skill", "Writer", "--skill", "Author")
TESTS = ("--baseline", "Tests")


def filled(folder: Path) -> Path:
    """A workspace with two skills and a baseline of two cases."""
    workspace = folder / "workspace"
    fill(workspace)
    return workspace


def worked(workspace: Path, *arguments: str | Path) -> dict[str, Any]:
    """What a command that runs a project prints for machines; on stderr may be its progress."""
    result = run("project", *arguments, "--json", "--workspace", workspace)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def made(workspace: Path, name: str = "Small", *more: str) -> dict[str, Any]:
    """A project of both skills that was run: 2 × 2 trials unless said otherwise."""
    return worked(workspace, "create", name, *SKILLS, *TESTS, "--run", *more)

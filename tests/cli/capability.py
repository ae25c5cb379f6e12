"""Small case sets, and runs of them by the simulated agent."""

import json
from pathlib import Path
from typing import Any

from tests.cli.calls import read

MINI = [
    {
        "id": "sum",
        "dimension": "logic",
        "prompt": "What is 17 + 25? Reply with the number only.",
        "checker": "exact",
        "expected": "42",
        "tags": ["short"],
    },
    {
        "id": "wrong",
        "dimension": "logic",
        "prompt": "What is 17 + 26? Reply with the number only.",
        "checker": "exact",
        "expected": "forty",
        "weight": 3,
    },
    {
        "id": "lookup",
        "dimension": "tool",
        "prompt": "Look up the town of Ada in the notes.",
        "checker": "tool_called",
        "expected": "notes@lookup",
        "tags": ["mcp"],
    },
]


def write_set(workspace: Path, cases: object = MINI, name: str = "mini") -> Path:
    """A set of the workspace."""
    path = workspace / "evaluation/cases" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"version": 2, "case_set": name, "language": "en-US", "cases": cases}
    path.write_text(json.dumps(content))
    return path


def ran(workspace: Path, *more: str) -> dict[str, Any]:
    """What a run of the small set came to."""
    return read("capability", "run", "mini", *more, "--workspace", workspace)

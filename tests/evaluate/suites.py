"""Skill folders with suites of evals, written to disk as a person would."""

import json
from functools import cache
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.app.parts import InstalledParts
from whet.app.settings import read
from whet.core.errors import InvalidSuite
from whet.evaluate.suite import Suite, read_suite
from whet.ports.checker import Checker

Fields = dict[str, JsonValue]

SKILL = """\
---
name: knives
description: Sharpens knives. Use it for anything with an edge.
---
Write a docstring. Refuse bad input with ValueError. Use type hints.
"""
RUBRIC: Fields = {
    "dimensions": [
        {
            "id": "Q1",
            "name": "depth",
            "description": "How deep it goes",
            "weight": 2.0,
            "scoring": {"1": "shallow", "3": "fair", "5": "deep"},
        },
        {"id": "Q2", "name": "tone", "weight": 1},
    ]
}
PYTHON: Fields = {
    "id": "S1",
    "type": "file_exists",
    "description": "A Python file is there",
    "pattern": "*.py",
    "critical": True,
}


def eval_(identity: int | str = 1, **more: JsonValue) -> Fields:
    """An eval with a check, an expectation in words and a rubric."""
    return {
        "id": identity,
        "name": f"Sharpen {identity}",
        "prompt": f"Write a Python function that sharpens knife {identity}.",
        "expected_output": "A sharp knife.",
        "expectations": ["A docstring says what it does"],
        "structural_expectations": [PYTHON],
        "quality_rubric": RUBRIC,
        **more,
    }


def suite_of(*evals: JsonValue, **more: JsonValue) -> Fields:
    return {"skill_name": "knives", "evals": list(evals), **more}


def skill_at(
    folder: Path, suite: JsonValue, files: dict[str, str] | None = None, text: str = SKILL
) -> Path:
    """A skill folder with a suite; *files* lie wherever their names say."""
    for name, content in {"SKILL.md": text, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (folder / "evals").mkdir(exist_ok=True)
    (folder / "evals/evals.json").write_text(json.dumps(suite))
    return folder


@cache
def checkers() -> dict[str, Checker]:
    """The installed ones."""
    parts = InstalledParts(read(Path("unused"), {}).machine)
    return {name: parts.checker(name) for name in parts.checkers()}


def suite_at(folder: Path, suite: JsonValue, files: dict[str, str] | None = None) -> Suite:
    """Write a suite and read it."""
    return read_suite(skill_at(folder, suite, files), checkers())


def mistakes(folder: Path, suite: JsonValue, files: dict[str, str] | None = None) -> list[str]:
    """Write a suite that is refused; why."""
    with pytest.raises(InvalidSuite) as caught:
        suite_at(folder, suite, files)
    assert caught.value.source == folder / "evals/evals.json"
    return list(caught.value.problems)

"""Skills and baselines for the tests of the library over HTTP."""

from typing import Any

from tests.curate.intake.zips import SCRIPT, zipped
from tests.server.calling import Caller

SKILLS = "/v1/skills"
BASELINES = "/v1/baselines"

TEXT = """---
name: writer
description: Writes reports. Use when somebody asks for a report.
---

Write it well.
"""

CASE = {"input": "1 + 1", "expected_output": "2"}


def package(text: str = TEXT, **more: str) -> bytes:
    """A zip of a skill with a script; *more* files, by their stem."""
    files = [("writer/SKILL.md", text.encode()), ("writer/scripts/run.sh", b"#!/bin/sh\necho\n")]
    files += [(f"writer/{stem}.md", content.encode()) for stem, content in more.items()]
    return zipped(*files, modes={"writer/scripts/run.sh": SCRIPT})


def made(call: Caller, path: str = SKILLS, **fields: Any) -> dict[str, Any]:
    """A new asset; a skill *Writer* or a baseline *Sums*."""
    skill: dict[str, Any] = {"name": "Writer", "content": "Write well.", "purpose": "code"}
    baseline: dict[str, Any] = {"name": "Sums", "cases": [CASE], "purpose": "code"}
    answer = call("POST", path, json=(skill if path == SKILLS else baseline) | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def names(call: Caller, path: str = SKILLS, **query: Any) -> list[str]:
    """Those in the list."""
    answer = call("GET", path, params=query)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]

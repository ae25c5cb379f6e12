"""Put skills and baselines on disk as the workspace format wants them, or not quite so."""

import json
import uuid
from pathlib import Path

from pydantic import JsonValue

MOMENT = "2024-01-01T12:00:00Z"


def identity(name: str) -> str:
    """The same id for the same name, every time."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def add_skill(
    workspace: Path,
    name: str = "Writer",
    version: str = "v1",
    text: str = "Be careful.",
    **meta: str,
) -> Path:
    """A text skill; *meta* replaces fields of ``meta.json``."""
    fields: dict[str, JsonValue] = {
        "id": identity(name),
        "name": name,
        "purpose": "code",
        "provider": "me",
        "version": version,
        "version_count": 1,
        "content_file": "content.txt",
        "status": "active",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        **meta,
    }
    folder = workspace / f"skills/code/me/skill_{identity(name)[:8]}_{version}"
    write(folder / "meta.json", fields)
    (folder / "content.txt").write_text(text)
    return folder


def add_baseline(workspace: Path, name: str = "Tests", count: int = 2, **meta: str) -> Path:
    """A baseline with *count* small cases."""
    fields: dict[str, JsonValue] = {
        "id": identity(name),
        "name": name,
        "purpose": "code_test",
        "provider": "me",
        "version": "v1",
        "version_count": 1,
        "case_count": count,
        "status": "active",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        **meta,
    }
    folder = workspace / f"baselines/code_test/me/baseline_{identity(name)[:8]}_v1"
    write(folder / "meta.json", fields)
    write_cases(folder, *(f"case_{number:03}" for number in range(1, count + 1)))
    return folder


def write_cases(folder: Path, *ids: str) -> None:
    """The cases of a baseline, each with its id in the prompt."""
    cases: list[JsonValue] = [
        {
            "id": one,
            "name": f"Case {one}",
            "category": "standard",
            "input": f"Write a Python function for {one}.",
            "expected_output": "A function with a docstring.",
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }
        for one in ids
    ]
    write(folder / "cases.json", {"baseline_id": "b", "version": "v1", "cases": cases})


def write(path: Path, value: JsonValue) -> None:
    """One JSON file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))

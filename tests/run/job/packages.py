"""Packages to try things with."""

import json
from typing import Any

from whet.curate.manifest import JobPackage, job_package

ENGINES = ("claude", "codex", "simulated")

INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "document": {"type": "string"},
        "extra": {"type": "string", "x-input-source": "file"},
        "title": {"type": "string", "minLength": 1, "x-input-source": "inline"},
        "depth": {"type": "integer", "x-input-source": "inline"},
    },
    "required": ["document", "title"],
}
PARAMETER: dict[str, Any] = {
    "type": "object",
    "properties": {"most": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
OUTPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "report": {"type": "string", "x-type": "artifact", "x-filename": "report.md"},
        "words": {"type": "integer"},
    },
    "required": ["report", "words"],
    "additionalProperties": False,
}


def package(
    output: dict[str, Any] | None = None, *, prompts: dict[str, str] | None = None, **more: Any
) -> JobPackage:
    """A package with a file, two values, a parameter, and a file to yield."""
    manifest = {
        "id": "report",
        "execution_modes": ["auto", "interactive"],
        "entrypoint": {"prompts": prompts or {}},
        **more,
    }
    files = {
        "SKILL.md": "---\nname: report\ndescription: Reports.\n---\nReport.\n",
        "assets/runner.json": json.dumps(manifest),
        "assets/input.schema.json": json.dumps(INPUT),
        "assets/parameter.schema.json": json.dumps(PARAMETER),
        "assets/output.schema.json": json.dumps(output or OUTPUT),
    }
    content = {path: text.encode() for path, text in files.items()}
    return job_package(content, "report", ENGINES)


def plain() -> JobPackage:
    """A skill that promises nothing."""
    text = b"---\nname: chat\ndescription: Talks.\n---\nTalk."
    return job_package({"SKILL.md": text}, "chat", ENGINES)

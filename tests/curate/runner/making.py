"""A job package, whole or with mistakes in it."""

import json
from collections.abc import Mapping
from typing import Any

from tests.repo.tree import ROOT
from whet.core.errors import InvalidSkill
from whet.curate.library import folder_package
from whet.curate.manifest import JobPackage, job_package

EXAMPLE = ROOT / "examples/text-report"
ENGINES = ("claude", "codex", "simulated")
RUNNER = "assets/runner.json"


def files() -> dict[str, bytes]:
    """Those of the example."""
    return folder_package(EXAMPLE)[1]


def changed(
    runner: Mapping[str, Any] | None = None,
    without: tuple[str, ...] = (),
    **schemas: Mapping[str, Any] | None,
) -> dict[str, bytes]:
    """The example with other fields in runner.json or *without* some, and with other schemas;
    None takes one away."""
    found = files()
    manifest = {**json.loads(found[RUNNER]), **(runner or {})}
    found[RUNNER] = encoded({key: manifest[key] for key in manifest if key not in without})
    for key, schema in schemas.items():
        path = f"assets/{key}.schema.json"
        if schema is None:
            del found[path]
        else:
            found[path] = encoded({"type": "object", **schema})
    return found


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def contract(content: Mapping[str, bytes], folder: str | None = None) -> JobPackage:
    return job_package(content, "text-report", ENGINES, folder)


def mistakes(content: Mapping[str, bytes], folder: str | None = None) -> tuple[str, ...]:
    """What is wrong, without the name of runner.json."""
    try:
        contract(content, folder)
    except InvalidSkill as error:
        return tuple(one.removeprefix(f"{RUNNER}: ") for one in error.problems)
    return ()

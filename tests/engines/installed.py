"""Where tests find the agents that ``make agents`` installs."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.engines.agents.manifest import VERSIONS, folders

__all__ = ["VERSIONS", "installed"]

_FOLDERS = folders()
"""Looked up once: a test may give itself another home."""


def installed(name: str, places: Sequence[Path] = _FOLDERS) -> Path:
    """The program *name* of the manifest; its folder has the others and belongs on the PATH.

    Where it is missing the test is skipped, except in continuous integration: there it fails.
    """
    version = VERSIONS[name]
    for folder in places:
        program = folder / "bin" / name
        if program.exists():
            return program
    reason = f"{name} {version} is not installed; run: make agents"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)

"""An app on a fresh workspace with a small library."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.curate.shelves import add_baseline, add_skill
from whet.app.app import App, opened
from whet.app.projects.requests import Comparison
from whet.app.settings import read

COMPARISON = Comparison(name="Small", skills=("Writer", "Author"), baselines=("Tests",), repeats=2)
"""Two skills, two cases, twice: eight trials."""


def fill(workspace: Path) -> None:
    """The assets that ``COMPARISON`` names."""
    add_skill(workspace, "Writer", text="Write a docstring. Refuse bad input with ValueError.")
    add_skill(workspace, "Author", text="Be brief.")
    add_baseline(workspace, "Tests", count=2)


def allow(workspace: Path, **policy: object) -> Path:
    """Let the machine of ``app_on`` allow something; the folder that its policy lies in."""
    folder = workspace.with_name("config")
    folder.mkdir(exist_ok=True)
    (folder / "policy.json").write_text(json.dumps(policy))
    return folder


@contextmanager
def app_on(workspace: Path, **environment: str) -> Generator[App]:
    """As a command opens it; several may be open at once, as several processes would."""
    own = {
        "WHET_SCRATCH": str(workspace.with_name("scratch")),
        "WHET_CONFIG_DIR": str(workspace.with_name("config")),
    }
    with opened(read(workspace, {**own, **environment})) as app:
        yield app

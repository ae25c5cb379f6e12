"""Projects that were run, to be compared and reported."""

import asyncio
from pathlib import Path

from tests.curate.shelves import add_baseline, add_skill
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.evaluate.project import Project


def fill(workspace: Path, cases: int = 3) -> None:
    """Two skills, one of them in two versions, and a baseline."""
    add_skill(workspace, "Writer", text="Write a docstring. Refuse bad input with ValueError.")
    add_skill(workspace, "Writer", "v2", text="Be careful and test everything.")
    add_skill(workspace, "Author", text="Be brief.")
    add_baseline(workspace, "Tests", count=cases)


def wish(name: str, *skills: str, **more: object) -> Comparison:
    """Of the baseline of ``fill``."""
    return Comparison.model_validate(
        {"name": name, "skills": skills, "baselines": ("Tests",), "judges": ("simulated",), **more}
    )


def ran(app: App, name: str, *skills: str, **more: object) -> Project:
    """A project that was carried out to its end."""
    project = create_project(app, wish(name, *skills, **more))
    return asyncio.run(Experiments(app).run(project)).project
